// Package device opens the GPUs of a job's ranks and moves words between them.
//
// Transport is what the packages above build on: windows into which peers write, collectives between the GPUs, and the
// carriers that bring words to ranks that are no peers. Results of searches in device memory, which one package writes
// and another validates, are here too.
//
// Files that reach the device have the tags cuda and cgo.
package device
