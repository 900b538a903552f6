package csr

import (
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
)

// sortRows sorts each row, removes duplicates, and leaves from the rows of non-leaf vertices, and replaces sort keys by
// positions.
func (f filler[P]) sortRows() {
	g, ranks := f.g, P(f.t.Size())
	g.Edit(f.workers, func(_ int, h ID, row []P) int {
		slices.Sort(row)
		row = slices.Compact(row)
		if int(h) < g.Inner {
			row = row[:withoutLeaves(row, P(g.Inner)*ranks)]
		}
		for i, key := range row {
			row[i] = P(g.Position(int(key%ranks), ID(key/ranks)))
		}
		return len(row)
	})
}

// withoutLeaves returns the number of entries of a sorted row with keys below the key of the first leaf.
func withoutLeaves[P Pos](row []P, leaf P) int {
	n := len(row)
	for n > 0 && row[n-1] >= leaf {
		n--
	}
	return n
}

// firstNeighbours copies the first two neighbours of each row into arrays, and queries the labels of the first ones.
func (f filler[P]) firstNeighbours() error {
	g := f.g
	g.First = hugepage.Make[P](len(g.LocalOf))
	g.Second = hugepage.Make[P](g.OwnInner())
	for h := range g.Second {
		g.Second[h] = g.None()
		if row := g.Row(ID(h)); len(row) > 1 {
			g.Second[h] = row[1]
		}
	}
	g.FirstLabel = hugepage.Make[graph.Global](len(g.IDOf))
	for l := range g.FirstLabel {
		g.FirstLabel[l] = graph.NoParent
	}
	rounds, err := roundsOf(f.t, len(g.First))
	if err != nil {
		return err
	}
	labels := NewLabels(g, f.t)
	piece := min(pieceTuples, len(g.First))
	ids, queried := make([]ID, 0, piece), make([]P, 0, piece)
	for i := range int(rounds) {
		lo := min(i*pieceTuples, len(g.First))
		hi := min(lo+pieceTuples, len(g.First))
		ids, queried = ids[:0], queried[:0]
		for h := lo; h < hi; h++ {
			g.First[h] = g.None()
			if row := g.Row(ID(h)); len(row) > 0 {
				g.First[h] = min(row[0], g.None())
				ids, queried = append(ids, ID(h)), append(queried, row[0])
			}
		}
		err := labels.Resolve(queried, func(k int, label graph.Global) {
			g.FirstLabel[g.LocalOf[ids[k]]] = label
		})
		if err != nil {
			return err
		}
	}
	return nil
}
