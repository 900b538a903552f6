package csr

import (
	"errors"
	"fmt"
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
// error. Of each rank the first told hub ids have an index on all ranks.
func Finish[P Pos](b *Builder, told int) (*Graph[P], error) {
	if b.Wide() && posBytes[P]() < 8 {
		return nil, errors.New("kernel 1: the graph's positions do not fit into 32 bits: let the engine choose their width")
	}
	b.order.Told = told
	f := filler[P]{b, &Graph[P]{Order: b.order}}
	ends, err := f.fill()
	if err != nil {
		return nil, fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	f.sortRows(ends)
	f.useIndices()
	if err := f.firstColumns(); err != nil {
		return nil, fmt.Errorf("kernel 1: first neighbours: %w", err)
	}
	return f.g, nil
}

// fill sets the rows up from the degrees and puts every tuple's ends into each other's rows. Rows hold sort keys
// here: hub id times number of ranks plus rank. It returns the end of each row, by hub id.
func (f filler[P]) fill() ([]int64, error) {
	g := f.g
	g.Rows = rowOffsets(g.LocalOf, f.degrees)
	f.degrees = nil // its memory may go
	if err := f.agreeOnEnds(); err != nil {
		return nil, err
	}
	g.Cols = hugepage.Make[P](int(g.Rows[len(g.LocalOf)]))
	next := make([]int64, len(g.LocalOf)) // by hub id: where the next neighbour goes
	copy(next, g.Rows)
	told := make([]P, len(f.paper))
	var answers answerBook
	err := f.pieces(rowsParts, func(piece []graph.Edge) error {
		f.post.load(piece)
		hubs, err := f.lookUp(&answers)
		if err != nil {
			return err
		}
		keys := binsOf(f.post, told)
		ranks := P(f.t.Size())
		f.post.ends(func(u, v end) {
			keys[u.rank][u.slot] = P(hubs[v.rank][v.slot])*ranks + P(v.rank)
			keys[v.rank][v.slot] = P(hubs[u.rank][u.slot])*ranks + P(u.rank)
		})
		got, err := comm.Exchange(f.t, keys)
		if err != nil {
			return err
		}
		f.insert(answers.bins, got, next)
		return nil
	})
	return next, err
}

// agreeOnEnds refuses degrees that have wrapped: the rows are then shorter than the ends that were counted.
func (f filler[P]) agreeOnEnds() error {
	lost := []int64{f.ends - f.g.Rows[f.g.Hubs()]}
	if err := f.t.AllReduce(lost, comm.Max); err != nil {
		return err
	}
	if lost[0] > 0 {
		return errors.New("a vertex has 2^32 edge tuples or more, and degrees have 32 bits: " +
			"take a smaller edge factor or scale")
	}
	return nil
}

// answerBook keeps the hub ids that this rank told the others, one bin a rank, for the neighbours that follow.
type answerBook struct {
	buf  []uint32
	bins [][]uint32
}

// lookUp asks the owners of the piece's ends for their hub ids. The answers come back in the slots of the
// questions; what this rank answered stays in answers.
func (b *Builder) lookUp(answers *answerBook) ([][]uint32, error) {
	questions := binsOf(b.post, b.paper)
	b.post.ends(func(u, v end) {
		questions[u.rank][u.slot] = uint32(u.local)
		questions[v.rank][v.slot] = uint32(v.local)
	})
	asked, err := comm.Exchange(b.t, questions)
	if err != nil {
		return nil, err
	}
	answers.take(asked, b.order.HubOf, b.workers)
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
func (f filler[P]) insert(hubs [][]uint32, keys [][]P, next []int64) {
	cols := f.g.Cols
	for r := range keys {
		bin := hubs[r]
		par.For(f.workers, len(bin), 1<<14, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				cols[atomic.AddInt64(&next[bin[i]], 1)-1] = keys[r][i]
			}
		})
	}
}
