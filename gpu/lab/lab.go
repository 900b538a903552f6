// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

// Package lab has the machine of the laboratory with the engine of this project on a GPU. Strategies of papers search
// in a child process (lab.Child).
package lab

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/gpu"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/graph/engine"
	"g500/kronecker"
	"g500/lab"
	"g500/settings"
)

// machine searches with the engine of this project on one GPU.
type machine struct {
	*lab.Engines
	joined device.Transport // of one rank
}

// NewEngine returns a machine for the engine of this project on the first GPU, which the clock times.
func NewEngine(t comm.Transport, clock func() time.Duration) (lab.Machine, error) {
	joined, err := device.Open(t, device.AutoTransport)
	if err != nil {
		return nil, err
	}
	e := &machine{joined: joined}
	e.Engines = lab.NewEngines(joined.Device().String(), t, map[string]bfs.New{settings.GPU: e.kernel1}, clock)
	return e, nil
}

// kernel1 constructs the structure of the graph, in addition to the graph of the child process.
func (e *machine) kernel1(_ comm.Transport, given graph.Tuples) (engine.Engine, error) {
	d := e.joined.Device()
	host, err := given.Host(false)
	free, unknown := d.Free()
	if err = errors.Join(err, unknown); err != nil {
		return nil, err
	}
	p := kronecker.Params{Scale: bits.Len(uint(e.Graph.Vertices() - 1))} // as large as the graph
	p.EdgeFactor = int64(len(host.Edges)>>p.Scale + 1)
	plan := gpu.Memory(bench.Work{Params: p, Ranks: 1, Directed: given.Directed()})[0]
	if p.Scale > gpu.MaxScale32 || plan.Total() > free {
		return nil, fmt.Errorf("%w: the GPU lacks memory for its structure", lab.ErrLeftOut)
	}
	tuples, err := kernel1.OnDevice(d, given)
	if err != nil {
		return nil, err
	}
	made, err := gpubfs.New(e.joined, tuples, gpubfs.DefaultOptions())
	if err = errors.Join(err, tuples.Free()); err != nil {
		return nil, err
	}
	return made, nil
}

// Close frees all memory and the GPU.
func (e *machine) Close() error {
	return errors.Join(e.Engines.Close(), e.joined.Close(), e.joined.Device().Close())
}
