package csr

import (
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/partition"
)

// Build makes the structure of the tuples that lie spread over the ranks, with workers goroutines on each. It is
// collective. The number of vertices is found from the tuples: the highest label plus one.
//
// The tuples are read twice, in pieces: once to count degrees, which give every vertex its hub id; once to fill
// the rows. Then the rows are sorted, and lose their duplicates, in place.
func Build(t comm.Transport, edges []graph.Edge, workers int) (*Graph, error) {
	layout, err := discover(t, edges, workers)
	if err != nil {
		return nil, err
	}
	b := &builder{t: t, edges: edges, workers: workers, post: newPost(layout, workers)}
	b.paper = make([]uint32, 2*min(pieceTuples, len(edges)))
	b.g = &Graph{Layout: layout, Rank: t.Rank()}
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
	if err := b.firstColumns(); err != nil {
		return nil, fmt.Errorf("kernel 1: first neighbours: %w", err)
	}
	return b.g, nil
}

// How the time of kernel 1 goes to its steps, roughly, in quarters. The last one is for sorting.
const (
	degreesParts = 1
	rowsParts    = 2
	allParts     = 4
)

// builder holds what the steps of Build share.
type builder struct {
	t       comm.Transport
	edges   []graph.Edge
	workers int
	post    *post
	paper   []uint32 // a word for each end of a piece's tuples
	g       *Graph
	done    int64 // of allParts
}

// discover finds the number of vertices and lays them out over the ranks.
func discover(t comm.Transport, edges []graph.Edge, workers int) (partition.Cyclic, error) {
	highest := make([]int64, workers)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(len(edges), w, workers)
		top := graph.NoParent
		for _, e := range edges[lo:hi] {
			top = max(top, e.U(), e.V())
		}
		highest[w] = int64(top)
	})
	for _, h := range highest[1:] {
		highest[0] = max(highest[0], h)
	}
	if err := t.AllReduce(highest[:1], comm.Max); err != nil {
		return partition.Cyclic{}, err
	}
	n := graph.Global(highest[0] + 1)
	if n > graph.Global(t.Size())*graph.MaxLocals {
		return partition.Cyclic{}, fmt.Errorf("kernel 1: label %d needs at least %d ranks: "+
			"one rank owns at most 2^32-1 vertices", n-1, (n+graph.MaxLocals-1)/graph.MaxLocals)
	}
	return partition.NewCyclic(n, t.Size()), nil
}

// degrees counts, for every owned vertex in label order, the tuples that end at it, self-loops left out.
func (b *builder) degrees() ([]uint32, error) {
	degrees := make([]uint32, b.post.layout.Count(b.t.Rank()))
	err := b.pieces(degreesParts, func(piece []graph.Edge) error {
		b.post.load(piece)
		bins := b.post.bins(b.paper)
		b.post.ends(func(u, v end) {
			bins[u.rank][u.slot] = uint32(u.local)
			bins[v.rank][v.slot] = uint32(v.local)
		})
		got, err := comm.Exchange(b.t, bins)
		if err != nil {
			return err
		}
		for _, locals := range got {
			par.For(b.workers, len(locals), 1<<14, func(_, lo, hi int) {
				for _, l := range locals[lo:hi] {
					atomic.AddUint32(&degrees[l], 1)
				}
			})
		}
		return nil
	})
	return degrees, err
}

// MaxScale is the largest scale of official graphs whose vertices with an edge, about 4.2 billion, have positions of 32
// bits.
const MaxScale = 33

