// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
)

// Kind is a row of the table of specs: one family of graphs.
type Kind struct {
	Name   string
	Form   string // an example
	Help   string
	Params []Param // of this kind, in addition to Common. The first one determines the size.

	plan     func(values) (Size, generator, error) // the size is of a graph that is not from a file
	directed bool                                  // its tuples have a direction
}

// generator makes the list of a graph.
type generator func(on task) (*list, error)

// Param is a parameter of a spec.
type Param struct {
	Key     string // as in the spec; in capitals a description, as WxH, for a parameter that is written without a key
	Default string // "" if the spec must give it
	Help    string
	valueRange
}

// positional reports whether the spec has the value without a key.
func (p Param) positional() bool { return p.Key != strings.ToLower(p.Key) }

// auto is the value of a parameter that the reader of a file determines.
const auto = "auto"

// symmetric is the parameter that makes a graph directed.
const (
	symmetric      = "symmetric"
	bothDirections = "yes for edges in both directions; no for a directed graph, from the first vertex to the second"
)

// Kinds is the table of specs.
func Kinds() []Kind {
	degree := func(d string) Param { return Param{"degree", d, "mean number of neighbours", reals(0, 1<<20)} }
	vertices := Param{"vertices", "", "number of vertices", integers(1, MaxVertices)}
	scale := Param{"scale", "16", "log2 of the number of vertices", integers(1, 31)}
	factor := Param{"edgefactor", "16", "edge tuples per vertex", integers(1, 1<<10)}
	diagonal := Param{"diagonal", "false", "neighbours across corners too", choice("true", "false")}
	sides := func(key, help string, n int) Param { return Param{key, "", help, sideLengths(n)} }
	share := func(key, d, quadrant string) Param {
		return Param{key, d, "share of edges in quadrant " + quadrant, reals(0, 1)}
	}
	return []Kind{
		{"kron", "kron:scale=16", "the official Kronecker graph of the benchmark, which has duplicates and self-loops; " +
			"with seed=2 and seed2=3 it is the graph of the Graph500 list", []Param{scale, factor,
			{"seed", "2", "first seed of the generator", seeds()}, {"seed2", "3", "second seed of the generator", seeds()}},
			kron, true},
		{"rmat", "rmat:scale=16,a=0.45,b=0.15,c=0.15", "an R-MAT graph with arbitrary shares of the quadrants",
			[]Param{scale, factor, share("a", "0.57", "(0,0)"), share("b", "0.19", "(0,1)"), share("c", "0.19", "(1,0)")},
			rmat, true},
		{"uniform", "uniform:vertices=1000000,degree=16", "a random graph with a fixed number of edges (Erdos-Renyi)",
			[]Param{vertices, degree("16")}, uniform, false},
		{"grid2d", "grid2d:512x512", "a grid in the plane: 4 neighbours, with diagonal 8",
			[]Param{sides("WxH", "its sides, in vertices", 2), diagonal}, grid, false},
		{"grid3d", "grid3d:64x64x64", "a grid in space: 6 neighbours, with diagonal 26",
			[]Param{sides("WxHxD", "its sides, in vertices", 3), diagonal}, grid, false},
		{"geometric", "geometric:vertices=100000,degree=8", "random points in a square, with edges between near points",
			[]Param{vertices, degree("8")}, geometric, false},
		{"road", "road:1000x1000", "a synthetic graph like a road network: crossings on a thinned grid, streets with " +
			"vertices between them; mean degree about 2.5, large diameter", []Param{
			sides("WxH", "crossings on each side", 2),
			{"keep", "0.8", "share of the grid's streets that exist", reals(0, 1)},
			{"chain", "1", "mean number of vertices along a street", reals(0, 16)}}, road, false},
		{"file", "file:graph.mtx.gz", "a graph from a file or a pipe: " + Endings(false) + "; also compressed or in an " +
			"archive: " + packedEndings(), []Param{
			{"PATH", "", "the file; - is standard input",
				valueRange{"the name of a file", func(text string) bool { return text != "" }}},
			{"member", auto, "its file in an archive, OUTER/INNER in an archive in another; auto takes the only graph",
				valueRange{"the name of a file in the archive", func(text string) bool { return text != "" }}},
			{"format", auto, "its format; auto uses the first line and the name",
				choice(append([]string{auto}, formatNames()...)...)},
			{"columns", auto, "columns of an edge list; auto uses a line of names, else only the labels", columnNames()},
			{"labels", "keep", "labels of an edge list; keep takes them as vertex numbers, renumber numbers those that occur",
				choice("keep", "renumber")},
			{symmetric, "yes", bothDirections + "; auto does as the file says", choice("yes", "no", auto)}},
			func(values) (Size, generator, error) { return Size{}, readFile, nil }, true},
	}
}

