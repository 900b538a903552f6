// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/partition"
)

// Validator has the edge tuples in a structure in which results are checked quickly. It is built once a run, outside
// the timed sections, and used by the goroutine of its rank.
type Validator struct {
	t       comm.Transport
	self    int
	ids     idMap
	workers int
	limit   limits

	owned  int // number of vertices
	order  order
	ghosts ghosts
	loops  []graph.Local // places of owned vertices with a self-loop, once for each such tuple

	// Rows of tuples between two owned vertices, in the row of the one with the higher place: near if the other place is
	// below limit.hubs, else far. Outer rows are of tuples between an owned vertex and a ghost.
	near       rows[uint16]
	far, outer rows[uint32]
	weighted   bool // rows have weights
	directed   bool // tuples are arcs, each in the row of its target only

	parent     []uint32 // by place: the slot of the vertex' parent, or the number of slots; last: the number of vertices
	climber    *climber // nil until a tree needs it
	levels     values[levelSet]
	deepLevels values[uint32] // levels too large for a set
	distances  values[float32]
}

// limits bound the messages and work of a rank at a time, whatever the size of the graph.
type limits struct {
	tuples   int // sent to their owners
	vertices int // that query their ancestors
	ghosts   int // whose levels are sent
	block    int // vertices or rows that a worker takes at a time
	hubs     int // vertices whose slots have 16 bits
}

// usual keeps the buffers of a rank near 100 MB, and a step long compared with the latency of a collective.
var usual = limits{tuples: 1 << 20, vertices: 1 << 20, ghosts: 1 << 20, block: 1 << 11, hubs: 1 << 16}

// New builds a Validator of the edge tuples, which may be distributed over the ranks arbitrarily. It is collective,
// reads the tuples only until it returns, and uses workers goroutines. Labels outside the layout are an error. Only a
// Validator of tuples with weights can check shortest paths.
func New(t comm.Transport, layout partition.Layout, tuples graph.Tuples, workers int) (*Validator, error) {
	own, err := tuples.Host(true)
	if err != nil {
		return nil, err
	}
	return newValidator(t, layout, own, workers, usual)
}

func newValidator(
	t comm.Transport, layout partition.Layout, own graph.HostTuples, workers int, limit limits,
) (*Validator, error) {
	if t.Size() != layout.Ranks() {
		return nil, fmt.Errorf("validate: the layout is for %d ranks, the job has %d", layout.Ranks(), t.Size())
	}
	ids := idMap{layout, layout.Vertices(), layout.Ranks() == 1}
	v := &Validator{t: t, self: t.Rank(), ids: ids, workers: max(workers, 1), limit: limit}
	d, err := v.distribute(own)
	if err != nil {
		return nil, err
	}
	v.weighted, v.directed = own.Weights != nil, own.Arcs
	v.loops, v.owned = d.loops, layout.Count(v.self)
	if v.ghosts, err = v.newGhosts(d); err != nil {
		return nil, err
	}
	v.sort(d)
	v.parent = hugepage.Make[uint32](v.owned + 1)
	v.parent[v.owned] = uint32(v.owned)
	return v, nil
}

// sort numbers the vertices and sorts the tuples into rows.
func (v *Validator) sort(d distributed) {
	inner, outer := d.runs(v.self, v.ghosts.first)
	v.order = newOrder(countTuples(v.workers, v.owned, inner, outer))
	near, far := v.order.renumber(v.workers, inner, v.limit.hubs, v.directed)
	v.order.renumberOwn(v.workers, outer)
	v.order.renumberList(v.loops)
	for _, exported := range v.ghosts.exported {
		v.order.renumberList(exported)
	}
	v.near = newRows[uint16](v.workers, v.order.connected, near)
	v.far = newRows[uint32](v.workers, v.order.connected, far)
	v.outer = newRows[uint32](v.workers, v.order.connected, outer)
}

// packedID is the packed global id of a vertex: the rank of its owner in the high 32 bits, its local id in the low
// ones. Following parents with packed ids takes no division.
type packedID uint64

// noVertex is not a vertex, because no job has that many ranks.
const noVertex = ^packedID(0)

func (p packedID) rank() int          { return int(p >> 32) }
func (p packedID) local() graph.Local { return graph.Local(p) }

// idMap converts labels to packed ids and back.
type idMap struct {
	layout   partition.Layout
	vertices graph.Global
	alone    bool // one rank: a label is the packed id, because Local is monotone and onto [0, N)
}

// valid reports whether v is a vertex.
func (m idMap) valid(v graph.Global) bool { return uint64(v) < uint64(m.vertices) }

func (m idMap) pack(v graph.Global) packedID {
	if m.alone {
		return packedID(v)
	}
	return packedID(m.layout.Owner(v))<<32 | packedID(m.layout.Local(v))
}

func (m idMap) label(p packedID) graph.Global { return m.layout.Global(p.rank(), p.local()) }

// Bytes that a rank needs, as doc.go lists them.
const (
	pairBytes     = 8
	slotBytes     = 4
	offsetBytes   = 8  // per vertex and kind of row: the begin of its row
	orderBytes    = 8  // per vertex: its place, and its local id at the place
	countBytes    = 4  // per vertex: the number of its tuples
	parentBytes   = 4  // per vertex: its parent's slot
	ancestorBytes = 16 // per vertex
	levelBytes    = 2  // per vertex or ghost
	ghostBytes    = 5  // per ghost: its local id, and at most half a byte of the index, rounded up
	exportedBytes = 4  // per owned vertex that is a ghost elsewhere
	recordBytes   = 4 * recordWords
)

// Memory returns an upper estimate of the bytes that a Validator takes on one rank at its peak, which is during New,
// without the tuples.
func Memory(s graph.Share) int64 {
	pairs, kinds, ghosts, messages := s.Tuples, int64(2), int64(0), int64(0)
	if s.Ranks > 1 {
		pairs, kinds = s.Ends, 3
		ghosts = min(s.Ends, s.Vertices*int64(s.Ranks-1))
		// Records of both ends, per worker, concatenated, and received; slices grow by 25%.
		messages = 4 * 2 * recordBytes * min(s.Tuples, int64(usual.tuples))
	}
	bins := pairs * pairBytes * 9 / 8
	lists := pairs*slotBytes + s.Vertices*(kinds*offsetBytes+orderBytes) + ghosts*(ghostBytes+exportedBytes)
	setUp := bins + lists + s.Vertices*(kinds*offsetBytes+countBytes)
	checking := lists + s.Vertices*(parentBytes+levelBytes+ancestorBytes) + ghosts*levelBytes +
		min(s.Vertices, int64(usual.vertices))*ancestorBytes
	return max(setUp, checking) + messages
}
