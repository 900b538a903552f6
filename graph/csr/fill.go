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

// filler is the second half of kernel 1, with positions of a given width.
type filler[P Pos] struct {
	*Builder
	g *Graph[P]
}

// Finish is the second half of kernel 1: it reads the tuples once more to fill the rows, which are then sorted, and
// lose their duplicates, in place. It is collective, and called once on a Builder. Positions that do not fit are an
// error. The first ids of each rank, as many as replicated, have an index on all ranks.
func Finish[P Pos](b *Builder, replicated int) (*Graph[P], error) {
	if b.Wide() && posBytes[P]() < 8 {
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
	if err := f.firstColumns(); err != nil {
		return nil, fmt.Errorf("kernel 1: first neighbours: %w", err)
	}
	return f.g, nil
}

// Fill allocates rows from the degrees and puts every tuple's ends into each other's rows, in any order and with
// duplicates. entry returns the entry of the vertex with id h of a rank, for a tuple with that number on this
// rank; several goroutines call it. Fill is collective, and called once on a Builder.
func Fill[E comm.Word](b *Builder, entry func(tuple, rank int, h ID) E) (Adjacency[E], error) {
	a := Adjacency[E]{Rows: rowOffsets(b.order.LocalOf, b.degrees), lengths: b.degrees}
	b.degrees = nil
	if err := b.agreeOnEnds(a.Rows[b.order.Connected()]); err != nil {
		return a, fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	a.Cols = hugepage.Make[E](int(a.Rows[b.order.Connected()]))
	next := slices.Clone(a.Rows[:b.order.Connected()]) // by id: where the next neighbour goes
	words := make([]E, len(b.paper))
	var replies replyBook
	err := b.pieces(rowsParts, func(first int, piece []graph.Edge) error {
		b.post.load(piece)
		ids, err := b.lookUp(&replies)
		if err != nil {
			return err
		}
		entries := binsOf(b.post, words)
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

// agreeOnEnds refuses degrees that have wrapped: the rows are then shorter than the ends that were counted.
func (b *Builder) agreeOnEnds(room int64) error {
	lost, err := comm.Reduce(b.t, b.ends-room, comm.Max)
	if err != nil {
		return err
	}
	if lost > 0 {
		return errors.New("a vertex has 2^32 edge tuples or more, and degrees have 32 bits: " +
			"take a smaller edge factor or scale")
	}
	return nil
}

// replyBook keeps the ids that this rank sent to the others, one bin a rank, for the neighbours that follow.
type replyBook struct {
	buf  []uint32
	bins [][]uint32
}

// lookUp queries the owners of the piece's ends for their ids. The replies come back in the slots of the queries; this
// rank's own replies stay in replies.
func (b *Builder) lookUp(replies *replyBook) ([][]uint32, error) {
	queries := binsOf(b.post, b.paper)
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

// take replies to every query, a place in label order, with the id of that vertex.
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

// insertBatch is the number of entries that get their places before any of them is written: an atomic operation waits
// for all writes before it, and these writes go all over memory.
const insertBatch = 64

// insert puts entries[i] into the row of ids[i]. next is the free place of each row.
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