// Common returns the parameters that all kinds take.
func Common() []Param {
	return []Param{
		{symmetric, "yes", bothDirections, choice("yes", "no")},
		{"duplicates", "drop", "treatment of edges that occur more than once", choice("drop", "keep")},
		{"loops", "drop", "treatment of edges from a vertex to itself", choice("drop", "keep")},
		{"shuffle", "false", "whether to renumber vertices at random", choice("true", "false")},
		{"weights", "keep", "keep uses the weights of a file; uniform draws them from [0, 1), integer from 1 to 255 " +
			"as GAP does", choice("keep", "uniform", "integer", "none")},
		{"seed", "1", "seed of all random values", seeds()},
	}
}

// params returns all parameters of a kind. A parameter of the kind hides a common one of the same name.
func (k Kind) params() []Param {
	return slices.Concat(k.Params, lists.Where(Common(), func(p Param) bool { return find(k.Params, p.Key) == nil }))
}

// find returns the parameter with a key, nil if there is none.
func find(params []Param, key string) *Param {
	return lists.Find(params, func(p Param) bool { return p.Key == key })
}

// values has the values of all parameters of a spec by key, as texts in the range of the parameter.
type values map[string]string

func (v values) integer(key string) int64 {
	n, _ := strconv.ParseInt(v[key], 10, 64)
	return n
}

func (v values) seed(key string) uint64 {
	n, _ := strconv.ParseUint(v[key], 10, 64)
	return n
}

func (v values) real(key string) float64 {
	x, _ := strconv.ParseFloat(v[key], 64)
	return x
}

func (v values) is(key string) bool { return v[key] == "true" }

// directed reports whether a graph is directed if its file says arcs.
func (v values) directed(arcs bool) bool { return v[symmetric] == "no" || v[symmetric] == auto && arcs }

// sides returns the sides of a grid.
func (v values) sides() []int64 { return parseSides(v["WxH"] + v["WxHxD"]) }

// valueRange is the set of values that a parameter takes.
type valueRange struct {
	Range string // completes the sentence "it must be"
	takes func(text string) bool
}

func integers(low, high int64) valueRange {
	return valueRange{fmt.Sprintf("a whole number from %d to %d", low, high), func(text string) bool {
		n, err := strconv.ParseInt(text, 10, 64)
		return err == nil && n >= low && n <= high
	}}
}

func seeds() valueRange {
	return valueRange{"a whole number from 0 to 2^64-1", func(text string) bool {
		_, err := strconv.ParseUint(text, 10, 64)
		return err == nil
	}}
}

func reals(low, high float64) valueRange {
	return valueRange{fmt.Sprintf("a number from %.f to %.f", low, high), func(text string) bool {
		x, err := strconv.ParseFloat(text, 64)
		return err == nil && x >= low && x <= high
	}}
}

func choice(words ...string) valueRange {
	return valueRange{strings.Join(words, " or "), func(text string) bool { return slices.Contains(words, text) }}
}

// sideLengths are n sides of a grid, as in 512x512.
func sideLengths(n int) valueRange {
	example := strings.Repeat("x64", n)[1:]
	return valueRange{fmt.Sprintf("%d sides, as in %s, of at most 2^32-1 vertices together", n, example),
		func(text string) bool { return len(parseSides(text)) == n }}
}

// parseSides returns the sides of a grid that has at most MaxVertices vertices, nil for other texts.
func parseSides(text string) (sides []int64) {
	limit := int64(MaxVertices)
	for word := range strings.SplitSeq(text, "x") {
		side, err := strconv.ParseInt(word, 10, 64)
		if err != nil || side < 1 || side > limit {
			return nil
		}
		limit /= side
		sides = append(sides, side)
	}
	return sides
}

// columnNames are lists of columns that have src and dst, and only - more than once.
func columnNames() valueRange {
	return valueRange{"auto, or src, dst, weight, time and - (ignored) in the order of the columns, as in src,dst,weight",
		func(text string) bool {
			seen := map[column]bool{}
			for _, c := range columnsOf(text) {
				if !slices.Contains(everyColumn, c) || seen[c] && c != ignoredColumn {
					return false
				}
				seen[c] = true
			}
			return text == auto || seen[fromColumn] && seen[toColumn]
		}}
}
