//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
	"g500/partition"
)

// Name is the engine's name.
const Name = "gpu"

// Options are how ranks reach each other, as the configuration names it (bench.SearchConfig, bench.MachineConfig).
type Options struct {
	Exchange string // auto, bitmap or bins
	Carrier  string // auto, peer or mpi
}

// Kit opens the GPU of this rank and makes the parts of a run that work on it. The kit belongs to the calling
// goroutine, which stays on one thread until the kit is closed.
func Kit(t comm.Transport, _ Options) (bench.Kit, error) {
	if t.Size() > 1 {
		return bench.Kit{}, fmt.Errorf("gpu: this version searches on one rank, and the job has %d: start one rank, or use --engine hybrid", t.Size())
	}
	rank, _ := t.Node()
	device, err := cuda.Open(rank)
	if err != nil {
		return bench.Kit{}, err
	}
	free, err := device.Free()
	if err != nil {
		return bench.Kit{}, errors.Join(err, device.Close())
	}
	return bench.Kit{
		Name:   Name,
		Device: fmt.Sprintf("%v, driver for %s; %s", device.Card, cuda.Driver(), cuda.Built()),
		Memory: Memory,
		Room: func() bench.Room {
			return bench.Room{Bytes: free, Holder: fmt.Sprintf("GPU %d (%s)", device.Number, device.Name)}
		},
		TimeKernels: func() { device.TimeKernels(true) },
		KernelTimes: func() []bench.KernelTime { return kernelTimes(device) },
		Close:       device.Close,
		Generate: func(ctx context.Context, p kronecker.Params, first, count int64, advance func(int64)) (graph.Tuples, error) {
			return generate(ctx, device, p, first, count, advance)
		},
		Place: func(edges graph.HostTuples) (graph.Tuples, error) { return onDevice(device, edges) },
		Kernel1: func(_ comm.Transport, given graph.Tuples) (bfs.Engine, error) {
			return newEngine(device, given)
		},
		NewJudge: func(t comm.Transport, layout partition.Layout, given graph.Tuples) (bench.Judge, error) {
			return newJudge(alone{t, device}, layout.Vertices(), given)
		},
	}, nil
}

func kernelTimes(d *cuda.Device) (times []bench.KernelTime) {
	for _, k := range d.KernelTimes() {
		times = append(times, bench.KernelTime{Name: k.Name, Launches: k.Launches, Seconds: time.Duration(k.Nanoseconds).Seconds()})
	}
	return times
}
