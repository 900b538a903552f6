// Package gpu is the kit for GPUs: generator, kernel 1, search and validation on the device, behind the doors
// that the rest of the program knows. The graph never leaves the device's memory.
//
// Files that reach the device have the tags cuda and cgo; without them only the estimate of memory is there, which
// needs no GPU. One rank with one GPU is what this version searches on.
package gpu
