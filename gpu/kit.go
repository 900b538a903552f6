//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	gpusssp "g500/gpu/sssp"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
	"g500/sssp"
)

// Name is the engine's name.
const Name = "gpu"

// Options are how ranks reach each other, and how searches choose, as the configuration has it (record.Config).
type Options struct {
	Exchange   string // auto, bitmap or bins
	Carrier    string // a key of choices
	Tuples     string // auto, device or host
	ResultBits int    // of a parent in a result: 32 or 64 (ADR 8)
	Policy     bfs.Policy
}

// Kit opens the GPU of this rank, joins it with those of the others, and makes the parts of a run that work on them. It
// is collective. The kit belongs to the calling goroutine, which stays on one thread until the kit is closed.
func Kit(t comm.Transport, o Options) (bench.Kit, error) {
	exchange, known := gpubfs.Exchanges[o.Exchange]
	if !known {
		return bench.Kit{}, fmt.Errorf("gpu: there is no exchange %q: choose auto, bitmap or bins", o.Exchange)
	}
	if o.ResultBits != 32 && o.ResultBits != 64 {
		return bench.Kit{}, fmt.Errorf("gpu: a parent has 32 or 64 bits, not %d: choose 64, or 32 for comparison",
			o.ResultBits)
	}
	if !slices.Contains([]string{"auto", "device", "host"}, o.Tuples) {
		return bench.Kit{}, fmt.Errorf("gpu: there is no place %q for edge tuples: choose auto, device or host", o.Tuples)
	}
	if err := o.Policy.Check(); err != nil {
		return bench.Kit{}, fmt.Errorf("gpu: the policy's %w", err)
	}
	joined, err := device.Open(t, o.Carrier)
	if err != nil {
		return bench.Kit{}, err
	}
	d := joined.Device()
	busID, err := d.BusID()
	err = comm.Agree(t, err)
	var room bench.Room
	var together bool
	if err == nil {
		err = device.TryConcurrency(joined)
	}
	if err == nil {
		room, err = roomOn(joined)
	}
	if err == nil {
		together, err = device.AtomicPeers(joined)
	}
	if err != nil {
		return bench.Kit{}, errors.Join(err, joined.Close(), d.Close())
	}
	var judges []*gpuvalidate.Validator // that the kit has made
	var staged int64                    // of edge tuples in host memory
	return bench.Kit{
		Name:   Name,
		Device: describe(d, joined),
		Card:   fmt.Sprintf("GPU %d at %s", d.Number, busID),
		Memory: func(p kronecker.Params, ranks int, validated bool) []bench.Plan {
			return placesOf(o.Tuples, estimate(p, ranks, validated, o.ResultBits))
		},
		Use: func(plan bench.Plan) {
			if staged = 0; plan.InHost > 0 {
				staged = stagedTuples
			}
		},
		MaxScale:    maxScale(o.ResultBits),
		ResultBits:  o.ResultBits,
		Room:        func() bench.Room { return room },
		TimeKernels: func() { d.TimeKernels(true) },
		KernelTimes: func() []bench.KernelTime { return kernelTimes(d) },
		Close: func() error {
			return errors.Join(closeAll(judges), joined.Barrier(), joined.Close(), d.Close())
		},
		Generate: func(
			ctx context.Context, p kronecker.Params, first, count int64, advance func(int64),
		) (graph.Tuples, error) {
			t, err := kernel1.Reserve(d, count, staged)
			if err != nil {
				return nil, err
			}
			return t, t.Generate(ctx, p, first, advance)
		},
		Read: func(
			ctx context.Context, count int64, read bench.TupleReader, advance func(int64),
		) (graph.Tuples, error) {
			t, err := kernel1.Reserve(d, count, staged)
			if err != nil {
				return nil, err
			}
			return t, t.Read(ctx, read, advance)
		},
		Kernel1: func(_ comm.Transport, given graph.Tuples) (bfs.Engine, error) {
			searching := gpubfs.DefaultOptions()
			searching.Exchange, searching.Policy, searching.Bits = exchange, o.Policy, o.ResultBits
			return gpubfs.New(joined, given, searching)
		},
		Paths: &bench.PathsKit{
			MaxScale: MaxNarrowScale,
			Generate: func(
				ctx context.Context, p kronecker.Params, first, count int64, advance func(int64),
			) (graph.WeightedTuples, error) {
				t, err := kernel1.ReserveWeighted(d, count, staged)
				if err != nil {
					return nil, err
				}
				return t, t.Generate(ctx, p, first, advance)
			},
			Read: func(
				ctx context.Context, count int64, read bench.WeightedTupleReader, advance func(int64),
			) (graph.WeightedTuples, error) {
				t, err := kernel1.ReserveWeighted(d, count, staged)
				if err != nil {
					return nil, err
				}
				return t, t.ReadWeighted(ctx, read, advance)
			},
			Kernel1: func(_ comm.Transport, given graph.WeightedTuples, prune sssp.Pruning) (sssp.Engine, error) {
				return gpusssp.New(joined, given, gpusssp.Options{Policy: o.Policy, Prune: prune})
			},
			Memory: func(plan bench.Plan, p kronecker.Params, ranks int, prune sssp.Pruning) bench.Plan {
				return pathsMemory(plan, p, ranks, prune, together)
			},
		},
		NewJudge: func(_ comm.Transport, layout partition.Layout, given graph.Tuples) (bench.Judge, error) {
			j, err := gpuvalidate.New(joined, layout.Vertices(), given)
			if err != nil {
				return nil, err
			}
			judges = append(judges, j)
			return j, nil
		},
	}, nil
}

// describe returns a rank's device for the record.
func describe(d *cuda.Device, t device.Transport) *record.Device {
	return &record.Device{
		Number: d.Number, Name: d.Name, Processors: d.Processors, Capability: fmt.Sprintf("%d.%d", d.Major, d.Minor),
		Driver: cuda.Driver(), Built: cuda.Built(), Carriers: t.Carriers(), Launching: d.Launching().String(),
	}
}

func closeAll(judges []*gpuvalidate.Validator) error {
	var faults []error
	for _, j := range judges {
		faults = append(faults, j.Close())
	}
	return errors.Join(faults...)
}

// roomOn is this rank's share of the free memory of its GPU.
func roomOn(t device.Transport) (bench.Room, error) {
	shared, err := device.NewSharing(t)
	if err != nil {
		return bench.Room{}, err
	}
	free, err := shared.Free()
	if err != nil {
		return bench.Room{}, err
	}
	d := t.Device()
	room := bench.Room{Bytes: free, Holder: fmt.Sprintf("GPU %d (%s)", d.Number, d.Name), Sharers: shared.Ranks}
	return room, t.Barrier()
}

func kernelTimes(d *cuda.Device) (times []bench.KernelTime) {
	for _, k := range d.KernelTimes() {
		times = append(times, bench.KernelTime{
			Name: k.Name, Launches: k.Launches, Seconds: time.Duration(k.Nanoseconds).Seconds(),
		})
	}
	return times
}
