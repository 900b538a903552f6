// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/trace"
)

// search is the fast engine. It has three steps:
//
//  1. Push. It settles all vertices nearer to the root than a threshold (push.go). Few vertices are as near as the
//     first landmark, and most are slightly farther.
//  2. Pull. Each other vertex examines its edges by rising weight, until no vertex below the threshold can shorten its
//     path.
//  3. Pull again. Vertices whose path could be shorter over another vertex beyond the threshold examine these. Shorter
//     paths are pushed as in the first step.
type search struct {
	pusher
	found distances              // results of a sweep until it ends
	low   float32                // all vertices nearer than this have pushed all their edges
	view  []float32              // distances by position, nil for one rank
	ended func(trace.Step) error // called at the end of each step, or nil
}

// OnStep sets the function that is called at the end of each step.
func (e *search) OnStep(ended func(trace.Step) error) { e.ended = ended }

// report reports the end of a step, and the number of vertices of this rank that it processed.
func (e *search) report(step string, vertices int) error {
	if e.ended == nil {
		return nil
	}
	all, err := comm.Reduce(e.t, int64(vertices), comm.Sum)
	if err != nil {
		return err
	}
	return e.ended(trace.Step{Name: step, Frontier: all})
}

// NewSearch returns kernel 1 of the fast engine with workers goroutines per rank.
func NewSearch(workers int) New {
	return func(t comm.Transport, tuples graph.Tuples, prune Pruning) (engine.Engine, error) {
		s, err := build(t, tuples, workers)
		if err != nil {
			return nil, err
		}
		c, err := newCommon(t, s, workers)
		if err != nil {
			return nil, err
		}
		relaxed := hugepage.Make[uint32](s.Connected())
		pusher := pusher{common: c, first: 1, growth: searchGrowth, relaxed: relaxed}
		e := &search{pusher: pusher, found: hugepage.Make[uint64](s.Connected())}
		if t.Size() > 1 {
			e.view = hugepage.Make[float32](s.Stride * t.Size())
		}
		if err = e.findReach(); err == nil && prune == PruneHub {
			err = e.prune(e.Search)
		}
		return e, err
	}
}

// Prelaunch wakes the workers.
func (e *search) Prelaunch() error {
	par.Wake(e.workers)
	return nil
}

// Search searches from root.
func (e *search) Search(root graph.Global) (engine.Result, error) {
	if e.t.Size() > 1 {
		defer par.Hold(e.workers)()
	}
	e.begin()
	more, err := e.push(e.start(root))
	if err == nil {
		err = e.report(trace.PushStep, e.settledHere())
	}
	if err == nil && more {
		err = e.pullRest()
	}
	if err != nil {
		return nil, err
	}
	found := e.finish(root)
	return found, e.report(trace.ResultStep, int(e.s.Layout.Count(e.t.Rank())))
}

// Constants of the trial push in kernel 1.
const (
	trialGrowth = 2.0 // factor between reaches
	halvings    = 6   // of the interval that contains the reach
	reserve     = 1.2 // factor on the reach, because other roots need a little more
)

// findReach sets the initial reach of searches, with which a search from the vertex with the most edges settles
// settledShare of the vertices. It is a part of kernel 1, and collective.
func (p *pusher) findReach() error {
	root, err := p.largestHub()
	if err != nil || root == graph.NoParent {
		return err
	}
	if p.first, err = p.lightest(); err != nil {
		return err
	}
	p.begin()
	p.growth = trialGrowth
	_, err = p.push(p.start(root))
	p.growth = searchGrowth
	if err != nil {
		return err
	}
	reach, err := p.quantile(p.threshold)
	p.first = min(reach*reserve, math.MaxFloat32)
	return err
}

// lightest returns the least positive weight of an edge of a landmark, over all ranks; 1 if there is none.
func (p *pusher) lightest() (float32, error) {
	lightest := int64(math.MaxInt64)
	for h := range min(landmarks, p.s.Connected()) {
		row := p.s.Row(csr.ID(h))
		if i, _ := slices.BinarySearch(row, edgeTo(0, math.SmallestNonzeroFloat32)); i < len(row) {
			lightest = min(lightest, int64(math.Float32bits(row[i].weight())))
		}
	}
	lightest, err := comm.Reduce(p.t, lightest, comm.Min)
	if err != nil || lightest == math.MaxInt64 {
		return 1, err
	}
	return math.Float32frombits(uint32(lightest)), nil
}

// quantile returns approximately the distance below which settledShare of the vertices are, at most farthest.
func (p *pusher) quantile(farthest float32) (float32, error) {
	low, high := math.Float32bits(farthest/trialGrowth), math.Float32bits(farthest)
	for range halvings {
		middle := low + (high-low)/2
		sum := []int64{p.nearerThan(middle), int64(p.s.Connected())}
		if err := p.t.AllReduce(sum, comm.Sum); err != nil {
			return 0, err
		}
		if float64(sum[0]) >= settledShare*float64(sum[1]) {
			high = middle
		} else {
			low = middle
		}
	}
	return math.Float32frombits(high), nil
}

// nearerThan counts this rank's vertices whose distance is below the one with these bits.
func (p *pusher) nearerThan(bits uint32) int64 {
	return par.Sum(p.workers, len(p.d), 1<<14, func(_, lo, hi int) (n int64) {
		for _, d := range p.d[lo:hi] {
			if uint32(d>>32) < bits {
				n++
			}
		}
		return n
	})
}
