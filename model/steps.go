package model

// What one rank works on in a step: its time is a floor plus a little for each of these.
type unit int

const (
	perVertex     unit = iota // a vertex with an edge
	perFound                  // a vertex that the step finds
	perEdge                   // an edge that leaves the frontier
	perLabelBytes             // a byte read or written by relabelling: 5 a vertex with an edge, 6 a label
)

// step is one part of the mean search of 64 keys.
type step struct {
	name     string
	bottomUp bool
	listed   bool    // looks only for the vertices that the second sweep has left over
	times    float64 // of one search
	frontier float64 // vertices in the frontier, of all with an edge
	edges    float64 // edges that leave it, of all; where they are looked at
	found    float64 // vertices that join the tree, of all with an edge
	claims   float64 // top-down: as many ranks come upon each of them as if so many edges led to it
	large    float64 // of all searches, those in which this level finds many vertices
	small    float64 // of the vertices found, those of all other searches together
	few      float64 // of the edges, the same
	changed  float64 // of the groups of 16 bytes of a bitmap, those that differ from what the peers have
	unit     unit
	probes   bool // its time is that of random looks at the bitmap
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

// steps are the mean search. The shares are means over the official graphs of scale 22, 24, 26 and 28, 64 searches
// each (results/h200/2026-11-21 of commit 9f75035). docs/MODEL.md has them scale by scale, with those counted at
// scale 16 to 20: they drift slowly, and are taken to stay as they are beyond 28. A last frontier whose edges all
// lead to parents is not searched; traces name it too (0.7 a search more). Claims and changed are of 2 and 4 ranks
// (results/h200x4/2026-11-21 of that commit): of the first sweep 1.3 MB of 3.9 came before it where the frontier had
// 18% of the vertices, which lie together in the order of degrees. The few edges are those of two ranks, 6.6 to 7.2%
// at scales 26 to 28 (results/h200x2/2026-11-22).
var steps = [stepCount]step{
	earlyStep: {name: "early top-down", times: 1.26, frontier: 1.5e-7, edges: 4.5e-7, found: 2.6e-5, claims: 1.2},
	pushStep: {
		name: "last top-down", times: 1, frontier: 3.2e-5, edges: 0.00425, found: 0.0637, claims: 1.9,
		large: 0.32, small: 0.1, few: 0.07, changed: 0.1, unit: perEdge, probes: true,
	},
	firstSweep: {
		name: "first bottom-up", bottomUp: true, times: 1, frontier: 0.0637, found: 0.710, changed: 0.93, probes: true,
	},
	secondSweep: {name: "second bottom-up", bottomUp: true, times: 1, frontier: 0.710, found: 0.224, changed: 1},
	thirdLevel: {
		name: "third bottom-up", bottomUp: true, listed: true, times: 1, frontier: 0.224, found: 0.0016, unit: perFound,
	},
	laterLevels: {
		name: "later bottom-up", bottomUp: true, listed: true, times: 1.52, frontier: 0.0011, found: 3e-6, unit: perFound,
	},
	labelOrder: {name: "label order", times: 1, unit: perLabelBytes},
	rest:       {name: "rest", times: 1},
}
