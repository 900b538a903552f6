//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
	"g500/partition"
	"g500/sssp"
)

// Name is the engine's name.
const Name = "gpu"

// Options are how ranks reach each other, and how searches choose, as the configuration has it (bench.Config).
type Options struct {
	Exchange   string // auto, bitmap or bins
	Carrier    string // a key of choices
	Tuples     string // auto, device or host
	ResultBits int    // of a parent in a result: 32 or 64 (ADR 8)
	Policy     bfs.Policy
}

// exchanges are the values of Options.Exchange.
var exchanges = map[string]cuda.Exchange{
	"auto":   cuda.ExchangeAuto,
	"bitmap": cuda.ExchangeBitmap,
	"bins":   cuda.ExchangeBins,
}

// Kit opens the GPU of this rank, joins it with those of the others, and makes the parts of a run that work on them. It
// is collective. The kit belongs to the calling goroutine, which stays on one thread until the kit is closed.
func Kit(t comm.Transport, o Options) (bench.Kit, error) {
	exchange, known := exchanges[o.Exchange]
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
	rank, _ := comm.Place(t)
	device, err := cuda.Open(rank)
	var busID string
	if err == nil {
		busID, err = device.BusID()
	}
	if err := comm.Agree(t, err); err != nil {
		return bench.Kit{}, closed(err, device)
	}
	joined, err := newTransport(t, device, o.Carrier)
	if err != nil {
		return bench.Kit{}, closed(err, device)
	}
	var room bench.Room
	var together bool
	if err = tryConcurrency(joined); err == nil {
		room, err = roomOn(joined)
	}
	if err == nil {
		together, err = pushTogether(joined)
	}
	if err != nil {
		return bench.Kit{}, errors.Join(err, joined.Close(), device.Close())
	}
	var judges []*judge // that the kit has made
	var staged int64    // of edge tuples in host memory
	return bench.Kit{
		Name:   Name,
		Device: strings.Join(describe(device, joined), "; "),
		Card:   fmt.Sprintf("GPU %d at %s", device.Number, busID),
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
		TimeKernels: func() { device.TimeKernels(true) },
		KernelTimes: func() []bench.KernelTime { return kernelTimes(device) },
		Close: func() error {
			return errors.Join(closeAll(judges), joined.Barrier(), joined.Close(), device.Close())
		},
		Generate: func(
			ctx context.Context, p kronecker.Params, first, count int64, advance func(int64),
		) (graph.Tuples, error) {
			t, err := reserve(device, count, staged)
			if err != nil {
				return nil, err
			}
			return t, t.generate(ctx, p, first, advance)
		},
		Read: func(
			ctx context.Context, count int64, read bench.TupleReader, advance func(int64),
		) (graph.Tuples, error) {
			t, err := reserve(device, count, staged)
			if err != nil {
				return nil, err
			}
			return t, t.read(ctx, read, advance)
		},
		Kernel1: func(_ comm.Transport, given graph.Tuples) (bfs.Engine, error) {
			return newEngine(joined, given, engineOptions{
				exchange: exchange, policy: o.Policy, known: knownLabels, bits: o.ResultBits,
			})
		},
		Paths: &bench.PathsKit{
			MaxScale: MaxNarrowScale,
			Generate: func(
				ctx context.Context, p kronecker.Params, first, count int64, advance func(int64),
			) (graph.WeightedTuples, error) {
				t, err := reserveWeighted(device, count, staged)
				if err != nil {
					return nil, err
				}
				return t, t.generate(ctx, p, first, advance)
			},
			Read: func(
				ctx context.Context, count int64, read bench.WeightedTupleReader, advance func(int64),
			) (graph.WeightedTuples, error) {
				t, err := reserveWeighted(device, count, staged)
				if err != nil {
					return nil, err
				}
				return t, t.readWeighted(ctx, read, advance)
			},
			Kernel1: func(_ comm.Transport, given graph.WeightedTuples, prune sssp.Pruning) (sssp.Engine, error) {
				return newPathEngine(joined, given, pathOptions{o.Policy, prune})
			},
			Memory: func(plan bench.Plan, p kronecker.Params, ranks int, prune sssp.Pruning) bench.Plan {
				return pathsMemory(plan, p, ranks, prune, together)
			},
		},
		NewJudge: func(_ comm.Transport, layout partition.Layout, given graph.Tuples) (bench.Judge, error) {
			j, err := newJudge(joined, layout.Vertices(), given)
			if err != nil {
				return nil, err
			}
			judges = append(judges, j)
			return j, nil
		},
	}, nil
}

// describe says what a rank's device is, and what it has against the usual way of a search.
func describe(d *cuda.Device, t DeviceTransport) []string {
	parts := []string{fmt.Sprintf("%v, driver for %s", d.Card, cuda.Driver()), cuda.Built(), t.Carriers()}
	if against := d.Launching().String(); against != "" {
		parts = append(parts, against)
	}
	return parts
}

func closeAll(judges []*judge) error {
	var faults []error
	for _, j := range judges {
		faults = append(faults, j.Close())
	}
	return errors.Join(faults...)
}

// closed closes a device that may not have been opened.
func closed(err error, d *cuda.Device) error {
	if d == nil {
		return err
	}
	return errors.Join(err, d.Close())
}

// roomOn is this rank's share of the free memory of its GPU.
func roomOn(t DeviceTransport) (bench.Room, error) {
	shared, err := newSharing(t)
	if err != nil {
		return bench.Room{}, err
	}
	free, err := shared.free()
	if err != nil {
		return bench.Room{}, err
	}
	d := t.Device()
	room := bench.Room{Bytes: free, Holder: fmt.Sprintf("GPU %d (%s)", d.Number, d.Name), Sharers: shared.ranks}
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
