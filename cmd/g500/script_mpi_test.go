//go:build mpi && cgo

package main

import "testing"

// TestMPIScripts runs the scripts of jobs under mpirun.
func TestMPIScripts(t *testing.T) { runScripts(t, "testdata/script/mpi") }
