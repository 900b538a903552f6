package model

import (
	"iter"
	"sort"

	"g500/internal/trace"
)

// Bytes read per vertex with an edge, and written per label, when the result is written (ADR 17, ADR 8).
const (
	relabelledBytes = 7.2
	resultBytes     = 8
)

// step is one part of the mean search.
type step struct {
	name     string
	bottomUp bool
	listed   bool    // searches only for the vertices that the second sweep has missed
	claims   float64 // top-down: edges per new vertex that would explain how many ranks find it
	changed  float64 // share of a bitmap's groups of 16 bytes that the step changes
	probes   bool    // its time is dominated by random bitmap reads
}

// meanStep is the mean of a step over drawn searches. Frontiers are of the non-leaf subgraph, and so are shares.
type meanStep struct {
	times    float64 // per search
	frontier float64 // share of the vertices in the frontier, each time
	edges    float64 // share of the edges that leave it, if they are visited
	found    float64 // share of the vertices that join the tree, each time
}

// The indices of the steps.
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
	pushStep:    {name: "last top-down", claims: 1.9, changed: 0.1, probes: true},
	firstSweep:  {name: "first bottom-up", bottomUp: true, changed: 0.75, probes: true},
	secondSweep: {name: "second bottom-up", bottomUp: true, changed: 0.98},
	thirdLevel:  {name: "third bottom-up", bottomUp: true, listed: true},
	laterLevels: {name: "later bottom-up", bottomUp: true, listed: true},
	labelOrder:  {name: trace.ResultOrderStep},
	rest:        {name: "rest"},
}

// The direction rule of the GPU engine (gpu/policy/policy.toml): alpha, and alpha of segmented pushes on one rank, from
// segmentInner non-leaf vertices on.
const (
	deviceAlpha  = 24
	segmentAlpha = 16
	segmentInner = 4000000
)

// means is the mean search under a direction rule.
type means struct {
	steps  [stepCount]meanStep
	pushes []float64 // edges of the last top-down level of each search, in rising order
	pulls  []int     // first bottom-up level of each drawn search
}

// meansBy finds the first bottom-up level of each drawn search, and from that the mean of each step.
func (g *Graph) meansBy(alpha float64) *means {
	m := new(means)
	inner := g.innerShares(0)
	for _, s := range g.searches {
		edges := make([]float64, len(s))
		first, left := len(s), g.InnerEdges
		for t, l := range s {
			for k, found := range l.inner {
				if found > 0 {
					edges[t] += found * g.degreeOf(s, t, k) * inner[k]
				}
			}
			if left -= edges[t]; first == len(s) && t > 0 && edges[t]*alpha > left {
				first = t
			}
		}
		m.pulls = append(m.pulls, first)
		m.pushes = append(m.pushes, edges[first-1])
		m.add(s, edges, first)
	}
	sort.Float64s(m.pushes)
	for at := range m.steps {
		if l := &m.steps[at]; l.times > 0 {
			l.frontier /= l.times * g.Inner
			l.edges /= l.times * g.InnerEdges
			l.found /= l.times * g.Inner
			l.times /= drawnSearches
		}
	}
	m.steps[labelOrder].times, m.steps[rest].times = 1, 1
	return m
}

// stepOf returns the step of level t, given the first bottom-up level.
func stepOf(t, first int) int {
	if t < first-1 {
		return earlyStep
	}
	return min(pushStep+t-(first-1), laterLevels)
}

// add adds one search to the sums of the steps. Late frontiers that find no vertex are not searched.
func (m *means) add(s drawnSearch, edges []float64, first int) {
	for t, l := range s {
		found := 0.0
		if t+1 < len(s) {
			found = sum(s[t+1].inner)
		}
		step := stepOf(t, first)
		if sum(l.inner) < 0.5 || step == laterLevels && found < 0.5 {
			return
		}
		at := &m.steps[step]
		at.times++
		at.frontier += sum(l.inner)
		at.found += found
		if t < first {
			at.edges += edges[t]
		}
	}
}

// lateLevels yields the step and the number of each level of drawn search i from the last top-down one on, if its
// frontier has non-leaf vertices.
func (g *Graph) lateLevels(i int, pulls []int) iter.Seq2[int, int] {
	return func(yield func(step, t int) bool) {
		for t, l := range g.searches[i] {
			if at := stepOf(t, pulls[i]); at != earlyStep && sum(l.inner) >= 0.5 && !yield(at, t) {
				return
			}
		}
	}
}

// small returns the share of the searches whose last top-down level has at most that many edges, and their share of the
// edges of such levels.
func (m *means) small(most float64) (searches, edges float64) {
	n := sort.SearchFloat64s(m.pushes, most)
	return float64(n) / float64(len(m.pushes)), sum(m.pushes[:n]) / sum(m.pushes)
}
