// SPDX-License-Identifier: Apache-2.0

package formats

import "errors"

func rmatSize(v values) (Size, error) {
	if v.real("a")+v.real("b")+v.real("c") > 1+1e-9 {
		return Size{}, errors.New("a + b + c is more than 1: they are the shares of three quadrants, " +
			"and the fourth has the rest")
	}
	n := int64(1) << v.integer("scale")
	return Size{Vertices: n, Edges: n * v.integer("edgefactor")}, nil
}

// rmat draws each edge by choosing one of four quadrants of the adjacency matrix, scale times (Chakrabarti, Zhan,
// Faloutsos: R-MAT: A Recursive Model for Graph Mining, SDM 2004). a, b and c are the shares of the quadrants (0,0),
// (0,1) and (1,0). Vertices are not renumbered: if a is the largest share, low numbers have the most edges.
func rmat(on task) (*list, error) {
	const levels = 64 // random words per edge
	scale, draws := int(on.integer("scale")), newStream(on.seed("seed"), forEdges)
	a, ab := on.real("a"), on.real("a")+on.real("b")
	abc := ab + on.real("c")
	return on.generated(on.size.Edges, 1, func(lo, hi int64, into *chunk) {
		for i := lo; i < hi; i++ {
			var from, to uint32
			for level := range scale {
				from, to = from<<1, to<<1
				switch x := draws.unit(uint64(i)*levels + uint64(level)); {
				case x < a:
				case x < ab:
					to |= 1
				case x < abc:
					from |= 1
				default:
					from, to = from|1, to|1
				}
			}
			into.add(from, to)
		}
	})
}
