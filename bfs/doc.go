// SPDX-License-Identifier: Apache-2.0

// Package bfs is kernel 2 on CPUs (on GPUs: gpu/bfs, cuda/search): it computes a breadth-first tree of a root's
// component (specification, section "Kernel 2 - Breadth-First Search").
//
// Hybrid is the fast CPU engine, on the degree-ordered structure of graph/csr. TopDown is the slow reference
// implementation: it builds its own adjacency lists and shares no code with the others. The suite in bfs/bfstest checks
// the trees of every engine.
package bfs
