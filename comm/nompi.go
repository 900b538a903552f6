// SPDX-License-Identifier: Apache-2.0

//go:build !mpi || !cgo

package comm

import "errors"

// MPIVersion returns "": there is no MPI library.
func MPIVersion() string { return "" }

// ThreadLevel returns "": there is no MPI library.
func ThreadLevel() string { return "" }

// CUDAAware reports whether messages may be in device memory.
func CUDAAware() bool { return false }

const family = ""

func mpiStarted() bool { return false }

// MPI returns an error: this program was built without MPI.
func MPI(func(Transport) error) error {
	return errors.New("comm: this program was built without MPI; rebuild it with \"make MPI=1\"")
}
