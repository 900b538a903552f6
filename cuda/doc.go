// Package cuda is the way to the GPU: device, context and memory through gorgonia.org/cu, and the kernels through
// the C door g500cuda.h. It knows nothing of ranks and engines.
//
// The kernels lie in folders below this one: generate (the generator), kernel1 (construction), search (kernel 2), judge
// (validation), and common, what they share. nvcc compiles them into one static library (scripts/cuda.mk). Each folder
// has a header with its functions for Go. The Go files that use the library have the tags cuda and cgo; without them
// the package is empty and needs no CUDA. The folder emulator runs kernels on a CPU for tests. The folder shim holds a
// header that makes gorgonia.org/cu compile with CUDA 13.
//
// A Device belongs to the goroutine that opened it, which stays on one thread of the operating system until the device
// is closed: the driver keeps its context per thread. What is taken from a device is given back by its Close at the
// latest. No call ends the process, and none panics but Memory.Part, as slices do; but gorgonia.org/cu, when it is
// initialised, ends a program that finds no GPU before main begins.
package cuda
