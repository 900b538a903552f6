// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"g500/internal/lists"
	"g500/internal/par"
)

// Graph is a graph as compressed sparse rows in the order of its input: the neighbours of vertex v are
// Columns[Offsets[v]:Offsets[v+1]], in rising order. Duplicate edges and self-loops are possible.
type Graph struct {
	Name      string
	Offsets   []int64 // one more than the number of vertices
	Columns   []uint32
	Symmetric bool // every edge is stored in both directions, a self-loop once
	InProcess bool // the process of a Child has the graph in another form, and no other process can have it
}

// Graphs are the graphs to measure: names, and the function that makes a graph of a name.
type Graphs struct {
	Names []string
	Load  func(ctx context.Context, name string) (*Graph, error)
}

// GraphsOf returns graphs that exist, with their names.
func GraphsOf(graphs ...*Graph) (all Graphs) {
	all.Names = lists.Of(graphs, func(g *Graph) string { return g.Name })
	all.Load = func(_ context.Context, name string) (*Graph, error) {
		return graphs[slices.Index(all.Names, name)], nil
	}
	return all
}

// Vertices returns the number of vertices.
func (g *Graph) Vertices() int { return len(g.Offsets) - 1 }

// Row returns the neighbours of a vertex.
func (g *Graph) Row(v uint32) []uint32 { return g.Columns[g.Offsets[v]:g.Offsets[v+1]] }

// cores is the number of goroutines that work on all vertices.
var cores = runtime.GOMAXPROCS(0)

// pieceOf returns a length of pieces of n items, so that each worker takes several.
func pieceOf(n int) int { return par.Grain(cores, n, 1<<12, n+1) }

// each calls body for each number below n, on all cores.
func each(n int, body func(i int)) {
	par.For(cores, n, pieceOf(n), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	})
}

// count returns the number of entries of each row that are counted: is sees a vertex, its row and an index.
func (g *Graph) count(is func(v uint32, row []uint32, i int) bool) []uint32 {
	counts := make([]uint32, g.Vertices())
	each(len(counts), func(v int) {
		row := g.Row(uint32(v))
		for i := range row {
			if is(uint32(v), row, i) {
				counts[v]++
			}
		}
	})
	return counts
}

// isLoop reports whether an entry is a self-loop.
func isLoop(v uint32, row []uint32, i int) bool { return row[i] == v }

// isKept reports whether an entry is the first one of its neighbour, and no self-loop.
func isKept(v uint32, row []uint32, i int) bool { return row[i] != v && (i == 0 || row[i-1] != row[i]) }

// Sources draws up to n different vertices that have an edge to another vertex. A seed gives the same sources on every
// machine. It returns fewer if the graph has fewer, or the draws find no more.
func (g *Graph) Sources(n int, seed uint64) (sources []uint32) {
	seen := map[uint32]bool{}
	vertices := uint64(g.Vertices())
	for draw := uint64(0); draw < 64*vertices+1024 && len(sources) < min(n, g.Vertices()); draw++ {
		v := uint32(mix(seed+draw*0x9e3779b97f4a7c15) % vertices)
		if !seen[v] && slices.ContainsFunc(g.Row(v), func(to uint32) bool { return to != v }) {
			sources = append(sources, v)
		}
		seen[v] = true
	}
	return sources
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Symmetric makes an undirected graph, for tests. Each tuple is an edge; duplicates and self-loops stay.
func Symmetric(name string, vertices int, tuples [][2]uint32) *Graph {
	rows := make([][]uint32, vertices)
	for _, t := range tuples {
		rows[t[0]] = append(rows[t[0]], t[1])
		if t[0] != t[1] {
			rows[t[1]] = append(rows[t[1]], t[0])
		}
	}
	g := &Graph{Name: name, Offsets: make([]int64, 1, vertices+1), Symmetric: true}
	for _, row := range rows {
		slices.Sort(row)
		g.Columns = append(g.Columns, row...)
		g.Offsets = append(g.Offsets, int64(len(g.Columns)))
	}
	return g
}

// SplitSpecs splits a list of graph specifications at commas. An item without a colon is a parameter of the
// specification before it, as in kron:scale=16,edgefactor=8,grid2d:64x64.
func SplitSpecs(list string) (specs []string) {
	for _, item := range strings.Split(list, ",") {
		if len(specs) > 0 && !strings.Contains(item, ":") {
			specs[len(specs)-1] += "," + item
		} else {
			specs = append(specs, item)
		}
	}
	return specs
}
