package formats

// Kind is a row of the table of specs: one family of graphs.
type Kind struct {
	Name   string
	Form   string // an example
	Help   string
	Params []Param // its own; those of Common are taken by all

	size func(values) (Size, error) // before the graph is made; nil for files
	make func(resources, values) (*list, error)
	fits func(v values, room func(values) bool) (largest string) // what is smaller and fits, as key=value; nil for files
}

// Param is a parameter of a spec.
type Param struct {
	Key     string // as in the spec; for one without a key what it is, as WxH
	Default string // "" where it must be given
	Help    string

	reader valueReader
}

// Range says which values the parameter takes.
func (p Param) Range() string { return p.reader.Range() }

// positional reports whether the value stands in the spec without a key.
func (p Param) positional() bool {
	switch p.reader.(type) {
	case sideLengths, anyPath:
		return true
	}
	return false
}

const (
	mostDegree = 1 << 20
	mostSeed   = "18446744073709551615"
)

// Kinds is the table of specs.
func Kinds() []Kind {
	degree := func(d string) Param { return Param{"degree", d, "mean number of neighbours", fractions{0, mostDegree}} }
	vertices := Param{"vertices", "", "number of vertices", wholes{1, MaxVertices}}
	scale := Param{"scale", "16", "log2 of the number of vertices", wholes{1, 31}}
	factor := Param{"edgefactor", "16", "edge tuples per vertex", wholes{1, 1 << 10}}
	diagonal := Param{"diagonal", "false", "neighbours across corners too", flags{}}
	share := func(key, d, which string) Param {
		return Param{key, d, "share of edges in quadrant " + which, fractions{0, 1}}
	}
	return []Kind{
		{"kron", "kron:scale=16", "the official Kronecker graph of the benchmark, which has duplicates and self-loops; " +
			"with seed=2 and seed2=3 it is the one of the list", []Param{scale, factor,
			{"seed", "2", "first seed of the generator", seeds{}}, {"seed2", "3", "second seed of the generator", seeds{}}},
			kronSize, kron, smaller("scale")},
		{"rmat", "rmat:scale=16,a=0.45,b=0.15,c=0.15", "an R-MAT graph, of which the shares are chosen freely",
			[]Param{scale, factor, share("a", "0.57", "(0,0)"), share("b", "0.19", "(0,1)"), share("c", "0.19", "(1,0)")},
			rmatSize, rmat, smaller("scale")},
		{"uniform", "uniform:vertices=1000000,degree=16", "a random graph with that many edges, all alike (Erdos-Renyi)",
			[]Param{vertices, degree("16")}, uniformSize, uniform, smaller("vertices")},
		{"grid2d", "grid2d:512x512", "a grid in the plane: 4 neighbours, with diagonal 8",
			[]Param{{"WxH", "", "its sides, in vertices", sideLengths(2)}, diagonal}, gridSize, grid, smaller("WxH")},
		{"grid3d", "grid3d:64x64x64", "a grid in space: 6 neighbours, with diagonal 26",
			[]Param{{"WxHxD", "", "its sides, in vertices", sideLengths(3)}, diagonal}, gridSize, grid, smaller("WxHxD")},
		{"geometric", "geometric:vertices=100000,degree=8", "random points in a square, with edges " +
			"between those that are near", []Param{vertices, degree("8")}, geometricSize, geometric, smaller("vertices")},
		{"road", "road:1000x1000", "like a road network, and synthetic: crossings on a thinned grid, streets with vertices " +
			"between them; mean degree about 2.5, large diameter", []Param{{"WxH", "", "crossings on each side", sideLengths(2)},
			{"keep", "0.8", "share of the grid's streets that there are", fractions{0, 1}},
			{"chain", "1", "mean number of vertices along a street", fractions{0, 16}}}, roadSize, road, smaller("WxH")},
		{"file", "file:graph.mtx.gz", "a graph from a file or a pipe: Matrix Market, DIMACS .gr, METIS or an edge list, " +
			"also compressed by gzip or bzip2", []Param{{"PATH", "", "the file", anyPath{}},
			{"format", "auto", "its format; auto uses the first line and the name",
				words{"auto", "mtx", "gr", "metis", "snap"}},
			{"columns", "auto", "columns of an edge list; auto uses a line of names, or ignores all but the labels",
				columnNames{}}},
			nil, readFile, nil},
	}
}

// Common are the parameters that all kinds take.
func Common() []Param {
	return []Param{
		{"directed", "false", "an edge leads from its first vertex to its second only", flags{}},
		{"duplicates", "drop", "what becomes of edges that occur more than once", words{"drop", "keep"}},
		{"loops", "drop", "what becomes of edges from a vertex to itself", words{"drop", "keep"}},
		{"shuffle", "false", "vertices are renumbered at random", flags{}},
		{"weights", weightsKeep, "keep those that a file has; uniform draws them from [0, 1)",
			words{weightsKeep, weightsUniform, weightsNone}},
		{"seed", "1", "of all that is drawn at random", seeds{}},
	}
}

// params are all parameters of a kind. Its own go before a common one of the same name.
func (k Kind) params() []Param {
	all := append([]Param(nil), k.Params...)
	for _, p := range Common() {
		if _, own := find(k.Params, p.Key); !own {
			all = append(all, p)
		}
	}
	return all
}

func find(params []Param, key string) (Param, bool) {
	for _, p := range params {
		if p.Key == key {
			return p, true
		}
	}
	return Param{}, false
}
