// Package gpu is the kit for GPUs: generator, kernel 1, search and validation on the device, behind the doors
// that the rest of the program knows. The graph never leaves the devices' memory.
//
// Files that reach the device have the tags cuda and cgo; without them only the estimate of memory is there, which
// needs no GPU.
package gpu
