// SPDX-License-Identifier: Apache-2.0

// Package cuda binds Go to GPUs: devices, contexts and memory through gorgonia.org/cu, and the kernels through the C
// API in g500cuda.h. It does not depend on ranks and engines.
//
// The kernels are in subfolders: generate (the generator), kernel1 (construction), search (kernel 2), sssp (kernel 3),
// validate, and common; lab, color and pages are the laboratory's, for the program lab/child.cc. Each other one has a
// header with its functions for Go. nvcc compiles the kernels into one static library (scripts/cuda.mk). Go files that
// use the library have the tags cuda and cgo; without them the package is empty and needs no CUDA. The folder emulator
// runs kernels on a CPU for tests, and the header in shim makes gorgonia.org/cu compile with CUDA 13.
//
// A Device belongs to the goroutine that opened it, which is locked to its thread until the device is closed, because
// the driver has one context per thread. Close frees all memory of the device. No call ends the process or panics,
// except for elements outside a memory; but gorgonia.org/cu, when it is initialised, ends a program that finds no GPU
// before main begins.
package cuda
