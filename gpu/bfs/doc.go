// Package bfs is the breadth-first search on GPUs: kernel 2.
//
// Files that reach the device have the tags cuda and cgo; the rest carry messages between hosts during a search.
package bfs
