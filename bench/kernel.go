// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"runtime"
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/trace"
	"g500/record"
	"g500/sssp"
)

// kernel is a kernel of the run with its engine.
type kernel struct {
	*record.KernelRun
	engine.Engine
	last engine.Result // of the last search
}

// search searches from root, and keeps the result.
func (k *kernel) search(root graph.Global) (err error) {
	k.last, err = k.Search(root)
	return err
}

// build is kernel 1: it builds the engine of each kernel.
func (b *benchmark) build(tuples graph.Tuples) error {
	for i := range b.run.Kernels {
		run, earlier := &b.run.Kernels[i], b.run.ConstructionSeconds()
		k, err := b.buildKernel(run, tuples)
		if err != nil {
			return err
		}
		if i > 0 && b.backend.SharesOrder {
			run.ConstructionSeconds += earlier
			run.ConstructionIncludesEarlier = true
			b.note("kernel 1 of shortest paths uses the degree order of breadth-first search: its time includes both")
		}
		if _, can := k.Engine.(trace.Tracer); b.cfg.Search.Trace && !can {
			b.note("engine %s keeps no trace of %s", b.backend.Name, k.Kernel.Title())
		}
		b.kernels = append(b.kernels, k)
		runtime.GC() // so that the next step uses memory that this one has freed
	}
	return nil
}

// Noter is an engine that may have a note for the record of the run: "" if it has none.
type Noter interface{ Note() string }

// PackedNote is the note of an engine whose rows have fewer bits per entry than plain ones, "" if bytes is 0.
func PackedNote(bytes, entries int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("rows are packed: %s, %.2f bits per entry", Bytes(bytes), 8*float64(bytes)/float64(max(entries, 1)))
}

// buildKernel builds the engine of one kernel.
func (b *benchmark) buildKernel(run *record.KernelRun, tuples graph.Tuples) (*kernel, error) {
	e, err := step(b, "kernel 1"+run.Kernel.Of(), percent, &run.ConstructionSeconds, func() (engine.Engine, error) {
		if run.Kernel == record.SSSP {
			return b.backend.Paths(b.advancing(), tuples, sssp.Pruning(run.Pruning()))
		}
		return b.backend.Kernel1(b.advancing(), tuples)
	})
	if err != nil {
		return nil, err
	}
	if noter, ok := as[Noter](e); ok && noter.Note() != "" {
		b.note("%s", noter.Note())
	}
	return &kernel{KernelRun: run, Engine: e}, b.countSimple(e)
}

// countSimple counts the vertices and edges of the simple graph, unless an earlier kernel did or the engine cannot. It
// is collective and not part of kernel 1.
func (b *benchmark) countSimple(e engine.Engine) error {
	counter, can := as[engine.Counter](e)
	if !can || b.run.Simple != nil {
		return nil
	}
	vertices, ends, err := counter.Simple()
	if err := comm.Agree(b.t, err); err != nil {
		return err
	}
	sums := []int64{vertices, ends}
	if err := b.t.AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	if sums[1] > 0 {
		b.run.Simple = &record.SimpleGraph{Vertices: sums[0], Edges: sums[1] / 2}
	}
	return nil
}

// done reports whether every key was searched and no result breaks a rule.
func (k *kernel) done() bool {
	return k.Keys > 0 && len(k.Searches) == k.Keys &&
		!slices.ContainsFunc(k.Searches, func(s record.Search) bool { return s.Fault != "" })
}

// searchStep is the name of the step in which a kernel's searches are made.
func searchStep(k record.Kernel) string {
	if k == record.BFS {
		return "searches"
	}
	return k.Title()
}

// IsSearchStep reports whether a step with that name makes timed searches.
func IsSearchStep(name string) bool {
	return name == searchStep(record.BFS) || name == searchStep(record.SSSP)
}
