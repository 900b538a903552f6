//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"time"
	"unsafe"

	"g500/internal/trace"
)

// Paths is what one rank needs on its device for kernel 3: the state of searches in a graph with weights.
type Paths struct {
	c      *C.g500_sssp
	device *Device
	held   *holding
	graph  *Graph
	wait   time.Duration // for another rank, before it is given up
}

// NewPaths prepares searches for shortest paths in a graph with weights, which must outlive it. Its levels are nil if
// it was not pruned. So many ranks search on this device at once.
func (g *Graph) NewPaths(policy Policy, sharers int, levels *TreeLevels) (*Paths, error) {
	d := g.device
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	given := policy.on(d).sssp()
	var trees *C.g500_tree_levels
	if levels != nil {
		trees = &levels.c
	}
	var c *C.g500_sssp
	code := C.g500_sssp_create(g.c, trees, &given, C.uint32_t(sharers), &c, d.onStream())
	if err := check("preparing searches for shortest paths", code); err != nil {
		return nil, d.short(err)
	}
	p := &Paths{c: c, device: d, graph: g, wait: policy.wait()}
	p.held = d.made("shortest paths", before, func() error {
		C.g500_sssp_free(c)
		return nil
	})
	return p, nil
}

// Free gives the memory back.
func (p *Paths) Free() error { return p.device.ledger.remove(p.held) }

// Run searches from a label, and returns when this rank's part of the search has ended. It is for one rank alone, and
// for several that are all peers and search alike.
func (p *Paths) Run(root uint32) error {
	code := C.g500_sssp_run(p.c, C.uint32_t(root), p.device.onStream())
	if err := check("searching for shortest paths", code); err != nil {
		return err
	}
	return p.await()
}

// End has the Run that is under way, or the next one, return ErrEnded, as Search.End does. It ends no task (Do).
func (p *Paths) End() { C.g500_sssp_end(p.c) }

// Arm launches the kernel of the next Run, which waits for its root, as Search.Arm does.
func (p *Paths) Arm() error {
	return check("launching a search for shortest paths", C.g500_sssp_arm(p.c, p.device.onStream()))
}

// Disarm ends a search that was launched and has no root, as Search.Disarm does.
func (p *Paths) Disarm() error { return check("calling a search off", C.g500_sssp_disarm(p.c)) }

// await waits until the result of the last search is complete.
func (p *Paths) await() error {
	return p.checkSearch("waiting for shortest paths", C.g500_sssp_await(p.c, p.device.onStream()))
}

// checkSearch turns the code of a search, or of a task, into an error.
func (p *Paths) checkSearch(call string, code C.int) error {
	if code == C.G500_GIVEN_UP {
		return pathsGivenUp(C.g500_sssp_stall(p.c), p.wait)
	}
	return check(call, code)
}

// Parents are those of the last search: for each owned label the parent's, or -1, in words of 64 bits.
func (p *Paths) Parents() Memory {
	return p.device.run(unsafe.Pointer(C.g500_sssp_parents(p.c)), 2*wordBytes*p.graph.Owned())
}

// Distances are those of the last search: for each owned label a number of single precision, -1 where it was not
// reached.
func (p *Paths) Distances() Memory {
	return p.device.run(unsafe.Pointer(C.g500_sssp_distances(p.c)), wordBytes*p.graph.Owned())
}

// pathSteps are the names of the steps, by number.
var pathSteps = [C.G500_SSSP_STEPS]string{
	C.G500_SSSP_START: trace.StartStep, C.G500_SSSP_PUSH: trace.PushStep, C.G500_SSSP_PULL: trace.PullStep,
	C.G500_SSSP_PULL_AGAIN: trace.PullAgainStep, C.G500_SSSP_PUSH_REST: trace.PushRestStep,
	C.G500_SSSP_TIES: trace.TiesStep, C.G500_SSSP_TREES: trace.TreesStep, C.G500_SSSP_RESULT: trace.ResultStep,
}

// Trace lists the steps of the last search on this rank.
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
