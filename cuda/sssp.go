// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"time"
	"unsafe"

	"g500/internal/trace"
	"g500/policy"
)

// Paths has one rank's state of kernel 3: searches for shortest paths in a graph with weights.
type Paths struct {
	Allocated
	c     *C.g500_sssp
	graph *Graph
	wait  time.Duration // time limit for other ranks

	wanted C.g500_wanted // by a search that the host drives
}

// NewPaths prepares searches for shortest paths in a graph with weights, which must outlive it. levels are nil unless
// one rank has pruned the graph; sharers is the number of ranks that search on this device at the same time.
func (g *Graph) NewPaths(given policy.Policy, sharers int, levels *TreeLevels) (*Paths, error) {
	d := g.device
	converted := pathsPolicy(d.prelaunching(given))
	var trees *C.g500_tree_levels
	if levels != nil {
		trees = &levels.c
	}
	p := &Paths{graph: g, wait: given.Wait()}
	var err error
	p.Allocated, err = d.Allocate("shortest paths", func() error {
		return check("preparing searches for shortest paths",
			C.g500_sssp_create(g.c, trees, &converted, C.uint32_t(sharers), &p.c, d.onStream()))
	}, func() { C.g500_sssp_free(p.c) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Run searches from a label, and returns when this rank's part of the search has ended. It is for one rank, or for
// several ranks that all are peers and all call it.
func (p *Paths) Run(root uint32) error {
	code := C.g500_sssp_run(p.c, C.uint32_t(root), p.device.onStream())
	if err := check("searching for shortest paths", code); err != nil {
		return err
	}
	return p.await()
}

// End is Search.End for Run and RunDriven.
func (p *Paths) End() { C.g500_sssp_end(p.c) }

// Prelaunch launches the kernel of the next Run, as Search.Prelaunch does.
func (p *Paths) Prelaunch() error {
	return check("launching a search for shortest paths", C.g500_sssp_prelaunch(p.c, p.device.onStream()))
}

// CancelPrelaunch ends a pre-launched search, if there is one.
func (p *Paths) CancelPrelaunch() error {
	return check("cancelling a pre-launched search", C.g500_sssp_cancel_prelaunch(p.c))
}

// await waits until the result of the last search is complete.
func (p *Paths) await() error {
	return p.checkSearch("waiting for shortest paths", C.g500_sssp_await(p.c, p.device.onStream()))
}

// checkSearch returns an error unless the code of a search is 0.
func (p *Paths) checkSearch(call string, code C.int) error {
	if code == C.G500_GIVEN_UP {
		return pathsGivenUp(C.g500_sssp_stall(p.c), p.wait)
	}
	return check(call, code)
}

// Parents returns the 64-bit labels of the parents of owned labels in the last search, or -1.
func (p *Paths) Parents() Memory {
	return p.device.At(unsafe.Pointer(C.g500_sssp_parents(p.c)), 2*wordBytes*p.graph.Owned())
}

// Distances returns the single-precision distances of owned labels in the last search, -1 for unreached vertices.
func (p *Paths) Distances() Memory {
	return p.device.At(unsafe.Pointer(C.g500_sssp_distances(p.c)), wordBytes*p.graph.Owned())
}

// pathSteps has the names of the steps by number.
var pathSteps = [C.G500_SSSP_STEPS]string{
	C.G500_SSSP_START: trace.StartStep, C.G500_SSSP_PUSH: trace.PushStep, C.G500_SSSP_PULL: trace.PullStep,
	C.G500_SSSP_PULL_AGAIN: trace.PullAgainStep, C.G500_SSSP_PUSH_REST: trace.PushRestStep,
	C.G500_SSSP_TIES: trace.TiesStep, C.G500_SSSP_TREES: trace.TreesStep, C.G500_SSSP_RESULT: trace.ResultStep,
}

// Trace returns the steps of the last search on this rank.
func (p *Paths) Trace() ([]trace.Step, error) {
	var raw [C.G500_SSSP_STEPS]C.g500_sssp_step
	if err := check("reading the trace", C.g500_sssp_trace(p.c, &raw[0], p.device.onStream())); err != nil {
		return nil, err
	}
	steps := make([]trace.Step, len(raw))
	for i, s := range raw {
		steps[i] = trace.Step{Name: pathSteps[i], Frontier: int64(s.vertices), Edges: int64(s.edges),
			Nanoseconds: int64(s.nanoseconds + s.exchange), Compute: int64(s.nanoseconds), Exchange: int64(s.exchange)}
	}
	return steps, nil
}
