// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"runtime"
	"slices"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/trace"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// kernel is a kernel of the run: its structure, and the operations that depend on the type of its results.
type kernel struct {
	*record.KernelRun
	structure
	search   func(root graph.Global) error
	validate func(v Validator, root graph.Global) (validate.Verdict, error) // validates the last result
	// host returns the last result in host memory, without distances of breadth-first search.
	host func() (sssp.HostPaths, error)
}

// structure is an engine without its searches.
type structure interface {
	Layout() partition.Layout
	HasEdge(graph.Local) bool
	Close() error
}

// build is kernel 1: it builds the structure of each kernel.
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
		if _, can := k.structure.(trace.Tracer); b.cfg.Search.Trace && !can {
			b.note("engine %s keeps no trace of %s", b.backend.Name, k.Kernel.Title())
		}
		b.kernels = append(b.kernels, k)
		runtime.GC() // so that the next step uses memory that this one has freed
	}
	return nil
}

// buildKernel builds the structure of one kernel.
func (b *benchmark) buildKernel(run *record.KernelRun, tuples graph.Tuples) (kernel, error) {
	if run.Kernel == record.BFS {
		host := func(tree bfs.Tree) (r sssp.HostPaths, err error) {
			r.Parents, err = tree.Parents()
			return r, err
		}
		return newKernel(b, run, Validator.Tree, host,
			func(t comm.Transport) (bfs.Engine, error) { return b.backend.Kernel1(t, tuples) })
	}
	host := func(paths sssp.Paths) (r sssp.HostPaths, err error) {
		r.Parents, r.Distances, err = paths.Host()
		return r, err
	}
	return newKernel(b, run, Validator.Paths, host, func(t comm.Transport) (sssp.Engine, error) {
		return b.backend.Paths(t, tuples, sssp.Pruning(run.Pruning()))
	})
}

// Packer is an engine that may store its rows in fewer bits: Packed is their bytes (0: plain), Edges their entries.
type Packer interface {
	Packed() int64
	Edges() int64
}

// newKernel builds an engine with results of type R, which the functions validate and copy to host memory.
func newKernel[R any](
	b *benchmark, run *record.KernelRun, validated func(Validator, graph.Global, R) (validate.Verdict, error),
	host func(R) (sssp.HostPaths, error), build func(comm.Transport) (engine.Engine[R], error),
) (kernel, error) {
	e, err := step(b, "kernel 1"+run.Kernel.Of(), percent, &run.ConstructionSeconds,
		func() (engine.Engine[R], error) { return build(b.advancing()) })
	if err != nil {
		return kernel{}, err
	}
	if packer, ok := e.(Packer); ok && packer.Packed() > 0 {
		bytes, entries := packer.Packed(), packer.Edges()
		b.note("rows are packed: %s, %.2f bits per entry", Bytes(bytes), 8*float64(bytes)/float64(max(entries, 1)))
	}
	if err := b.countSimple(e); err != nil {
		return kernel{}, err
	}
	var last R
	return kernel{
		KernelRun: run, structure: e,
		search: func(root graph.Global) (err error) {
			last, err = e.Search(root)
			return err
		},
		validate: func(v Validator, root graph.Global) (validate.Verdict, error) { return validated(v, root, last) },
		host:     func() (sssp.HostPaths, error) { return host(last) },
	}, nil
}

// countSimple counts the vertices and edges of the simple graph, unless an earlier kernel did or the engine cannot. It
// is collective and not part of kernel 1.
func (b *benchmark) countSimple(e structure) error {
	counter, can := e.(engine.Counter)
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
func (k kernel) done() bool {
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
