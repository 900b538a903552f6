// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/expect"
	"g500/kronecker"
)

// kron makes the tuples of package kronecker, as a multiset if none is dropped.
func TestKronIsTheOfficialList(t *testing.T) {
	p := kronecker.Params{Scale: 9, EdgeFactor: 5, Seed1: 7, Seed2: 11}
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges, nil)
	want, dropped := map[arc]int{}, [][2]int{}
	for _, e := range edges {
		want[arc{int(e.U()), int(e.V())}]++
		dropped = append(dropped, [2]int{int(e.U()), int(e.V())})
	}
	const spec = "kron:scale=9,edgefactor=5,seed=7,seed2=11"
	checkArcs(t, "all tuples", made(t, spec+",symmetric=no,duplicates=keep,loops=keep"), want)
	checkArcs(t, "default", made(t, spec), undirected(dropped))
}

// With equal shares, the four values of a bit of both ends are equally frequent. If one share is 1, there is one edge.
func TestRmatDrawsItsQuadrants(t *testing.T) {
	g := made(t, "rmat:scale=8,edgefactor=400,a=0.25,b=0.25,c=0.25,symmetric=no,duplicates=keep,loops=keep")
	n := float64(g.Entries())
	expect.Equal(t, n, 400*256, "entries")
	for bit := range 8 {
		var both [4]float64
		for v := range g.Vertices() {
			for _, to := range g.Row(v) {
				both[v>>bit&1*2+int(to)>>bit&1]++
			}
		}
		for quadrant, count := range both {
			off := math.Abs(count-n/4) / math.Sqrt(n*3/16)
			expect.That(t, off <= 5, "bit %d: quadrant %d has %v of %v tuples", bit, quadrant, count, n)
		}
	}
	for quadrant, shares := range []string{"a=1,b=0,c=0", "a=0,b=1,c=0", "a=0,b=0,c=1", "a=0,b=0,c=0"} {
		g := made(t, "rmat:scale=4,edgefactor=2,symmetric=no,loops=keep,"+shares)
		u, v := 15*(quadrant>>1), 15*(quadrant&1)
		checkArcs(t, shares, g, map[arc]int{{u, v}: 1})
	}
	expect.Equal(t, made(t, "rmat:scale=10,a=0.7,b=0.1,c=0.1").Degrees().MaxVertex, 0, "the vertex with most edges")
}

// uniform has the exact number of edges, without duplicates and self-loops; all pairs are equally likely.
func TestUniformHasItsEdges(t *testing.T) {
	for spec, edges := range map[string]int64{
		"uniform:vertices=1000,degree=7.5": 3750, "uniform:vertices=7,degree=6": 21, "uniform:vertices=8,degree=7": 28,
		"uniform:vertices=1,degree=0": 0, "uniform:vertices=2,degree=1": 1,
	} {
		g := made(t, spec+",duplicates=keep,loops=keep")
		expect.Equal(t, []int64{g.Edges(), g.Entries()}, []int64{edges, 2 * edges}, spec, "edges and entries")
		for a, n := range arcsOf(t, g) {
			expect.That(t, n == 1 && a.from != a.to, "%s: entry %v occurs %d times", spec, a, n)
		}
	}
	seen := map[arc]float64{}
	const graphs = 4000
	for seed := range uint64(graphs) {
		edges := newPermutation(10, newStream(seed, forEdges))
		for i := range uint64(5) {
			u, v := pairOf(edges.at(i), 5)
			seen[arc{int(min(u, v)), int(max(u, v))}]++
		}
	}
	for a, n := range seen {
		off := math.Abs(n-graphs/2) / math.Sqrt(graphs/4)
		expect.That(t, off <= 5 && len(seen) == 10, "edge %v is in %v of %d graphs, %d edges", a, n, graphs, len(seen))
	}
}

// A permutation has each number once.
func TestPermutationsAreBijections(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 5, 16, 17, 100, 1023, 1025} {
		p := newPermutation(n, newStream(n, forLabels))
		seen := make([]bool, n)
		for i := range n {
			at := p.at(i)
			expect.Must(t, !seen[at], "n = %d: %d occurs twice", n, at)
			seen[at] = true
		}
	}
}

