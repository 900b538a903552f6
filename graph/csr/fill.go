package csr

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// filler is the state of the second half of kernel 1, with positions of type P.
type filler[P Pos] struct {
	*Builder
	g *Graph[P]
}

// Finish is the second half of kernel 1: it reads the tuples again to fill the rows, sorts them and removes duplicates,
// in place. It is collective, and called once on a Builder. Positions that do not fit into P are an error. The first
// replicated ids of each rank have an index on all ranks.
func Finish[P Pos](b *Builder, replicated int) (*Graph[P], error) {
	if b.IDs64() && posBytes[P]() < 8 {
		return nil, errors.New("kernel 1: the graph's positions do not fit into 32 bits: let the engine choose their width")
	}
	b.order.Replicated = replicated
	ranks := P(b.t.Size())
	rows, err := Fill(b, func(_, rank int, h ID) P { return P(h)*ranks + P(rank) })
	if err != nil {
		return nil, err
	}
	f := filler[P]{b, &Graph[P]{Order: b.order, Adjacency: rows}}
	f.sortRows()
	f.useIndices()
	if err := f.firstNeighbours(); err != nil {
		return nil, fmt.Errorf("kernel 1: first neighbours: %w", err)
	}
	return f.g, nil
}

// Fill allocates rows by the degrees and inserts each end of every tuple into the row of the other end, in arbitrary
// order and with duplicates. entry returns the entry for the vertex with id h of a rank in a tuple, given by its number
// on this rank; several goroutines call it. Fill is collective, and called once on a Builder.
func Fill[E comm.Word](b *Builder, entry func(tuple, rank int, h ID) E) (Adjacency[E], error) {
	a := Adjacency[E]{Rows: rowOffsets(b.order.LocalOf, b.degrees), lengths: b.degrees}
	b.degrees = nil
	if err := b.agreeOnEnds(a.Rows[b.order.Connected()]); err != nil {
		return a, fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	a.Cols = hugepage.Make[E](int(a.Rows[b.order.Connected()]))
	next := slices.Clone(a.Rows[:b.order.Connected()]) // by id: the index of the next neighbour
	buffer := make([]E, len(b.words))
	var replies replyBook
	err := b.pieces(rowsParts, func(first int, piece []graph.Edge) error {
		b.post.load(piece)
		ids, err := b.lookUp(&replies)
		if err != nil {
			return err
		}
		entries := binsOf(b.post, buffer)
		b.post.ends(func(tuple int, u, v end) {
			entries[u.rank][u.slot] = entry(first+tuple, v.rank, ID(ids[v.rank][v.slot]))
			entries[v.rank][v.slot] = entry(first+tuple, u.rank, ID(ids[u.rank][u.slot]))
		})
		got, err := comm.Exchange(b.t, entries)
		for r := range got {
			insert(b.workers, a.Cols, next, replies.bins[r], got[r])
		}
		return err
	})
	if err != nil {
		return a, fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	return a, nil
}

// agreeOnEnds refuses degrees that have overflowed: the rows, whose total length is given, are then shorter than the
// number of ends.
func (b *Builder) agreeOnEnds(entries int64) error {
	lost, err := comm.Reduce(b.t, b.ends-entries, comm.Max)
	if err != nil {
		return err
	}
	if lost > 0 {
		return errors.New("a vertex has 2^32 edge tuples or more, and degrees have 32 bits: " +
			"choose a smaller edge factor or scale")
	}
	return nil
}

// replyBook has the ids that this rank sent to the other ranks, one bin per rank. The entries that arrive next belong
// to these ids.
type replyBook struct {
	buf  []uint32
	bins [][]uint32
}

// lookUp queries the owners of the piece's ends for their ids. It returns the replies in the slots of the queries, and
// keeps this rank's own replies in replies.
func (b *Builder) lookUp(replies *replyBook) ([][]uint32, error) {
	queries := binsOf(b.post, b.words)
	b.post.ends(func(_ int, u, v end) {
		queries[u.rank][u.slot] = uint32(u.local)
		queries[v.rank][v.slot] = uint32(v.local)
	})
	queried, err := comm.Exchange(b.t, queries)
	if err != nil {
		return nil, err
	}
	replies.take(queried, b.order.IDOf, b.workers)
	return comm.Exchange(b.t, replies.bins)
}

// take sets the reply to every query, a local id, to the id of that vertex.
func (a *replyBook) take(queried [][]uint32, idOf []ID, workers int) {
	total := 0
	for _, locals := range queried {
		total += len(locals)
	}
	if total > len(a.buf) {
		a.buf = make([]uint32, total)
	}
	a.bins = a.bins[:0]
	rest := a.buf
	for _, locals := range queried {
		bin := rest[:len(locals)]
		rest = rest[len(locals):]
		par.For(workers, len(locals), 1<<14, func(_, lo, hi int) {
			for i, l := range locals[lo:hi] {
				bin[lo+i] = uint32(idOf[l])
			}
		})
		a.bins = append(a.bins, bin)
	}
}

// insertBatch is the number of entries whose indices are determined before they are written, because an atomic
// operation waits for all earlier writes, and these writes miss the cache.
const insertBatch = 64

// insert puts entries[i] into the row of ids[i]. next has the next free index of each row.
func insert[E comm.Word](workers int, cols []E, next []int64, ids []uint32, entries []E) {
	par.For(workers, len(ids), 1<<14, func(_, lo, hi int) {
		var places [insertBatch]int64
		for ; lo < hi; lo += insertBatch {
			n := min(hi-lo, insertBatch)
			for i, h := range ids[lo : lo+n] {
				places[i] = atomic.AddInt64(&next[h], 1) - 1
			}
			for i, e := range entries[lo : lo+n] {
				cols[places[i]] = e
			}
		}
	})
}
