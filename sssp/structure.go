package sssp

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/partition"
)

// hub numbers the vertices with an edge that one rank owns, by falling degree, duplicates counted.
type hub uint32

// noHub stands for the hub id of a vertex without an edge.
const noHub hub = math.MaxUint32

// position is a vertex: its owner's rank times stride plus its hub id there.
type position uint32

// edge leads to a neighbour: the bits of its weight in the high half, the neighbour in the low one. Weights are not
// negative, so that edges rise with them.
type edge uint64

func edgeTo(to position, weight float32) edge {
	const sign = 1 << 31 // of a zero that has it
	return edge(math.Float32bits(weight)&^sign)<<32 | edge(to)
}

func (e edge) to() position    { return position(e) }
func (e edge) weight() float32 { return math.Float32frombits(uint32(e >> 32)) }

// structure is one rank's part of the weighted graph. It is not changed once it is built. Self-loops are left out, of
// edges between the same two vertices the lightest stays.
type structure struct {
	layout partition.Cyclic
	rank   int
	stride int // positions of each rank

	rows  []int64 // of hub h: edges rows[h] to rows[h+1]
	edges []edge  // by rising weight along a row

	localOf []graph.Local // hub id -> place in label order
	hubOf   []hub         // place in label order -> hub id, or noHub
	labels  []uint32      // of all ranks' vertices, by position
}

func (s *structure) hubs() int          { return len(s.localOf) }
func (s *structure) label(h hub) uint32 { return s.labels[s.first()+position(h)] }
func (s *structure) row(h hub) []edge   { return s.edges[s.rows[h]:s.rows[h+1]] }
func (s *structure) first() position    { return position(s.rank * s.stride) }

// owner is the rank that owns a vertex, and its hub id there.
func (s *structure) owner(p position) (rank int, h hub) {
	return int(p) / s.stride, hub(int(p) % s.stride)
}

// MaxScale is the largest scale of official graphs. Labels have 32 bits, since they are kept beside distances in 64.
const (
	MaxScale = 32
	maxLabel = 1<<MaxScale - 1
)

// pieceTuples is how many tuples a rank works on between two exchanges.
const pieceTuples = 1 << 18

// builder holds what the steps of build share.
type builder struct {
	t       comm.Transport
	s       *structure
	edges   []graph.Edge
	weights []float32
	workers int
}