// A grid joins vertices whose coordinates differ by one: along one axis or, with diagonal, along any.
func TestGridsJoinNeighbours(t *testing.T) {
	for spec, sides := range map[string][3]int{
		"grid2d:5x4": {5, 4, 1}, "grid2d:1x6": {1, 6, 1}, "grid3d:3x4x5": {3, 4, 5}, "grid3d:2x1x2": {2, 1, 2},
		"grid2d:4x5,diagonal=true": {4, 5, 1}, "grid3d:4x3x3,diagonal=true": {4, 3, 3},
	} {
		n := sides[0] * sides[1] * sides[2]
		var edges [][2]int
		for u := range n {
			for v := range u {
				far, sum := 0, 0
				for a, b, axis := u, v, 0; axis < 3; axis++ {
					d := a%sides[axis] - b%sides[axis]
					far, sum = max(far, d, -d), sum+d*d
					a, b = a/sides[axis], b/sides[axis]
				}
				if sum == 1 || far == 1 && spec[len(spec)-1] == 'e' {
					edges = append(edges, [2]int{u, v})
				}
			}
		}
		checkArcs(t, spec, made(t, spec+",duplicates=keep"), undirected(edges))
		s := mustParse(t, spec)
		size, _, err := s.kind.plan(s.values)
		expect.NoError(t, err)
		expect.Equal(t, []int64{size.Vertices, size.Edges}, []int64{int64(n), int64(len(edges))}, spec, "vertices and edges")
	}
}

// geometric joins exactly the pairs of points within the radius.
func TestGeometricJoinsNearPoints(t *testing.T) {
	for _, spec := range []string{
		"geometric:vertices=700,degree=6", "geometric:vertices=60,degree=40,seed=9", "geometric:vertices=1,degree=0",
		"geometric:vertices=3,degree=2", "geometric:vertices=2000,degree=0.5",
	} {
		s := mustParse(t, spec)
		n := int(s.values.integer("vertices"))
		r := radius(int64(n), s.values.real("degree"))
		draws := newStream(s.values.seed("seed"), forPoints)
		at := func(i int) (x, y float64) { return draws.unit(2 * uint64(i)), draws.unit(2*uint64(i) + 1) }
		var edges [][2]int
		for u := range n {
			for v := range u {
				x, y := at(u)
				p, q := at(v)
				if math.Hypot(x-p, y-q) <= r {
					edges = append(edges, [2]int{u, v})
				}
			}
		}
		g := made(t, spec+",duplicates=keep")
		checkArcs(t, spec, g, undirected(edges))
	}
	g := made(t, "geometric:vertices=100000,degree=8")
	mean := g.Degrees().Mean
	expect.That(t, mean >= 7.8 && mean <= 8, "mean degree %v", mean)
}

// A complete road network without chains is a grid. By default it has the documented degrees and diameter.
func TestRoadsAreThinnedGridsWithChains(t *testing.T) {
	checkArcs(t, "keep=1", made(t, "road:9x7,keep=1,chain=0"), arcsOf(t, made(t, "grid2d:9x7")))
	closed := made(t, "road:9x7,keep=0")
	expect.Equal(t, []int{int(closed.Edges()), closed.Vertices()}, []int{0, 63}, "edges and vertices without streets")
	g := made(t, "road:200x200,duplicates=keep")
	degrees := g.Degrees()
	expect.That(t, degrees.Mean >= 2.4 && degrees.Mean <= 2.5 && degrees.Max == 4, "%+v", degrees)
	_, largest, _ := g.Components()
	part := float64(largest) / float64(g.Vertices())
	expect.That(t, part >= 0.97, "the largest component has %v of the vertices", part)
	d := g.DiameterAtLeast(g.Sweep(g.Degrees().MaxVertex))
	expect.That(t, d >= 400 && d <= 3000, "diameter of at least %d", d)
	for _, chain := range []string{"0.5", "3"} { // keep=1: vertices = crossings + streets * chain
		g := made(t, "road:150x150,keep=1,chain="+chain)
		streets := 2*150*150 - 300
		between := float64(g.Vertices() - 150*150)
		want := mustParse(t, "road:1x1,chain="+chain).values.real("chain")
		mean := between / float64(streets)
		expect.That(t, math.Abs(mean-want) <= 0.1, "chains have %v vertices on average, want %v", mean, want)
		count, _, _ := g.Components()
		expect.Equal(t, []int{count, int(g.Edges())}, []int{1, streets + int(between)}, "components and edges, chain", chain)
	}
}

