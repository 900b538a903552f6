package csr

import (
	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// vertexGrain is the number of vertices that a worker takes at a time.
const vertexGrain = 1 << 12

// firstNeighbours copies the first two neighbours of each row into arrays, and queries the labels of the first ones.
func (m rowMaker[P]) firstNeighbours() error {
	g := m.g
	g.First = hugepage.Make[P](g.Connected())
	g.Second = hugepage.Make[P](g.OwnInner())
	par.For(m.workers, g.Connected(), vertexGrain, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			row := g.Row(ID(h))
			g.First[h] = g.None()
			if len(row) > 0 {
				g.First[h] = min(row[0], g.None())
			}
			if h >= len(g.Second) {
				continue
			}
			g.Second[h] = g.None()
			if len(row) > 1 {
				g.Second[h] = row[1]
			}
		}
	})
	g.FirstLabel = newFirstLabels(len(g.IDOf), g.Layout.Vertices())
	par.For(m.workers, len(g.IDOf), vertexGrain, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			g.FirstLabel.set(graph.Local(l), graph.NoParent)
		}
	})
	return m.firstLabels()
}

// pieceLabels is the number of labels that a rank queries at a time.
const pieceLabels = 1 << 18

// firstLabels sets the labels of first neighbours, which their owners have.
func (m rowMaker[P]) firstLabels() error {
	g := m.g
	if m.t.Size() == 1 {
		par.For(m.workers, g.Connected(), vertexGrain, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				if row := g.Row(ID(h)); len(row) > 0 {
					_, first := g.Owner(row[0])
					g.FirstLabel.set(g.LocalOf[h], g.Label(first))
				}
			}
		})
		return nil
	}
	rounds, err := comm.Reduce(m.t, int64((g.Connected()+pieceLabels-1)/pieceLabels), comm.Max)
	if err != nil {
		return err
	}
	labels := NewLabels(g, m.t)
	piece := min(pieceLabels, g.Connected())
	ids, queried := make([]ID, 0, piece), make([]P, 0, piece)
	for i := range int(rounds) {
		ids, queried = ids[:0], queried[:0]
		for h := min(i*piece, g.Connected()); h < min((i+1)*piece, g.Connected()); h++ {
			if row := g.Row(ID(h)); len(row) > 0 {
				ids, queried = append(ids, ID(h)), append(queried, row[0])
			}
		}
		err := labels.Resolve(queried, func(k int, label graph.Global) {
			g.FirstLabel.set(g.LocalOf[ids[k]], label)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
