// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/par"
)

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