var allKinds = []string{
	"kron:scale=12", "rmat:scale=12", "uniform:vertices=20000,degree=8", "grid2d:300x200", "grid3d:34x34x34,diagonal=true",
	"geometric:vertices=40000", "road:200x200",
}

// The graph does not depend on the number of workers, and differs with the seed.
func TestGraphsDoNotDependOnWorkers(t *testing.T) {
	options := []string{",weights=uniform,duplicates=keep,symmetric=no,loops=keep", "", ",shuffle=true,weights=uniform"}
	if testing.Short() { // under the race detector
		options = options[:1]
	}
	for _, kind := range allKinds {
		for i, more := range options {
			s := mustParse(t, kind+more)
			one := expect.Value(s.Make(t.Context(), 1, 0))(t)
			workers := 2 + 5*(i%2)
			many, err := s.Make(t.Context(), workers, 0)
			expect.That(t, err == nil && same(one, many), "%v: %d workers make another graph (%v)", s, workers, err)
			size, _, err := s.kind.plan(s.values)
			expect.That(t, err == nil && one.Entries() <= 2*size.Edges && int64(one.Vertices()) <= size.Vertices,
				"%v: %d vertices and %d entries, more than %+v", s, one.Vertices(), one.Entries(), size)
		}
	}
	a, b := made(t, "uniform:vertices=500"), made(t, "uniform:vertices=500,seed=2")
	expect.Equal(t, slices.Equal(a.Neighbours, b.Neighbours), false, "seeds 1 and 2 make the same graph")
}

func TestSpecs(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `there is no kind "" of graphs; there are kron, rmat, uniform, grid2d, grid3d, geometric,`,
		"graph.mtx":             "a file is named as file:PATH",
		"kron:":                 "",
		"kron":                  "",
		"kron:scale=5":          "",
		"kron:scale":            `"scale" is not a parameter; kron takes scale, edgefactor, seed, seed2, symmetric,`,
		"kron:scale=5,":         `"" is not a parameter`,
		"kron:scale=0":          `scale = "0": it must be a whole number from 1 to 31`,
		"kron:scale=32":         `scale = "32": it must be a whole number from 1 to 31`,
		"kron:scale=5,scale=6":  "scale is given twice, the second time by scale=6: leave one of them out",
		"kron:factor=5":         `"factor=5" is not a parameter; kron takes scale,`,
		"kron:seed=-1":          `seed = "-1": it must be a whole number from 0 to 2^64-1`,
		"kron:symmetric=true":   `symmetric = "true": it must be yes or no`,
		"kron:weights=1":        `weights = "1": it must be keep or uniform or integer or none`,
		"rmat:a=0.6,b=0.3,c=.2": "a + b + c is more than 1",
		"rmat:a=0.6,b=0.2,c=.2": "",
		"rmat:a=1.5":            `a = "1.5": it must be a number from 0 to 1`,
		"rmat:a=nan":            `a = "nan": it must be a number from 0 to 1`,
		"uniform":               "vertices is missing, number of vertices, as in uniform:vertices=1000000,degree=16",
		"uniform:vertices=9":    "degree = 16: 9 vertices have at most 8 neighbours each",
		"uniform:vertices=17":   "",
		"grid2d":                "WxH is missing, its sides, in vertices, as in grid2d:512x512",
		"grid2d:5":              `WxH = "5": it must be 2 sides, as in 64x64`,
		"grid2d:0x5":            `WxH = "0x5"`,
		"grid2d:99999x99999":    "of at most 2^32-1 vertices together",
		"grid2d:5x5,WxH=3x3":    `"WxH=3x3" is not a parameter`,
		"grid3d:64x64x64,diagonal=true,shuffle=true,seed=3": "",
		"road:9x9,keep=1.1": `keep = "1.1": it must be a number from 0 to 1`,
		"file":              "PATH is missing, the file; - is standard input, as in file:graph.mtx.gz",
		"file:a.csv,columns=src,dst,weight,-,symmetric=no": "",
		"file:a.mtx,symmetric=no,symmetric=no":             "symmetric is given twice, the second time by symmetric=no",
		"file:a.csv,columns=src,weight":                    `columns = "src,weight": it must be auto, or src, dst, weight`,
		"file:a.csv,columns=src,dst,dst":                   `columns = "src,dst,dst": it must be`,
		"https://example.org/web.mtx.gz":                   "the program does not download: download the file first",
		"file:https://example.org/web.mtx.gz":              "name it as file:NAME",
		"file:a.zip,member=a/b.mtx,symmetric=no":           "",
		"file:a.mtx,format=csv":                            `format = "csv": it must be auto or mtx or gr or metis`,
	} {
		s, err := Parse(text)
		expect.Error(t, err, want, text)
		if err == nil {
			expect.Equal(t, s.String(), strings.TrimSuffix(text, ":"))
		} else {
			expect.Equal(t, isSentence(err.Error()), true, err)
		}
	}
}

