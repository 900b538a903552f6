package bench

import (
	"context"
	"unsafe"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/power"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// Backend is the set of parts that a run is put together from. Parts of one backend know where each other's data lies.
type Backend struct {
	// Name is the engine's name in the report.
	Name string
	// Device is the GPU of this rank, nil if the backend uses none.
	Device *record.Device
	// Card names the device of this rank on its host; "" for nothing beside the host.
	Card string
	// Generate makes a share of the official graph's edge tuples; it calls advance with the number of tuples done.
	Generate func(ctx context.Context, p kronecker.Params, s Share, advance func(int64)) (graph.Tuples, error)
	// Read makes a share of edge tuples of a reader, in the memory in which the backend works.
	Read func(ctx context.Context, s Share, read TupleReader, advance func(int64)) (graph.Tuples, error)
	// Kernel1 makes the engine.
	Kernel1 bfs.New
	// Paths is for kernel 3.
	Paths *PathsBackend
	// NewValidator prepares the tuples for validation.
	NewValidator func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error)
	// Memory is what one rank needs, in all ways in which a run can use memory, the quickest first.
	Memory func(p kronecker.Params, ranks int, validated bool) []Plan
	// Use settles which of them it is, before tuples are made; nil where there is one.
	Use func(Plan)
	// MaxScale is the largest official graph that the backend's vertex numbers reach, whatever the memory.
	MaxScale int
	// ResultBits are those of a parent in the result of a search, as it lies in memory when the clock is stopped.
	ResultBits int
	// Room is how much of that this rank can take, and of what; nil for its share of the host's memory.
	Room func() Room
	// TimeKernels makes the backend wait for each of its kernels from then on, and time it; KernelTimes tells the times.
	// Both are nil where the backend has no kernels.
	TimeKernels func()
	KernelTimes func() []KernelTime
	// Meters opens the meters of what this rank computes on. Ranks that share it open the same.
	Meters func() ([]power.Meter, error)
	// Close gives back what the backend holds; nil where it holds nothing.
	Close func() error
}

// TupleReader fills a slice with tuples, from number first of the share on, and weights, which is empty or of the same
// length, with their weights. Backends read a share once and in order.
type TupleReader = func(first int64, into []graph.Edge, weights []float32) error

// Release gives back what the backend holds.
func (b Backend) Release() error {
	if b.Close == nil {
		return nil
	}
	return b.Close()
}

// KernelTime is what all launches of one kernel on a device took together.
type KernelTime struct {
	Name     string
	Launches int64
	Seconds  float64
}

// Validator validates results. The verdict is the same on every rank.
type Validator interface {
	Tree(root graph.Global, tree bfs.Tree) (validate.Verdict, error)
	Paths(root graph.Global, paths sssp.Paths) (validate.Verdict, error)
}

// CPU returns the backend that needs no GPU, with an engine for each kernel. It uses that many worker goroutines on
// each rank for everything else.
func CPU(name string, kernel1 bfs.New, paths sssp.New, workers int) Backend {
	return Backend{
		Name:    name,
		Kernel1: kernel1,
		Memory: func(p kronecker.Params, ranks int, validated bool) []Plan {
			return []Plan{NewPlan(p, ranks, validated)}
		},
		MaxScale:   bfs.MaxScale,
		ResultBits: 8 * int(unsafe.Sizeof(graph.NoParent)),
		Meters:     processors,
		Generate: func(ctx context.Context, p kronecker.Params, s Share, advance func(int64)) (graph.Tuples, error) {
			tuples, edges, weights := s.newHostTuples()
			return tuples, p.FillParallel(ctx, s.First, edges, weights, workers, advance)
		},
		Read: func(_ context.Context, s Share, read TupleReader, _ func(int64)) (graph.Tuples, error) {
			tuples, edges, weights := s.newHostTuples()
			return tuples, read(0, edges, weights)
		},
		NewValidator: func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error) {
			validator, err := validate.New(t, layout, tuples, workers)
			return hostValidator{validator}, err
		},
		Paths: &PathsBackend{
			Kernel1:  paths,
			MaxScale: sssp.MaxScale,
			Memory:   hostPathsMemory,
		},
	}
}

// processors opens the meter of the host's processors.
func processors() ([]power.Meter, error) {
	meter, err := power.RAPL(power.Powercap)
	if err != nil {
		return nil, err
	}
	return []power.Meter{meter}, nil
}

// hostValidator validates results in host memory.
type hostValidator struct{ *validate.Validator }

func (v hostValidator) Tree(root graph.Global, tree bfs.Tree) (validate.Verdict, error) {
	parents, err := tree.Parents()
	if err != nil {
		return validate.Verdict{}, err
	}
	return v.Validator.Tree(root, parents)
}

func (v hostValidator) Paths(root graph.Global, paths sssp.Paths) (validate.Verdict, error) {
	parents, distances, err := paths.Host()
	if err != nil {
		return validate.Verdict{}, err
	}
	return v.Validator.Paths(root, parents, distances)
}
