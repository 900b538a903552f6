// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

// #cgo CFLAGS: -I${SRCDIR}/../../cuda
// #cgo LDFLAGS: -L${SRCDIR}/../../build -lg500lab -lg500cuda -lcudadevrt -lcudart_static
// #cgo LDFLAGS: -lstdc++ -lm -lrt -lpthread -ldl
// #include <stdlib.h>
// #include "lab/lab.h"
import "C"

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
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

// laboratory searches with the strategies of papers on one GPU.
type laboratory struct {
	device  *cuda.Device
	joined  device.Transport // of one rank
	engines *lab.Engines     // the machine of this project's engine, on the same GPU
	graph   *lab.Graph
	c       *C.g500_lab    // nil without a graph
	memory  cuda.Allocated // of c
	words   []uint32       // of the last result
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
	l.engines = lab.NewEngines(d.String(), t, map[string]bfs.New{settings.GPU: l.kernel1}, clock)
	return []lab.Machine{l, l.engines}, nil
}

// kernel1 constructs the engine of this project, in addition to the graph of the strategies.
func (l *laboratory) kernel1(_ comm.Transport, given graph.Tuples) (engine.Engine, error) {
	host, err := given.Host(false)
	free, unknown := l.device.Free()
	if err = errors.Join(err, unknown); err != nil {
		return nil, err
	}
	p := kronecker.Params{Scale: bits.Len(uint(l.graph.Vertices() - 1))} // as large as the graph
	p.EdgeFactor = int64(len(host.Edges)>>p.Scale + 1)
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

// Load copies a graph to the device. Its memory does not move meanwhile.
func (l *laboratory) Load(g *lab.Graph) (err error) {
	if err := l.free(); err != nil {
		return err
	}
	if len(g.Offsets) < 2 || uint64(len(g.Offsets)) > 1<<32-1 {
		return errors.New("cuda: a graph of the laboratory has from 1 to 2^32-3 vertices: choose another one")
	}
	l.graph = g
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(g.Offsets))
	graph := C.g500_lab_graph{
		vertices: C.uint32_t(g.Vertices()), edges: C.uint64_t(len(g.Columns)),
		offsets: (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(g.Offsets))),
	}
	if len(g.Columns) > 0 {
		pin.Pin(unsafe.SliceData(g.Columns))
		graph.columns = (*C.uint32_t)(unsafe.SliceData(g.Columns))
	}
	if g.Symmetric {
		graph.symmetric = 1
	}
	l.memory, err = l.device.Allocate("graph of the laboratory", func() error {
		return cuda.Check("copying a graph to the device", int(C.g500_lab_create(&graph, &l.c, l.device.Stream())))
	}, func() { C.g500_lab_free(l.c) })
	return err
}

// free frees the graph, and the engine's.
func (l *laboratory) free() error {
	err := l.engines.Close()
	if l.c != nil {
		err = errors.Join(err, l.memory.Free())
		l.c = nil
	}
	return err
}

// check returns the error of a call with this code, nil for 0.
func (l *laboratory) check(call string, code C.int) error {
	return l.device.Explain(cuda.Check(call, int(code)))
}

// Prepare allocates memory for a strategy.
func (l *laboratory) Prepare(s lab.Strategy) error {
	if s.Of("engine") != "" {
		return lab.ErrElsewhere
	}
	if err := l.engines.Close(); err != nil {
		return err
	}
	var parts C.g500_lab_strategy
	C.g500_lab_defaults(&parts)
	for _, setting := range s.Settings {
		key, value := C.CString(setting.Key), C.CString(setting.Value)
		code := C.g500_lab_set(&parts, key, value)
		C.free(unsafe.Pointer(key))
		C.free(unsafe.Pointer(value))
		if code != 0 {
			return fmt.Errorf("cuda: strategies have no %s=%s: see the keys and their values in lab/keys.toml", setting.Key,
				setting.Value)
		}
	}
	code := C.g500_lab_prepare(l.c, &parts, l.device.Stream())
	if reason := lab.Reasons[int(code)]; reason != nil {
		return reason
	}
	return l.check("preparing a strategy", code)
}

// Search searches from a vertex.
func (l *laboratory) Search(source uint32) (m lab.Measures, err error) {
	var t C.g500_lab_totals
	err = l.check("searching", C.g500_lab_run(l.c, C.uint32_t(source), &t, l.device.Stream()))
	m = lab.Measures{Full: t.outcome == C.G500_LAB_QUEUE_FULL, Seconds: float64(t.nanoseconds) / 1e9,
		Counts: &lab.Counts{Launches: int64(t.launches), Vertices: int64(t.vertices), Inspected: int64(t.edges),
			Repeated: int64(t.repeated_vertices), CacheHits: int64(t.cache_hits), Children: int64(t.children),
			Queues: int64(t.queue_bytes)}}
	levels := make([]C.g500_lab_level, max(1, t.levels))
	for _, v := range levels[:C.g500_lab_levels(l.c, &levels[0], C.int(t.levels))] {
		m.ByLevel = append(m.ByLevel, lab.Level{BottomUp: v.bottom_up != 0, Vertices: int64(v.vertices),
			Edges: int64(v.edges), Launches: int64(v.launches), Seconds: float64(v.nanoseconds) / 1e9})
	}
	var shares [C.G500_LAB_MOST_GPUS]C.g500_lab_share
	for _, s := range shares[:C.g500_lab_shares(l.c, &shares[0], C.G500_LAB_MOST_GPUS)] {
		m.Shares = append(m.Shares, lab.Share{GPU: int(s.device), Vertices: int64(s.vertices), Edges: int64(s.edges),
			Filtered: int64(s.filtered), Pulled: int64(s.pulled)})
	}
	return m, err
}

// Result copies the result of the last search to the host.
func (l *laboratory) Result() (r lab.Result, err error) {
	l.words = slices.Grow(l.words[:0], l.graph.Vertices())[:l.graph.Vertices()]
	from := C.g500_lab_distances(l.c)
	if r.Distances = l.words; from == nil {
		from = C.g500_lab_parents(l.c)
		r = lab.Result{Parents: l.words}
	}
	return r, cuda.Read(l.words, l.device.At(unsafe.Pointer(from), 4*int64(len(l.words))), 0)
}

// Close frees all memory and the GPU.
func (l *laboratory) Close() error {
	return errors.Join(l.free(), l.joined.Close(), l.device.Close())
}
