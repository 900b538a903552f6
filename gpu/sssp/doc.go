// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

// Package sssp searches for shortest paths on GPUs: kernel 3, with the kernels of cuda/sssp.
package sssp
