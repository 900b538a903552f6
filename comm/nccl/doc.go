// Package nccl is the way to NCCL, NVIDIA's library for exchanges between GPUs, where it is found at run time: building
// needs neither its header nor the library. It knows nothing of engines, and of devices only addresses and streams.
//
// library.h declares the part of NCCL's C interface that is used. It has been the same since NCCL 2.14, which is the
// oldest that is taken: communicators that do not block came with it, and only with these can a wait have an end. What
// is found says its version by ncclGetVersion, and what is older is refused.
//
// Every wait has a time limit, and asks NCCL meanwhile whether it has met a fault. A fault or the limit aborts the
// communicator, on this rank; the caller ends the job.
package nccl
