//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"

	"g500/cuda"
	"g500/lab"
)

// laboratory searches by the strategies of the papers on one GPU.
type laboratory struct {
	device *cuda.Device
	graph  *lab.Graph
	lab    *cuda.Lab
	levels int // of the last search
}

// NewLab takes the first GPU.
func NewLab() (lab.Machine, error) {
	d, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	return &laboratory{device: d}, nil
}

// Name is the card's.
func (l *laboratory) Name() string { return l.device.String() }

// Load copies a graph to the device.
func (l *laboratory) Load(g *lab.Graph) (err error) {
	if err := l.free(); err != nil {
		return err
	}
	l.graph = g
	l.lab, err = l.device.NewLab(cuda.LabGraph{Offsets: g.Offsets, Columns: g.Columns, Symmetric: g.Symmetric})
	return err
}

func (l *laboratory) free() error {
	if l.lab == nil {
		return nil
	}
	old := l.lab
	l.lab = nil
	return old.Free()
}

// Prepare makes ready for a strategy.
func (l *laboratory) Prepare(s lab.Strategy) error {
	if s.Of("engine") != "" {
		return fmt.Errorf("%w: it is for CPUs", lab.ErrLeftOut)
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
		return fmt.Errorf("%w: the GPU has no room for its queues", lab.ErrLeftOut)
	}
	return err
}

// Search searches from a vertex.
func (l *laboratory) Search(source uint32) (lab.Measures, error) {
	t, err := l.lab.Run(source)
	l.levels = t.Levels
	return lab.Measures{
		Full: t.Full, Seconds: float64(t.Nanoseconds) / 1e9, Levels: t.Levels, Launches: t.Launches,
		Vertices: t.Vertices, Edges: t.Edges, Repeated: t.Repeated, Hits: t.CacheHits, Queues: t.QueueBytes,
	}, err
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

// Levels tells what each level of the last search did.
func (l *laboratory) Levels() (levels []lab.Level) {
	for _, v := range l.lab.Levels(l.levels) {
		levels = append(levels, lab.Level{BottomUp: v.BottomUp, Vertices: v.Vertices, Edges: v.Edges,
			Launches: v.Launches, Seconds: float64(v.Nanoseconds) / 1e9})
	}
	return levels
}

// Close gives the GPU back.
func (l *laboratory) Close() error { return errors.Join(l.free(), l.device.Close()) }
