package model

import (
	"flag"
	"math"
	"sync/atomic"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/kronecker"
)

// countScale is the scale of the graph that the tests count. docs/MODEL.md has figures of several scales that
// go test ./analysis/model -run Counted -v -scale S logs.
var countScale = flag.Int("scale", 14, "scale of the official graph to count")

// counted is the official graph on one rank: ids fall by degree.
type counted struct {
	*csr.Graph[csr.Pos32]
	rows  [][]csr.ID // by id; unlike kernel 1's, they hold leaves too
	edges int64
}

// official builds the graph that is counted.
func official(t *testing.T) (p kronecker.Params, c counted) {
	t.Helper()
	p = kronecker.Params{Scale: *countScale, EdgeFactor: EdgeFactor, Seed1: 2, Seed2: 3}
	tuples := make([]graph.Edge, p.Edges())
	p.Fill(0, tuples)
	err := comm.Loopback(1, func(on comm.Transport) error {
		b, err := csr.Start(on, tuples, false, 2)
		if err == nil {
			c.Graph, err = csr.Finish[csr.Pos32](b, b.Order().Stride)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c.rows = make([][]csr.ID, c.Connected())
	for v := range c.rows {
		for _, p := range c.Row(csr.ID(v)) {
			_, u := c.Owner(p)
			c.rows[v] = append(c.rows[v], u)
			c.edges++
			if v >= c.Inner && int(u) < c.Inner {
				c.rows[u] = append(c.rows[u], csr.ID(v))
				c.edges++
			}
		}
	}
	return p, c
}

// TestCountedGraph compares the derived counts with the official graph.
func TestCountedGraph(t *testing.T) {
	_, g := official(t)
	m := graphOf(t, *countScale)
	for _, c := range []struct {
		name           string
		got, want, off float64
	}{
		{"vertices with an edge", m.Vertices, float64(g.Connected()), 0.005},
		{"directed edges", m.Edges, float64(g.edges), 0.005},
		{"non-leaf vertices", m.Inner, float64(g.Inner), 0.01},
		{"edges of the non-leaf subgraph", m.InnerEdges, float64(g.Rows[g.Inner]), 0.005},
	} {
		t.Logf("scale %d: %s %.0f (model %.0f)", *countScale, c.name, c.want, c.got)
		if math.Abs(c.got/c.want-1) > c.off {
			t.Errorf("%s: the model has %g, the graph %g", c.name, c.got, c.want)
		}
	}
	for classes := 1; classes <= *countScale; classes++ {
		h := m.Prefix(classes)
		first := csr.ID(math.Round(h.Vertices))
		farEnds, light := sharesOf(g, first)
		if farEnds < h.FarEnds-0.005 || farEnds > h.FarEnds+0.03 {
			t.Errorf("%d hubs: %.4f of the edges lead to them, the model has %.4f", first, farEnds, h.FarEnds)
		}
		if light > h.Light+0.005 || light < h.Light-0.03 {
			t.Errorf("%d hubs: %.4f of the edges join two others, the model has %.4f", first, light, h.Light)
		}
	}
}

// TestCountedGhosts counts the ghosts of the CPU engine's graph on ranks that replicate few bits.
func TestCountedGhosts(t *testing.T) {
	p := kronecker.Params{Scale: *countScale, EdgeFactor: EdgeFactor, Seed1: 2, Seed2: 3}
	for _, ranks := range []int{16, 64} {
		bounds := bfs.DefaultBounds()
		bounds.TwoLevelFrom, bounds.QueriesFrom = 0, 0
		x := newTraffic(graphOf(t, p.Scale), ranks, 8, bounds)
		var ghosts atomic.Int64
		err := comm.Loopback(ranks, func(on comm.Transport) error {
			begin, end := p.Edges()*int64(on.Rank())/int64(ranks), p.Edges()*int64(on.Rank()+1)/int64(ranks)
			tuples := make([]graph.Edge, end-begin)
			p.Fill(begin, tuples)
			b, err := csr.Start(on, tuples, false, 1)
			if err != nil {
				return err
			}
			g, err := csr.Finish[csr.Pos32](b, int(x.hubs))
			for r := range ranks {
				hubs, _ := g.Ghosts(r)
				ghosts.Add(int64(len(hubs)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		got, want := float64(ghosts.Load())/float64(ranks), x.ghosts()
		t.Logf("scale %d, %d ranks, %.0f replicated: %.0f ghosts a rank (model %.0f)", p.Scale, ranks, x.hubs, got, want)
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("%d ranks: %.0f ghosts a rank, the model has %.0f", ranks, got, want)
		}
	}
}

// sharesOf counts the edges that lead to the first vertices, and those that join two others, of all.
func sharesOf(g counted, first csr.ID) (farEnds, light float64) {
	for v, row := range g.rows {
		for _, u := range row {
			switch {
			case u < first:
				farEnds++
			case csr.ID(v) >= first:
				light++
			}
		}
	}
	all := float64(g.edges)
	return farEnds / all, light / all
}

// TestCountedLevels compares the model's levels with the means of searches from the official keys and their successors.
// Levels change direction as in cuda/search, without its minimum of 200,000 edges.
func TestCountedLevels(t *testing.T) {
	p, g := official(t)
	const keys, alpha = 500, deviceAlpha
	var counted [stepCount]meanStep
	seen := map[csr.ID]bool{}
	for k := int64(0); len(seen) < keys; k++ {
		label := p.KeyCandidate(k)
		if label >= g.Layout.Vertices() {
			continue
		}
		root := g.IDOf[g.Layout.Local(label)]
		if root == csr.NoID || seen[root] {
			continue
		}
		seen[root] = true
		levels := levelsFrom(g, root)
		first, left := len(levels), g.edges
		for i, l := range levels {
			left -= l.edges
			if first == len(levels) && l.edges*alpha > left {
				first = i
			}
		}
		for i, l := range levels {
			at := &counted[stepOf(i, first)]
			at.times++
			at.frontier += float64(l.inner)
			at.edges += float64(l.edges)
		}
	}
	for at := range labelOrder {
		c, p := counted[at], graphOf(t, *countScale).severalGPUs.steps[at]
		c.frontier /= max(c.times, 1) * float64(g.Inner)
		c.edges /= max(c.times, 1) * float64(g.edges)
		t.Logf("%-18s times %.2f (model %.2f) frontier/non-leaf %.3g (%.3g) edges/E %.3g (%.3g)",
			steps[at].name, c.times/keys, p.times, c.frontier, p.frontier, c.edges, p.edges)
		near := map[int]float64{pushStep: 0.3, firstSweep: 0.1, secondSweep: 0.05, thirdLevel: 0.2}[at]
		if near > 0 && math.Abs(p.frontier/c.frontier-1) > near {
			t.Errorf("%s: the frontier has %.4g of the non-leaf vertices, the model has %.4g",
				steps[at].name, c.frontier, p.frontier)
		}
		if at == pushStep && math.Abs(p.edges/c.edges-1) > near {
			t.Errorf("%s: %.4g of the edges leave the frontier, the model has %.4g", steps[at].name, c.edges, p.edges)
		}
	}
}

// countedLevel is a frontier.
type countedLevel struct{ inner, edges int64 }

// levelsFrom is a sequential search.
func levelsFrom(g counted, root csr.ID) (levels []countedLevel) {
	visited := make([]bool, g.Connected())
	visited[root] = true
	for frontier := []csr.ID{root}; len(frontier) > 0; {
		var l countedLevel
		var next []csr.ID
		for _, v := range frontier {
			l.edges += int64(len(g.rows[v]))
			if int(v) < g.Inner {
				l.inner++
			}
			for _, u := range g.rows[v] {
				if !visited[u] {
					visited[u] = true
					next = append(next, u)
				}
			}
		}
		levels = append(levels, l)
		frontier = next
	}
	return levels
}
