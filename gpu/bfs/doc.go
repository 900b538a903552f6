// SPDX-License-Identifier: Apache-2.0

// Package bfs is the breadth-first search on GPUs: kernel 2, with the kernels of cuda/search.
//
// Files that use the device have the tags cuda and cgo; the others exchange messages between hosts during a search.
package bfs
