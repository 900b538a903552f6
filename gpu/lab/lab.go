//go:build cuda && cgo

package lab

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/gpu"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/kronecker"
	"g500/lab"
)

// laboratory searches with the strategies of papers on one GPU.
type laboratory struct {
	device  *cuda.Device
	joined  device.Transport // of one rank; nil if another machine closes the device
	engines *lab.Engines     // the machine of this project's engine, on the same GPU
	paged   *cuda.Pages      // if not nil, searches use this graph in its pages
	graph   *lab.Graph
	lab     *cuda.Lab
}

// NewLab returns two machines on the first GPU: one for the strategies of papers, which closes both, and one for the
// engine of this project, which the clock times.
func NewLab(t comm.Transport, clock func() time.Duration) ([]lab.Machine, error) {
	joined, err := device.Open(t, device.AutoTransport)
	if err != nil {
		return nil, err
	}
	d := joined.Device()
	l := &laboratory{device: d, joined: joined}
	l.engines = lab.NewEngines(d.String(), t, map[string]bfs.New{gpu.Name: l.kernel1}, clock)
	return []lab.Machine{l, l.engines}, nil
}

// kernel1 constructs the engine of this project, in addition to the graph of the strategies.
func (l *laboratory) kernel1(_ comm.Transport, given graph.Tuples) (bfs.Engine, error) {
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	p := kronecker.Params{Scale: bits.Len(uint(l.graph.Vertices() - 1))} // as large as the graph
	p.EdgeFactor = int64(len(edges)>>p.Scale + 1)
	free, err := l.device.Free()
	if err != nil {
		return nil, err
	}
	plan := gpu.Memory(p, 1, false)[0]
	if given.Directed() {
		plan = gpu.DirectedMemory(plan, p, 1, false, true)
	}
	if p.Scale > gpu.MaxScale32 || plan.Total() > free {
		return nil, fmt.Errorf("%w: the GPU lacks memory for its structure", lab.ErrLeftOut)
	}
	tuples, err := kernel1.OnDevice(l.device, given)
	if err != nil {
		return nil, err
	}
	e, err := gpubfs.New(l.joined, tuples, gpubfs.DefaultOptions())
	if err = errors.Join(err, tuples.Free()); err != nil {
		return nil, err
	}
	return e, nil
}

// Name returns the name of the GPU.
func (l *laboratory) Name() string { return l.device.String() }

// Load copies a graph to the device.
func (l *laboratory) Load(g *lab.Graph) (err error) {
	if err := l.free(); err != nil {
		return err
	}
	l.graph = g
	if l.paged != nil {
		l.lab, err = l.paged.NewLabOnPages()
		return err
	}
	l.lab, err = l.device.NewLab(cuda.LabGraph{Offsets: g.Offsets, Columns: g.Columns, Symmetric: g.Symmetric})
	return err
}

// free frees the graph.
func (l *laboratory) free() error {
	err := l.engines.Close()
	if l.lab != nil {
		err = errors.Join(err, l.lab.Free())
	}
	l.lab = nil
	return err
}

// Prepare allocates memory for a strategy.
func (l *laboratory) Prepare(s lab.Strategy) error {
	if s.Of("engine") != "" {
		return lab.ErrElsewhere
	}
	if err := l.engines.Close(); err != nil {
		return err
	}
	parts := cuda.NewLabStrategy()
	for _, setting := range s.Settings {
		if err := parts.Set(setting.Key, setting.Value); err != nil {
			return err
		}
	}
	err := l.lab.Prepare(parts)
	var fault *cuda.Error
	switch {
	case errors.Is(err, cuda.ErrUnfit):
		return fmt.Errorf("%w: %w", lab.ErrLeftOut, err)
	case errors.As(err, &fault) && fault.Code == cuda.OutOfMemory:
		return fmt.Errorf("%w: the GPU lacks memory for its queues", lab.ErrLeftOut)
	}
	return err
}

// Search searches from a vertex.
func (l *laboratory) Search(source uint32) (lab.Measures, error) {
	m, err := l.lab.Run(source)
	measures := lab.Measures{Full: m.Full, Seconds: m.Seconds, Counts: &lab.Counts{Launches: m.Launches,
		Vertices: m.Vertices, Inspected: m.Edges, Repeated: m.Repeated, CacheHits: m.Hits, Queues: m.Queues}}
	for _, v := range l.lab.Levels(m.Levels) {
		measures.ByLevel = append(measures.ByLevel, lab.Level{BottomUp: v.BottomUp, Vertices: v.Vertices, Edges: v.Edges,
			Launches: v.Launches, Seconds: float64(v.Nanoseconds) / 1e9})
	}
	for _, s := range l.lab.Shares() {
		measures.Shares = append(measures.Shares, lab.Share(s))
	}
	return measures, err
}

// Result copies the result of the last search to the host.
func (l *laboratory) Result() (r lab.Result, err error) {
	words := make([]uint32, l.graph.Vertices())
	from := l.lab.Distances()
	if from.Bytes() == 0 {
		from = l.lab.Parents()
		r.Parents = words
	} else {
		r.Distances = words
	}
	return r, cuda.Read(words, from, 0)
}

// Close frees all memory and the GPU.
func (l *laboratory) Close() error {
	if l.joined == nil {
		return l.free()
	}
	return errors.Join(l.free(), l.joined.Close(), l.device.Close())
}