// A file named - is standard input.
func TestStandardInput(t *testing.T) {
	expect.Equal(t, mustParse(t, "file:-,symmetric=no").values["PATH"], "/dev/stdin")
}

// The table is consistent: kinds take their examples, and parameters their defaults but no empty value.
func TestTableOfKinds(t *testing.T) {
	for _, k := range Kinds() {
		s, err := Parse(k.Form)
		expect.That(t, err == nil && strings.HasPrefix(k.Form, k.Name) && k.Help != "", "%s: %v", k.Name, err)
		made := func(spec string) bool { return strings.HasPrefix(spec, k.Name+":") }
		expect.That(t, s.IsFile() || slices.ContainsFunc(allKinds, made), "no test makes a graph of kind %s", k.Name)
		for _, p := range k.params() {
			expect.That(t, p.Default == "" || p.takes(p.Default),
				"%s: %s is %q by default, which it does not take", k.Name, p.Key, p.Default)
			expect.That(t, p.Help != "" && p.Range != "" && !p.takes(""),
				"%s: %s has no help or range, or accepts an empty value", k.Name, p.Key)
		}
	}
}

// A graph that does not fit into memory is refused before it is made, and the size in the message fits.
func TestTooLargeGraphsAreRefused(t *testing.T) {
	const limit = 64 << 20
	for text, form := range map[string]string{
		"kron:scale=31": "kron:%s", "rmat:scale=31,weights=uniform": "rmat:%s,weights=uniform",
		"uniform:vertices=4000000000": "uniform:%s", "geometric:vertices=4000000000": "geometric:%s",
		"grid2d:60000x60000": "grid2d:%s", "grid3d:1600x1600x1600,diagonal=true": "grid3d:%s,diagonal=true",
		"road:40000x40000": "road:%s",
		"file:" + stored(t, "a.mtx.gz", "%%MatrixMarket matrix coordinate pattern general\n9 9 99999999\n1 2\n"): "",
		"file:" + stored(t, "a.txt.gz", strings.Repeat("1 2\n", 6000000)):                                        "",
	} {
		_, err := mustParse(t, text).Make(t.Context(), 2, limit)
		_, cure, _ := strings.Cut(fmt.Sprint(err), "of memory while it is made, and 64 MiB are free: ")
		if form == "" {
			expect.Equal(t, cure, "use a machine with more memory", text)
			continue
		}
		largest := mustParse(t, fmt.Sprintf(form, strings.TrimSuffix(cure, " fits")))
		size, _, err := largest.kind.plan(largest.values)
		need := size.memory(largest.values)
		expect.That(t, err == nil && need <= limit && need >= limit/8,
			"%s: %v needs %d bytes of %d (%v)", text, largest, need, limit, err)
	}
	expect.NoError(t, expect.Err(mustParse(t, "kron:scale=10").Make(t.Context(), 2, limit)))
}

// A misspelt parameter is part of the file's name, so the error of the missing file names it.
func TestMisspeltParametersOfFiles(t *testing.T) {
	path := stored(t, "a.txt", "0 1\n")
	refused(t, "file:"+path+",symmetric=no,lables=renumber,columns=src,dst", "no such file",
		`a.txt exists, and "lables" is not a parameter; file takes PATH, member,`)
	refused(t, "file:"+path+",directed", `a.txt exists, and "directed" is not a parameter`)
}
