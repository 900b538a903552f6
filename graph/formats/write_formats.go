package formats

import "errors"

func mtxField(g *Graph) string {
	if g.Weights == nil {
		return "pattern"
	}
	return "real"
}

func mtxSymmetry(g *Graph) string {
	if g.Directed {
		return "general"
	}
	return "symmetric"
}

// writeMtx writes a matrix with an entry for each edge; of an undirected graph, the lower triangle.
func writeMtx(w *writer, g *Graph) error {
	w.put(int64(g.Vertices()))
	w.put(int64(g.Vertices()))
	w.put(g.Edges())
	if err := w.end(); err != nil {
		return err
	}
	return g.eachEdge(func(u, v int, at int64) error {
		if !g.Directed {
			u, v = v, u
		}
		w.put(int64(u) + 1)
		w.put(int64(v) + 1)
		if g.Weights != nil {
			w.putWeight(g.Weights[at])
		}
		return w.end()
	})
}

// writeGr writes an arc for each entry, so both directions of an undirected edge. Without weights each is 1.
func writeGr(w *writer, g *Graph) error {
	w.line = append(w.line, "p sp "...)
	w.put(int64(g.Vertices()))
	w.put(g.Entries())
	if err := w.end(); err != nil {
		return err
	}
	for u := range g.Vertices() {
		for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
			w.line = append(w.line, "a "...)
			w.put(int64(u) + 1)
			w.put(int64(g.Neighbours[at]) + 1)
			weight := float32(1)
			if g.Weights != nil {
				weight = g.Weights[at]
			}
			w.putWhole(weight)
			if err := w.end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// refusedByMetis says what the format does not have: directions, self-loops, weights below 1.
func refusedByMetis(g *Graph) error {
	if g.Directed {
		return errors.New("the graph is directed, and graphs in METIS' format are not: write a file of another format")
	}
	if g.loops > 0 {
		return errors.New("the graph has self-loops, and graphs in METIS' format have none: give loops=drop")
	}
	return wholeWeights(g, 1)
}

// writeMetis writes a line for each vertex.
func writeMetis(w *writer, g *Graph) error {
	w.put(int64(g.Vertices()))
	w.put(g.Edges())
	if g.Weights != nil {
		w.line = append(w.line, "001"...)
	}
	if err := w.end(); err != nil {
		return err
	}
	for u := range g.Vertices() {
		for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
			w.put(int64(g.Neighbours[at]) + 1)
			if g.Weights != nil {
				w.putWhole(g.Weights[at])
			}
		}
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

// writeSNAP writes a line for each edge. From the comments a reader recovers vertices without an edge and the name of
// the column of weights.
func writeSNAP(w *writer, g *Graph) error {
	w.line = append(w.line, "# Nodes: "...)
	w.put(int64(g.Vertices()))
	w.line = append(w.line, "Edges: "...)
	w.put(g.Edges())
	if err := w.end(); err != nil {
		return err
	}
	if g.Weights != nil {
		w.line = append(w.line, "# src dst weight"...)
		if err := w.end(); err != nil {
			return err
		}
	}
	return g.eachEdge(func(u, v int, at int64) error {
		w.put(int64(u))
		w.put(int64(v))
		if g.Weights != nil {
			w.putWeight(g.Weights[at])
		}
		return w.end()
	})
}