// build makes the structure of tuples that lie spread over the ranks. It is collective. The number of vertices is
// found from the tuples: the highest label plus one.
func build(t comm.Transport, tuples graph.WeightedTuples, workers int) (*structure, error) {
	edges, err := tuples.Host()
	if err != nil {
		return nil, err
	}
	weights, err := tuples.HostWeights()
	if err != nil {
		return nil, err
	}
	b := &builder{t: t, edges: edges, weights: weights, workers: workers}
	if err := b.discover(); err != nil {
		return nil, err
	}
	degrees, err := b.degrees()
	if err != nil {
		return nil, fmt.Errorf("kernel 1: counting degrees: %w", err)
	}
	if err := b.number(degrees); err != nil {
		return nil, fmt.Errorf("kernel 1: numbering vertices: %w", err)
	}
	ends, err := b.fill(degrees)
	if err != nil {
		return nil, fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	b.sortRows(ends)
	return b.s, b.shareLabels()
}

func (b *builder) discover() error {
	highest := []int64{-1}
	for _, e := range b.edges {
		highest[0] = max(highest[0], int64(e.U()), int64(e.V()))
	}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	if highest[0] > maxLabel {
		return fmt.Errorf("kernel 1: label %d: shortest paths on CPUs have labels below 2^32: "+
			"choose scale %d or less", highest[0], MaxScale)
	}
	b.s = &structure{layout: partition.NewCyclic(graph.Global(highest[0]+1), b.t.Size()), rank: b.t.Rank()}
	return nil
}

// ends calls send for both ends of each tuple of a piece: own end, other end, weight.
func (b *builder) ends(first, last int, send func(own, other graph.Global, weight float32)) {
	for i, e := range b.edges[first:last] {
		if u, v := e.U(), e.V(); u != v {
			send(u, v, b.weights[first+i])
			send(v, u, b.weights[first+i])
		}
	}
}

// eachEnd calls take for both ends of each tuple, from all workers at once: on one rank, a label is its place.
func (b *builder) eachEnd(take func(own, other graph.Global, weight float32)) {
	par.For(b.workers, len(b.edges), 1<<14, func(_, lo, hi int) { b.ends(lo, hi, take) })
}

// pieces calls body for each piece of this rank's tuples; ranks with fewer pieces go on with empty ones until all are
// done, since body is collective.
func (b *builder) pieces(body func(first, last int) error) error {
	rounds := []int64{int64((len(b.edges) + pieceTuples - 1) / pieceTuples)}
	if err := b.t.AllReduce(rounds, comm.Max); err != nil {
		return err
	}
	for i := range int(rounds[0]) {
		first, last := min(i*pieceTuples, len(b.edges)), min((i+1)*pieceTuples, len(b.edges))
		if err := body(first, last); err != nil {
			return err
		}
	}
	return nil
}

// degrees counts, for every owned vertex in label order, the tuples that end at it, self-loops left out.
func (b *builder) degrees() ([]uint32, error) {
	degrees := make([]uint32, b.s.layout.Count(b.s.rank))
	if b.t.Size() == 1 {
		b.eachEnd(func(own, _ graph.Global, _ float32) { atomic.AddUint32(&degrees[own], 1) })
		return degrees, nil
	}
	send := make([][]uint32, b.t.Size())
	err := b.pieces(func(first, last int) error {
		for r := range send {
			send[r] = send[r][:0]
		}
		b.ends(first, last, func(own, _ graph.Global, _ float32) {
			r := b.s.layout.Owner(own)
			send[r] = append(send[r], uint32(b.s.layout.Local(own)))
		})
		got, err := comm.Exchange(b.t, send)
		for _, locals := range got {
			for _, l := range locals {
				degrees[l]++
			}
		}
		return err
	})
	return degrees, err
}

// number gives owned vertices with an edge their hub ids, and all ranks a common stride.
func (b *builder) number(degrees []uint32) error {
	s := b.s
	s.localOf = byDegree(degrees)
	s.hubOf = hugepage.Make[hub](len(degrees))
	for l := range s.hubOf {
		s.hubOf[l] = noHub
	}
	for h, l := range s.localOf {
		s.hubOf[l] = hub(h)
	}
	most := []int64{int64(len(s.localOf))}
	if err := b.t.AllReduce(most, comm.Max); err != nil {
		return err
	}
	s.stride = int(max(most[0], 1))
	if int64(s.stride)*int64(b.t.Size()) > math.MaxUint32 {
		return fmt.Errorf("%d vertices with an edge on each of %d ranks need more than 32-bit positions: "+
			"choose scale %d or less", s.stride, b.t.Size(), MaxScale)
	}
	return nil
}

// byDegree lists the vertices with an edge by falling degree, and in label order where degrees are equal.
func byDegree(degrees []uint32) []graph.Local {
	var few [1 << 16]int // so many have each degree, then: the place of the next of them
	var many []graph.Local
	for l, d := range degrees {
		if int(d) < len(few) {
			few[d]++
		} else {
			many = append(many, graph.Local(l))
		}
	}
	slices.SortStableFunc(many, func(x, y graph.Local) int { return cmp.Compare(degrees[y], degrees[x]) })
	at := len(many)
	for d := len(few) - 1; d > 0; d-- {
		few[d], at = at, at+few[d]
	}
	order := append(make([]graph.Local, 0, at), many...)[:at]
	for l, d := range degrees {
		if 0 < d && int(d) < len(few) {
			order[few[d]] = graph.Local(l)
			few[d]++
		}
	}
	return order
}

// recordWords is the length of an end on its way: local of the row's vertex, hub id and rank of the other, weight.
const recordWords = 4

// fill puts every tuple's ends into each other's rows. It returns the end of each row, by hub id.
func (b *builder) fill(degrees []uint32) ([]int64, error) {
	s := b.s
	s.rows = hugepage.Make[int64](s.hubs() + 1)
	for h, l := range s.localOf {
		s.rows[h+1] = s.rows[h] + int64(degrees[l])
	}
	s.edges = hugepage.Make[edge](int(s.rows[s.hubs()]))
	next := slices.Clone(s.rows[:s.hubs()])
	if b.t.Size() == 1 {
		par.For(b.workers, len(b.edges), 1<<14, func(_, lo, hi int) {
			rows := scatter{edges: s.edges, next: next}
			b.ends(lo, hi, func(own, other graph.Global, weight float32) {
				rows.add(s.hubOf[own], edgeTo(position(s.hubOf[other]), weight))
			})
			rows.flush()
		})
		return next, nil
	}
	ask, records := make([][]uint32, b.t.Size()), make([][]uint32, b.t.Size())
	err := b.pieces(func(first, last int) error {
		for r := range ask {
			ask[r], records[r] = ask[r][:0], records[r][:0]
		}
		b.ends(first, last, func(_, other graph.Global, _ float32) {
			r := s.layout.Owner(other)
			ask[r] = append(ask[r], uint32(s.layout.Local(other)))
		})
		answers, err := b.lookUp(ask)
		if err != nil {
			return err
		}
		at := make([]int, len(answers))
		b.ends(first, last, func(own, other graph.Global, weight float32) {
			r, q := s.layout.Owner(own), s.layout.Owner(other)
			records[r] = append(records[r], uint32(s.layout.Local(own)), answers[q][at[q]], uint32(q), math.Float32bits(weight))
			at[q]++
		})
		got, err := comm.Exchange(b.t, records)
		for _, list := range got {
			b.insert(list, next)
		}
		return err
	})
	return next, err
}

// lookUp asks the owners of vertices for their hub ids, which come back in the places of the questions.
func (b *builder) lookUp(ask [][]uint32) ([][]uint32, error) {
	asked, err := comm.Exchange(b.t, ask)
	if err != nil {
		return nil, err
	}
	answers := make([][]uint32, len(asked))
	for r, locals := range asked {
		answers[r] = make([]uint32, len(locals))
		for i, l := range locals {
			answers[r][i] = uint32(b.s.hubOf[l])
		}
	}
	got, err := comm.Exchange(b.t, answers)
	if err != nil {
		return nil, err
	}
	own := make([][]uint32, len(got)) // got belongs to the transport
	for r := range got {
		own[r] = slices.Clone(got[r])
	}
	return own, nil
}

func (b *builder) insert(records []uint32, next []int64) {
	s := b.s
	par.For(b.workers, len(records)/recordWords, 1<<14, func(_, lo, hi int) {
		rows := scatter{edges: s.edges, next: next}
		for i := lo; i < hi; i++ {
			r := records[i*recordWords : (i+1)*recordWords]
			to := position(int(r[2])*s.stride + int(r[1]))
			rows.add(s.hubOf[r[0]], edgeTo(to, math.Float32frombits(r[3])))
		}
		rows.flush()
	})
}

// shorten cuts rows down to their first edges, so many of each, and closes the gaps between them.
func (s *structure) shorten(lengths []int64) {
	at := int64(0)
	for h, n := range lengths {
		copy(s.edges[at:at+n], s.edges[s.rows[h]:])
		s.rows[h] = at
		at += n
	}
	s.rows[s.hubs()] = at
	s.edges = s.edges[:at]
}

// shareLabels tells all ranks the labels of all vertices with an edge.
func (b *builder) shareLabels() error {
	s := b.s
	s.labels = hugepage.Make[uint32](s.stride * b.t.Size())
	send := make([][]uint32, b.t.Size())
	own := make([]uint32, s.hubs())
	for h, l := range s.localOf {
		own[h] = uint32(s.layout.Global(s.rank, l))
	}
	for r := range send {
		send[r] = own
	}
	got, err := comm.Exchange(b.t, send)
	for r := range got {
		copy(s.labels[r*s.stride:], got[r])
	}
	return err
}
