package csr

import (
	"g500/graph"
	"g500/internal/prefetch"
)

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
	for _, part := range prefetch.Parts(s.from.entries[lo:hi]) {
		for _, e := range part {
			counts[g.block(graph.Global(e&mask))]++
		}
	}
}

func (s renamed[S, E]) write(lo, hi int, to *writer[E]) {
	var b batch[E]
	starts := s.from.starts
	for i := range len(starts) - 1 {
		if from, end := max(lo, starts[i]), min(hi, starts[i+1]); from < end {
			first, last := s.locals(i%s.from.blocks, len(s.idOf))
			ids, rows := s.idOf[first:last], s.from.rows[from:end]
			for at, part := range prefetch.Parts(s.from.entries[from:end]) {
				prefetch.Ahead(rows, at)
				s.fill(&b, ids, rows[at:][:len(part)], part)
				to.put(&b, len(part))
			}
		}
	}
}

// fill puts ends of one block, in which the vertices have these ids, into a batch.
func (s *renamed[S, E]) fill(b *batch[E], ids []ID, rows []uint16, entries []S) {
	mask, factor, offset := s.label, s.factor, s.offset
	for i, e := range entries {
		b.vertices[i] = graph.Global(e & mask)
		b.entries[i] = E(e&^mask) | (E(ids[rows[i]])*factor + offset)
	}
}
