//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Lab is a graph in input order on a device, with the memory of the strategy that searches it.
type Lab struct {
	allocated
	c        *C.g500_lab
	vertices int64
}

// LabGraph is a graph as compressed sparse rows in host memory.
type LabGraph struct {
	Offsets   []int64 // vertices + 1
	Columns   []uint32
	Symmetric bool // the graph has every edge in both directions
}

// pinned calls body with the graph, whose memory does not move during the call.
func (g LabGraph) pinned(body func(graph *C.g500_lab_graph) error) error {
	if len(g.Offsets) < 2 || uint64(len(g.Offsets)) > 1<<32-1 {
		return errors.New("cuda: a graph of the laboratory has from 1 to 2^32-3 vertices: choose another one")
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(g.Offsets))
	graph := C.g500_lab_graph{
		vertices: C.uint32_t(len(g.Offsets) - 1), edges: C.uint64_t(len(g.Columns)),
		offsets: (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(g.Offsets))),
	}
	if len(g.Columns) > 0 {
		pin.Pin(unsafe.SliceData(g.Columns))
		graph.columns = (*C.uint32_t)(unsafe.SliceData(g.Columns))
	}
	if g.Symmetric {
		graph.symmetric = 1
	}
	return body(&graph)
}

// NewLab copies a graph to the device.
func (d *Device) NewLab(g LabGraph) (*Lab, error) {
	l := &Lab{vertices: int64(len(g.Offsets) - 1)}
	var err error
	l.allocated, err = d.allocate("graph of the laboratory", func() error {
		return g.pinned(func(graph *C.g500_lab_graph) error {
			return check("copying a graph to the device", C.g500_lab_create(graph, &l.c, d.onStream()))
		})
	}, func() { C.g500_lab_free(l.c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// LabStrategy is a choice of parts.
type LabStrategy struct{ c C.g500_lab_strategy }

// NewLabStrategy returns a strategy with default parts and numbers.
func NewLabStrategy() (s LabStrategy) {
	C.g500_lab_defaults(&s.c)
	return s
}

// Set sets a part or a number, by the keys of lab/strategies.toml.
func (s *LabStrategy) Set(key, value string) error {
	k, v := C.CString(key), C.CString(value)
	defer C.free(unsafe.Pointer(k))
	defer C.free(unsafe.Pointer(v))
	if C.g500_lab_set(&s.c, k, v) != 0 {
		return fmt.Errorf("cuda: strategies have no %s=%s: see the keys and their values in cuda/lab/strategy.cu", key, value)
	}
	return nil
}

// ErrUnfit is the error for a strategy whose parts exclude each other, or do not suit the graph.
var ErrUnfit = errors.New("its parts do not fit together, or it goes bottom-up or drops leaves, " +
	"and the graph is directed")

const invalidValue = 1 // cudaErrorInvalidValue

// Prepare allocates the memory for searches by a strategy, and frees the memory of the previous one.
func (l *Lab) Prepare(s LabStrategy) error {
	err := check("preparing a strategy", C.g500_lab_prepare(l.c, &s.c, l.device.onStream()))
	if hasCode(err, invalidValue) {
		return ErrUnfit
	}
	return l.device.withHoldings(err)
}

// LabMeasures has the counters of one search, as lab.Measures.
type LabMeasures struct {
	Full                                              bool
	Seconds                                           float64
	Levels                                            int
	Launches, Vertices, Edges, Repeated, Hits, Queues int64
}

// Run searches from a vertex, and waits until the search has ended.
func (l *Lab) Run(root uint32) (LabMeasures, error) {
	var t C.g500_lab_totals
	err := check("searching", C.g500_lab_run(l.c, C.uint32_t(root), &t, l.device.onStream()))
	return LabMeasures{
		Full: t.outcome == C.G500_LAB_QUEUE_FULL, Seconds: float64(t.nanoseconds) / 1e9, Levels: int(t.levels),
		Launches: int64(t.launches), Vertices: int64(t.vertices), Edges: int64(t.edges),
		Repeated: int64(t.repeated_vertices), Hits: int64(t.cache_hits), Queues: int64(t.queue_bytes),
	}, err
}

// LabLevel has the counters of one level of a search.
type LabLevel struct {
	BottomUp                               bool
	Vertices, Edges, Launches, Nanoseconds int64
}

// Levels returns the counters of the first levels of the last search, at most most of them.
func (l *Lab) Levels(most int) []LabLevel {
	if most <= 0 {
		return nil
	}
	counted := make([]C.g500_lab_level, most)
	counted = counted[:int(C.g500_lab_levels(l.c, &counted[0], C.int(most)))]
	levels := make([]LabLevel, len(counted))
	for i, t := range counted {
		levels[i] = LabLevel{t.bottom_up != 0, int64(t.vertices), int64(t.edges), int64(t.launches), int64(t.nanoseconds)}
	}
	return levels
}

// LabShare has the counters of one share of a graph on several GPUs, as lab.Share.
type LabShare struct {
	GPU                               int
	Vertices, Edges, Filtered, Pulled int64
}

// Shares returns the counters of the shares in the last search, nil if the graph has no shares.
func (l *Lab) Shares() (shares []LabShare) {
	var counted [C.G500_LAB_MOST_SHARES]C.g500_lab_share
	for _, t := range counted[:int(C.g500_lab_shares(l.c, &counted[0], C.G500_LAB_MOST_SHARES))] {
		shares = append(shares, LabShare{int(t.device), int64(t.vertices), int64(t.edges), int64(t.filtered),
			int64(t.pulled)})
	}
	return shares
}

// Distances and Parents return the result of the last search: a 32-bit word per vertex, ~0 if it was not reached. The
// one that is not the strategy's output is empty.
func (l *Lab) Distances() Memory { return l.words(C.g500_lab_distances(l.c)) }

// Parents is described with Distances.
func (l *Lab) Parents() Memory { return l.words(C.g500_lab_parents(l.c)) }

func (l *Lab) words(at *C.uint32_t) Memory {
	if at == nil {
		return Memory{}
	}
	return l.device.memory(unsafe.Pointer(at), wordBytes*l.vertices)
}
