// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package main

import (
	"os"
	"testing"

	"g500/bench"
	"g500/comm"
	"g500/comm/commtest"
	"g500/graph"
	"g500/graph/engine"
	"g500/settings"
)

// TestMPIScripts runs the scripts of jobs under mpirun.
func TestMPIScripts(t *testing.T) { runScripts(t, "testdata/script/mpi") }

// failing is an engine whose searches fail on all ranks at once, without agreement, and whose memory is never free, as
// after a failed exchange between GPUs.
type failing struct{ engine.Engine }

func (failing) Search(graph.Global) (engine.Result, error) { return nil, commtest.ErrPlanted }
func (failing) Close() error                               { select {} }

func init() {
	if os.Getenv("G500_TEST_FAILING") == "" {
		return
	}
	engines = []engineChoice{{settings.CPU, onCPU(func(threads int) bench.Backend {
		backend := cpuBackend(threads)
		kernel1 := backend.Kernel1
		backend.Kernel1 = func(t comm.Transport, given graph.Tuples) (engine.Engine, error) {
			e, err := kernel1(t, given)
			return failing{e}, err
		}
		return backend
	})}}
}
