// SPDX-License-Identifier: Apache-2.0

// Package kernel1 holds edge tuples for GPUs, and builds from them the graph that searches read: kernel 1.
//
// Files that reach the device have the tags cuda and cgo; the rest are sizes that the estimate of memory needs.
package kernel1
