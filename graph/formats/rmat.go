package formats

import "errors"

func rmatSize(v values) (Size, error) {
	if v.fraction("a")+v.fraction("b")+v.fraction("c") > 1+1e-9 {
		return Size{}, errors.New("a + b + c is more than 1: they are the shares of three quadrants, " +
			"and the fourth has the rest")
	}
	n := int64(1) << v.whole("scale")
	return Size{Vertices: n, Edges: n * v.whole("edgefactor")}, nil
}

// rmat draws each edge by going down into one of four quadrants of the adjacency matrix, scale times (Chakrabarti,
// Zhan, Faloutsos: R-MAT: A Recursive Model for Graph Mining, SDM 2004). a, b and c are the shares of the quadrants
// (0,0), (0,1) and (1,0). Vertices are not renumbered: those with low numbers have most edges where a is the largest
// share.
func rmat(on resources, v values) (*list, error) {
	size, err := rmatSize(v)
	if err != nil {
		return nil, err
	}
	const levels = 64 // words for each edge
	scale, draws := int(v.whole("scale")), newStream(v.seed("seed"), forEdges)
	a, ab := v.fraction("a"), v.fraction("a")+v.fraction("b")
	abc := ab + v.fraction("c")
	parts, err := generated(on, size.Edges, 1, func(lo, hi int64, into *part) {
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
	return &list{vertices: size.Vertices, parts: parts}, err
}
