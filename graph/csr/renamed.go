package csr

import "g500/graph"

// renamed is the source of ends with the vertices of each end exchanged: it is at the vertex whose label the entry had,
// and its entry has the number of the vertex where it was, id * factor + offset.
type renamed[S, E entry] struct {
	grid
	from           ends[S]
	idOf           []ID
	label          S // mask of the label in an entry
	factor, offset E
}

func (s renamed[S, E]) size() int { return len(s.from.entries) }

func (s renamed[S, E]) count(lo, hi int, counts []int) {
	g, mask := s.grid, s.label
	for _, e := range s.from.entries[lo:hi] {
		counts[g.block(graph.Global(e&mask))]++
	}
}

func (s renamed[S, E]) write(lo, hi int, to *writer[E]) {
	starts := s.from.starts
	for block := range len(starts) - 1 {
		if from, end := max(lo, starts[block]), min(hi, starts[block+1]); from < end {
			first, last := s.locals(block, len(s.idOf))
			s.writeBlock(s.idOf[first:last], s.from.rows[from:end], s.from.entries[from:end], to)
		}
	}
}

// writeBlock puts ends of one block, in which the vertices have these ids.
func (s *renamed[S, E]) writeBlock(ids []ID, rows []uint16, entries []S, to *writer[E]) {
	g, mask, factor, offset := s.grid, s.label, s.factor, s.offset
	next, bins := to.next, to.bins[:len(to.next)]
	rows = rows[:len(entries)]
	for i, e := range entries {
		v := graph.Global(e & mask)
		block := g.block(v)
		at := next[block]
		next[block] = at + 1
		b := &bins[block]
		b.rows[at&(binRows-1)] = g.row(v)
		b.entries[at&(binEntries-1)] = E(e&^mask) | (E(ids[rows[i]])*factor + offset)
		if at&(binEntries-1) == binEntries-1 {
			to.flush(block, at+1)
		}
	}
}
