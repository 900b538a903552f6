package lab

import "strings"

// Graph is a graph as compressed sparse rows in the order of its input: the neighbours of vertex v are
// Columns[Offsets[v]:Offsets[v+1]]. There may be duplicates and self-loops.
type Graph struct {
	Name      string
	Offsets   []int64 // one more than there are vertices
	Columns   []uint32
	Symmetric bool // every edge is there in both directions; a self-loop stands once
}

// Vertices is the number of vertices.
func (g *Graph) Vertices() int { return len(g.Offsets) - 1 }

// Row is the neighbours of a vertex.
func (g *Graph) Row(v uint32) []uint32 { return g.Columns[g.Offsets[v]:g.Offsets[v+1]] }

// Sources draws up to n different vertices that have an edge to another one: by the seed, so that they are the same on
// any machine. There are fewer where the draws find no more.
func (g *Graph) Sources(n int, seed uint64) (sources []uint32) {
	seen := map[uint32]bool{}
	vertices := uint64(g.Vertices())
	for draw := uint64(0); draw < 64*vertices+1024 && len(sources) < min(n, g.Vertices()); draw++ {
		v := uint32(mix(seed+draw*0x9e3779b97f4a7c15) % vertices)
		if !seen[v] && g.leads(v) {
			sources = append(sources, v)
		}
		seen[v] = true
	}
	return sources
}

// leads reports whether a vertex has an edge to another one.
func (g *Graph) leads(v uint32) bool {
	for _, to := range g.Row(v) {
		if to != v {
			return true
		}
	}
	return false
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Symmetric makes a graph of tuples, each of which becomes an edge in both directions; a self-loop becomes one.
func Symmetric(name string, vertices int, tuples [][2]uint32) *Graph {
	g := &Graph{Name: name, Offsets: make([]int64, vertices+1), Symmetric: true}
	each := func(entry func(from, to uint32)) {
		for _, t := range tuples {
			entry(t[0], t[1])
			if t[0] != t[1] {
				entry(t[1], t[0])
			}
		}
	}
	each(func(from, _ uint32) { g.Offsets[from+1]++ })
	for v := range vertices {
		g.Offsets[v+1] += g.Offsets[v]
	}
	g.Columns = make([]uint32, g.Offsets[vertices])
	next := append([]int64{}, g.Offsets[:vertices]...)
	each(func(from, to uint32) {
		g.Columns[next[from]] = to
		next[from]++
	})
	return g
}

// SplitSpecs cuts a list of specs at its commas. What stands behind a comma without a colon is a parameter of the spec
// before, as in kron:scale=16,edgefactor=8,grid2d:64x64.
func SplitSpecs(list string) (specs []string) {
	for _, piece := range strings.Split(list, ",") {
		if len(specs) > 0 && !strings.Contains(piece, ":") {
			specs[len(specs)-1] += "," + piece
		} else {
			specs = append(specs, piece)
		}
	}
	return specs
}
