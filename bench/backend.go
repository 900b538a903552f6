// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"unsafe"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/power"
	"g500/internal/trace"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// Backend has the functions of a run that differ between CPUs and GPUs. Tuples, engines and validators of one backend
// use each other's memory.
type Backend struct {
	// Name is the engine's name in the report.
	Name string
	// Device is the GPU of this rank, nil if the backend uses none.
	Device *record.Device
	// Card names the GPU of this rank on its node, "" for none.
	Card string
	// Note describes a choice of the backend that a reader of the record needs, the same on all ranks; "" for none.
	Note string
	// Generate makes a share of the official graph's edge tuples. It calls advance with the number of finished tuples.
	Generate func(ctx context.Context, p kronecker.Params, s graph.Range, advance func(int64)) (graph.Tuples, error)
	// Read copies a share of edge tuples from a reader to the memory of the backend, once and in order.
	Read func(ctx context.Context, s graph.Range, read graph.TupleReader, advance func(int64)) (graph.Tuples, error)
	// Kernel1 builds the engine of breadth-first search.
	Kernel1 bfs.New
	// Paths builds the engine of shortest paths.
	Paths sssp.New
	// SharesOrder reports whether kernel 1 of shortest paths takes the degree order of the vertices, and perhaps more,
	// from kernel 1 of breadth-first search, if a run has both.
	SharesOrder bool
	// NewValidator prepares the tuples for validation.
	NewValidator func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error)
	// Memory returns the plans for the memory of one rank, the fastest first.
	Memory func(Work) []Plan
	// Generated is the backend with edge tuples that are generated again, which only users choose; nil for none.
	Generated *Backend
	// Check returns ErrRefused, the same on all ranks, for a work that the settings do not allow; nil if they allow all.
	Check func(Work) error
	// Use sets the plan of the run before tuples are made. It is nil if there is only one plan.
	Use func(Plan)
	// MaxScale is the scale of the largest official graph whose vertices the backend can number.
	MaxScale int
	// MaxPathsScale is MaxScale for shortest paths.
	MaxPathsScale int
	// ResultBits is the number of bits of a parent in a result, in memory when the clock stops.
	ResultBits int
	// Budget returns the memory that this rank can use. It is nil for a share of the node's memory.
	Budget func() Budget
	// TimeKernels makes the backend wait for each kernel launch and time it. KernelTimes returns the times. Both are
	// nil if the backend launches no kernels.
	TimeKernels func()
	KernelTimes func() []KernelTime
	// Meters opens the power meters of this rank's processors or GPU. Ranks that share these open the same meters.
	Meters func() ([]power.Meter, error)
	// Close frees the resources of the backend.
	Close func() error
}

// KernelTime is the time of all launches of one kernel on a device.
type KernelTime = trace.KernelTime

// Validator validates results. The verdict is the same on every rank.
type Validator interface {
	Validate(root graph.Global, result engine.Result) (validate.Verdict, error)
}

// CPU returns the backend without GPUs, with an engine for each kernel. For all other work it uses that many worker
// goroutines per rank.
func CPU(name string, kernel1 bfs.New, paths sssp.New, workers int) Backend {
	return Backend{
		Name:    name,
		Kernel1: kernel1,
		Paths:   paths,
		Memory:  func(w Work) []Plan { return []Plan{HostMemory(w)} },

		MaxScale:      bfs.MaxScale,
		MaxPathsScale: sssp.MaxScale,
		ResultBits:    8 * int(unsafe.Sizeof(graph.NoParent)),
		Meters:        processors,
		Close:         func() error { return nil },
		Generate: func(ctx context.Context, p kronecker.Params, s graph.Range, advance func(int64)) (graph.Tuples, error) {
			tuples := graph.NewHostTuples(s)
			return tuples, p.FillParallel(ctx, s.First, tuples.Edges, tuples.Weights, workers, advance)
		},
		Read: func(_ context.Context, s graph.Range, read graph.TupleReader, _ func(int64)) (graph.Tuples, error) {
			tuples := graph.NewHostTuples(s)
			return tuples, read(0, tuples.Edges, tuples.Weights)
		},
		NewValidator: func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error) {
			return validate.New(t, layout, tuples, workers)
		},
	}
}

// processors opens the meter of the node's processors.
func processors() ([]power.Meter, error) {
	meter, err := power.RAPL(power.Powercap)
	if err != nil {
		return nil, err
	}
	return []power.Meter{meter}, nil
}

// searchesPaths reports whether the run has shortest paths.
func (b *benchmark) searchesPaths() bool { return b.run.KernelRun(record.SSSP) != nil }
