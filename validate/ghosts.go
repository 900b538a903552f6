package validate

import (
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// ghosts are the vertices of other ranks that have an edge tuple to this one. Each is kept once, however many
// tuples it has. A slot is a place in the array of levels: first the owned vertices by their locals, then the
// ghosts, rank by rank, in the order of their locals.
type ghosts struct {
	of    []roster        // of[q]: the ghosts that q owns
	first []uint32        // first[q]: the slot of q's first ghost
	lent  [][]graph.Local // lent[q]: owned vertices that are ghosts on q, in the order of q's roster
	slots int             // owned vertices and ghosts

	window int // ghosts of one pair of ranks in one step
	steps  int // steps until all levels have been told, on every rank
}

// newGhosts finds the ghosts among the other ends of the dealt pairs, and turns these into places in rosters.
func newGhosts(t comm.Transport, c crew, layout partition.Layout, d dealt, perStep int) (ghosts, error) {
	ranks, self := t.Size(), t.Rank()
	g := ghosts{of: make([]roster, ranks), first: make([]uint32, ranks), lent: make([][]graph.Local, ranks)}
	c.blocks(ranks, 1, func(_, q, _ int) {
		if q != self {
			g.of[q] = newRoster(layout.Count(q), chunks(d.bins, q))
		}
	})
	g.slots = layout.Count(self)
	for q := range g.of {
		g.first[q] = uint32(g.slots)
		g.slots += len(g.of[q].locals)
	}
	if g.slots > math.MaxUint32 {
		return g, fmt.Errorf("validate: rank %d has %d vertices and neighbours on other ranks, at most %d fit: "+
			"use more ranks", self, g.slots, math.MaxUint32)
	}
	return g, g.lend(t, perStep)
}

// lend tells every owner which of its vertices are ghosts here, and learns the same of its own. At most perStep
// ghosts travel at a time.
func (g *ghosts) lend(t comm.Transport, perStep int) error {
	ranks := t.Size()
	lengths := make([][]uint64, ranks)
	longest := int64(0)
	for q := range g.of {
		n := len(g.of[q].locals)
		lengths[q] = []uint64{uint64(n)}
		longest = max(longest, int64(n))
	}
	longest, err := comm.Reduce(t, longest, comm.Max)
	if err != nil {
		return err
	}
	g.window = max(1, perStep/ranks)
	g.steps = (int(longest) + g.window - 1) / g.window
	counts, err := comm.Exchange(t, lengths)
	if err != nil {
		return err
	}
	for q := range counts {
		g.lent[q] = make([]graph.Local, 0, counts[q][0])
	}
	send := make([][]graph.Local, ranks)
	for s := range g.steps {
		for q := range g.of {
			send[q] = part(g.of[q].locals, g.window, s)
		}
		got, err := comm.Exchange(t, send)
		if err != nil {
			return err
		}
		for q := range got {
			g.lent[q] = append(g.lent[q], got[q]...)
		}
	}
	return nil
}

// part is what step s covers of a list, window entries at most.
func part[T any](list []T, window, s int) []T {
	return list[min(s*window, len(list)):min((s+1)*window, len(list))]
}

// section is rank q's part of an array of slots.
func section[T any](g *ghosts, slots []T, q int) []T {
	return slots[g.first[q]:][:len(g.of[q].locals)]
}

// slot finds the slot of a vertex of another rank. If it is no ghost, no tuple joins it to this rank.
func (g *ghosts) slot(p place) (slot uint32, found bool) {
	at, found := g.of[p.rank()].find(p.local())
	return g.first[p.rank()] + at, found
}

// place is the inverse of slot, also for owned vertices; self is the rank.
func (g *ghosts) place(self int, slot uint32) place {
	for q := range g.of {
		if at := int(slot) - int(g.first[q]); at >= 0 && at < len(g.of[q].locals) {
			return place(q)<<32 | place(g.of[q].locals[at])
		}
	}
	return place(self)<<32 | place(slot)
}
