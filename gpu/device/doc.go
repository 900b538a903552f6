// SPDX-License-Identifier: Apache-2.0

// Package device opens the GPUs of a job's ranks and moves words between them.
//
// A Transport has windows into which peers write, and collectives between the GPUs, also of ranks that are not peers.
// The package also has the types of results in device memory, which searches write and validation reads.
//
// Files that reach the device have the tags cuda and cgo.
package device
