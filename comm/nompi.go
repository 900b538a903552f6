//go:build !mpi || !cgo

package comm

import "errors"

// HasMPI reports whether this program was built with MPI.
func HasMPI() bool { return false }

// MPIVersion names the MPI library in use, "" without MPI.
func MPIVersion() string { return "" }

// CUDAAware reports whether messages may lie in device memory.
func CUDAAware() bool { return false }

// needsPMI is false because no MPI library is started.
const needsPMI = false

// MPI refuses: this program was built without MPI.
func MPI(func(Transport) error) error {
	return errors.New("comm: this program was built without MPI; rebuild it with \"make MPI=1\"")
}
