package model

import (
	"sort"

	"g500/bfs"
	"g500/internal/trace"
)

// What one rank works on in a step: its time is a floor plus a little for each of these.
type unit int

const (
	perVertex     unit = iota // a vertex of the core
	perEdge                   // an edge that leaves the frontier
	perLabelBytes             // a byte read or written by relabelling
)

// What relabelling reads of a vertex with an edge, and writes of a label, in bytes (ADR 17, ADR 8).
const (
	relabelledBytes = 7.2
	resultBytes     = 8
)

// step is one part of the mean search.
type step struct {
	name     string
	bottomUp bool
	listed   bool    // looks only for the vertices that the second sweep has left over
	claims   float64 // top-down: as many ranks come upon each of them as if so many edges led to it
	changed  float64 // of the groups of 16 bytes of a bitmap, those that differ from what the peers have
	unit     unit
	probes   bool // its time is that of random looks at the bitmap
}

// level is what the graph makes of a step: means over drawn searches. Frontiers are of the core, and so are shares.
type level struct {
	times    float64 // of one search
	frontier float64 // vertices in the frontier, of the core, each time
	edges    float64 // edges that leave it, of all; where they are looked at
	found    float64 // vertices of the core that join the tree, each time
}

// The places of the steps, those of a measured search included (see compare.go).
const (
	earlyStep = iota
	pushStep
	firstSweep
	secondSweep
	thirdLevel
	laterLevels
	labelOrder
	rest // launches, the host's clock
	stepCount
)

// steps are the parts of a search. Claims were counted on 2 and 4 ranks (results/h200x4/2026-11-21 of commit 9f75035),
// changed on two (results/h200x2/2026-11-23, scales 26 to 28: 0.74 to 0.77 in the first sweep, 0.98 in the second).
var steps = [stepCount]step{
	earlyStep:   {name: "early top-down", claims: 1.2},
	pushStep:    {name: "last top-down", claims: 1.9, changed: 0.1, unit: perEdge, probes: true},
	firstSweep:  {name: "first bottom-up", bottomUp: true, changed: 0.75, probes: true},
	secondSweep: {name: "second bottom-up", bottomUp: true, changed: 0.98},
	thirdLevel:  {name: "third bottom-up", bottomUp: true, listed: true},
	laterLevels: {name: "later bottom-up", bottomUp: true, listed: true},
	labelOrder:  {name: trace.ResultOrderStep, unit: perLabelBytes},
	rest:        {name: "rest"},
}

// The direction rule of the GPU engine (bfs/policy.toml): alpha, and that of segmented pushes on one rank, where the
// core has so many vertices.
const (
	deviceAlpha  = 24
	segmentAlpha = 16
	segmentCore  = 4000000
)

// means is the mean search: what levels are by a direction rule.
type means struct {
	levels [stepCount]level
	pushes []float64 // edges of the last top-down level of each search, in rising order
	pulls  []int     // first bottom-up level of each drawn search
}

// meansBy finds the first bottom-up level of each drawn search, and from that the mean of each step.
func (g *Graph) meansBy(alpha float64) *means {
	m := new(means)
	x := newExchange(g, Cluster{Ranks: 1, OnHost: 1, Bounds: bfs.DefaultBounds()})
	for _, w := range g.waves {
		var edges []float64
		first, left := len(w.levels), g.CoreEnds
		for t := range w.levels {
			edges = append(edges, x.edges(w, t))
			if left -= edges[t]; first == len(w.levels) && t > 0 && edges[t]*alpha > left {
				first = t
			}
		}
		m.pulls = append(m.pulls, first)
		m.pushes = append(m.pushes, edges[first-1])
		m.add(w, edges, first)
	}
	sort.Float64s(m.pushes)
	for at := range m.levels {
		if l := &m.levels[at]; l.times > 0 {
			l.frontier /= l.times * g.Core
			l.edges /= l.times * g.CoreEnds
			l.found /= l.times * g.Core
			l.times /= float64(len(g.waves))
		}
	}
	m.levels[labelOrder].times, m.levels[rest].times = 1, 1
	return m
}

// stepOf is the step of a level, by the first bottom-up one.
func stepOf(t, first int) int {
	if t < first-1 {
		return earlyStep
	}
	return min(pushStep+t-(first-1), laterLevels)
}

// add adds one search to the sums of the steps. A late frontier from which nothing is found is not searched.
func (m *means) add(w wave, edges []float64, first int) {
	for t, l := range w.levels {
		found := 0.0
		if t+1 < len(w.levels) {
			found = sum(w.levels[t+1].core)
		}
		step := stepOf(t, first)
		if sum(l.core) < 0.5 || step == laterLevels && found < 0.5 {
			return
		}
		at := &m.levels[step]
		at.times++
		at.frontier += sum(l.core)
		at.found += found
		if t < first {
			at.edges += edges[t]
		}
	}
}

// small is the share of the searches whose last top-down level has at most so many edges, and the share of all edges of
// such levels that these have.
func (m *means) small(most float64) (searches, edges float64) {
	n := sort.SearchFloat64s(m.pushes, most)
	return float64(n) / float64(len(m.pushes)), sum(m.pushes[:n]) / sum(m.pushes)
}
