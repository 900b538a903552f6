// SPDX-License-Identifier: Apache-2.0

// Package dynlib loads shared libraries of C at run time and finds their functions: of NVIDIA's driver, NVML and NCCL,
// which the program neither needs at build time nor when it starts. Go calls the functions through C (cgo).
package dynlib
