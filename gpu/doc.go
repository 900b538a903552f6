// SPDX-License-Identifier: Apache-2.0

// Package gpu is the backend of a run on GPUs, and the estimate of its memory. The parts are in the packages below:
// device joins the GPUs of all ranks; kernel1 makes tuples and builds the graph; bfs and sssp search it; validate
// checks results; lab has the laboratory's machines. The graph never leaves the devices' memory.
//
// Files that reach the device have the tags cuda and cgo; without them only the estimate of memory is there, which
// needs no GPU.
package gpu