// number gives owned vertices with an edge their hub ids, and all ranks a common cut and stride.
func (b *builder) number(degrees []uint32) error {
	g := b.g
	g.HubOf, g.LocalOf = hubOrder(degrees)
	leaves := sort.Search(len(g.LocalOf), func(h int) bool { return degrees[g.LocalOf[h]] < 2 })
	highest := []int64{int64(leaves), int64(len(g.LocalOf))}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	core, hubs := highest[0], highest[1]
	stride := max((core+WordBits-1)/WordBits, 1) * WordBits
	if (stride+hubs-core)*int64(b.t.Size()) >= math.MaxUint32 {
		return fmt.Errorf("%d vertices with an edge on each of %d ranks need more than 32-bit positions; "+
			"the largest graph has about 4.2 billion vertices with an edge (scale %d)", hubs, b.t.Size(), MaxScale)
	}
	g.Core, g.Stride, g.tail = int(core), int(stride), int(hubs-core)
	return nil
}

// fill sets the rows up from the degrees and puts every tuple's ends into each other's rows. Rows hold sort keys
// here: hub id times number of ranks plus rank. It returns the end of each row, by hub id.
func (b *builder) fill(degrees []uint32) ([]int64, error) {
	g := b.g
	g.Rows = rowOffsets(g.LocalOf, degrees)
	g.Cols = hugepage.Make[Pos](int(g.Rows[len(g.LocalOf)]))
	next := make([]int64, len(g.LocalOf)) // by hub id: where the next neighbour goes
	copy(next, g.Rows)
	told := make([]uint32, len(b.paper))
	var answers answerBook
	err := b.pieces(rowsParts, func(piece []graph.Edge) error {
		b.post.load(piece)
		hubs, err := b.lookUp(&answers)
		if err != nil {
			return err
		}
		keys := b.post.bins(told)
		ranks := uint32(b.t.Size())
		b.post.ends(func(u, v end) {
			keys[u.rank][u.slot] = hubs[v.rank][v.slot]*ranks + uint32(v.rank)
			keys[v.rank][v.slot] = hubs[u.rank][u.slot]*ranks + uint32(u.rank)
		})
		got, err := comm.Exchange(b.t, keys)
		if err != nil {
			return err
		}
		b.insert(answers.bins, got, next)
		return nil
	})
	return next, err
}

// answerBook keeps the hub ids that this rank told the others, one bin a rank, for the neighbours that follow.
type answerBook struct {
	buf  []uint32
	bins [][]uint32
}

// lookUp asks the owners of the piece's ends for their hub ids. The answers come back in the slots of the
// questions; what this rank answered stays in answers.
func (b *builder) lookUp(answers *answerBook) ([][]uint32, error) {
	questions := b.post.bins(b.paper)
	b.post.ends(func(u, v end) {
		questions[u.rank][u.slot] = uint32(u.local)
		questions[v.rank][v.slot] = uint32(v.local)
	})
	asked, err := comm.Exchange(b.t, questions)
	if err != nil {
		return nil, err
	}
	answers.take(asked, b.g.HubOf, b.workers)
	return comm.Exchange(b.t, answers.bins)
}

// take answers every question, a place in label order, with the hub id of that vertex.
func (a *answerBook) take(asked [][]uint32, hubOf []Hub, workers int) {
	total := 0
	for _, locals := range asked {
		total += len(locals)
	}
	if total > len(a.buf) {
		a.buf = make([]uint32, total)
	}
	a.bins = a.bins[:0]
	rest := a.buf
	for _, locals := range asked {
		bin := rest[:len(locals)]
		rest = rest[len(locals):]
		par.For(workers, len(locals), 1<<14, func(_, lo, hi int) {
			for i, l := range locals[lo:hi] {
				bin[lo+i] = uint32(hubOf[l])
			}
		})
		a.bins = append(a.bins, bin)
	}
}

// insert puts keys[r][i] into the row of hubs[r][i].
func (b *builder) insert(hubs, keys [][]uint32, next []int64) {
	for r := range keys {
		bin := hubs[r]
		par.For(b.workers, len(bin), 1<<14, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				b.g.Cols[atomic.AddInt64(&next[bin[i]], 1)-1] = Pos(keys[r][i])
			}
		})
	}
}
