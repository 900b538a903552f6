// SPDX-License-Identifier: Apache-2.0

// Package graph has the types that all packages share: vertices and edge tuples.
//
// A vertex has a label (Global), the same on all ranks, and a local id (Local) on the rank that owns it. Conversion
// needs a partition.Layout. An edge tuple has the 12 bytes of the official generator, so a graph in memory and a graph
// in a file are the same bytes.
//
// Kernel 1, which makes a searchable structure of the tuples, is the package graph/csr.
package graph
