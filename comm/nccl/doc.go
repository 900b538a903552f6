// SPDX-License-Identifier: Apache-2.0

// Package nccl calls NCCL, NVIDIA's library for exchanges between GPUs, which it loads at run time: the build needs
// neither NCCL's header nor the library. The package depends on devices only by addresses and streams.
//
// library.h declares the used part of NCCL's C interface, unchanged since NCCL 2.14. Older versions are refused.
//
// Every call has a time limit, and every wait also polls NCCL for errors. An error or the limit aborts the communicator
// on this rank; the caller ends the job.
package nccl
