// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"g500/internal/lists"
	"g500/record"
)

// Point is the valid runs of one kind, scale, number of ranks and version of the program: repeats of one run. If they
// differ in their numbers of searches, it has those with the most: a trial with two search keys is no repeat of a run.
type Point struct {
	Kind         Kind
	Scale, Ranks int
	Units        int            // ranks or, in a study, what it varies: Kind.Unit
	Program      record.Program // the latest version that made runs of the point
	Runs         []*Run         // by this version
	Typical      *Run           // with the harmonic mean nearest to the median, a traced run if there are any
	Before       *Point         // the same point by the version before, nil if there is none

	Day          string // of the last run
	Searches     int    // of all runs
	TEPS         Spread // of the runs' harmonic means
	Construction Spread // seconds of kernel 1
	Seconds      Spread // median seconds of a search
	Validation   Spread // median seconds of a search's validation

	Speedup    Estimate // over the baseline, in a Series only
	Efficiency Estimate // Speedup per unit, 1 if each unit is as fast as one of the baseline; in a Series only
}

// Spread is the minimum, median and maximum of a figure over the runs of a point.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// pointsOf returns the points of runs, in their order.
func pointsOf(runs []*Run) []Point {
	var all [][]*Run // by point
	for _, run := range runs {
		if run.TEPS != nil {
			repeats := lists.At(&all, func(of []*Run) bool { return run.isOf(of[0].place()) }, nil)
			*repeats = append(*repeats, run)
		}
	}
	return lists.Of(all, func(repeats []*Run) Point { return pointOf(longest(repeats)) })
}

// longest returns the runs with the most searches.
func longest(runs []*Run) []*Run {
	most := slices.Max(lists.Of(runs, func(r *Run) int { return len(r.Searches) }))
	return lists.Where(runs, func(r *Run) bool { return len(r.Searches) == most })
}

// pointOf returns the point of runs of one kind, scale and number of ranks, by any versions of the program.
func pointOf(runs []*Run) Point {
	last := slices.MaxFunc(runs, func(a, b *Run) int { return a.Began.Compare(b.Began) })
	p := Point{Kind: last.Kind, Scale: last.Scale, Ranks: last.Ranks, Units: last.Units,
		Program: last.Environment.Program}
	var older []*Run
	for _, r := range runs {
		if r.Environment.Program != p.Program {
			older = append(older, r)
			continue
		}
		p.Runs, p.Day, p.Searches = append(p.Runs, r), max(p.Day, r.Day), p.Searches+len(r.Searches)
	}
	p.TEPS = p.spread(func(r *Run) float64 { return r.TEPS.HarmonicMean })
	p.Construction = p.spread(func(r *Run) float64 { return r.KernelRun.ConstructionSeconds })
	p.Seconds = p.spread(func(r *Run) float64 { return r.Seconds.Median })
	p.Validation = p.spread(func(r *Run) float64 { return r.ValidateSeconds.Median })
	candidates := lists.Where(p.Runs, func(r *Run) bool { return r.Levels != nil })
	if len(candidates) == 0 {
		candidates = p.Runs
	}
	off := func(r *Run) float64 { return math.Abs(r.TEPS.HarmonicMean - p.TEPS.Median) }
	p.Typical = slices.MinFunc(candidates, func(a, b *Run) int { return cmp.Compare(off(a), off(b)) })
	if len(older) > 0 {
		before := pointOf(older)
		p.Before = &before
	}
	return p
}

// isOf reports whether the run is a repeat of the point, by any version.
func (r *Run) isOf(p Point) bool { return p.Same(r.place()) }

// place returns a point with the properties that the run's point has.
func (r *Run) place() Point { return Point{Kind: r.Kind, Scale: r.Scale, Ranks: r.Ranks} }

// Same reports whether two points are equal, except for the program.
func (p Point) Same(q Point) bool {
	return q.Kind == p.Kind && q.Scale == p.Scale && q.Ranks == p.Ranks
}

// spread returns the spread of a figure over the point's runs.
func (p Point) spread(figure func(*Run) float64) Spread {
	s := record.SummaryOf(lists.Of(p.Runs, figure))
	return Spread{s.Min, s.Median, s.Max}
}

// String returns the name of the point within its kind.
func (p Point) String() string {
	return fmt.Sprintf("scale %d, %s", p.Scale, Count(p.Units, p.Kind.Unit()))
}

// Per is the rates of a point's runs in TEPS per GPU, per core that computes, and per node, and the energy of a search
// in joules. A figure that the runs do not have is NaN.
type Per struct{ GPU, Core, Node, Joules float64 }

// Per returns the figures per unit: medians of the runs.
func (p Point) Per() Per {
	of := func(figure func(Per) float64) float64 {
		return p.spread(func(r *Run) float64 { return figure(r.Per) }).Median
	}
	return Per{of(func(u Per) float64 { return u.GPU }), of(func(u Per) float64 { return u.Core }),
		of(func(u Per) float64 { return u.Node }), of(func(u Per) float64 { return u.Joules })}
}

// perUnit returns the figures per unit of the run.
func (r *Run) perUnit() Per {
	rate := func(units int) float64 {
		if r.TEPS == nil || units == 0 {
			return math.NaN()
		}
		return r.TEPS.HarmonicMean / float64(units)
	}
	threads := r.Ranks * r.Kind.Threads // 0 if ranks compute on GPUs
	if cores := r.Cores(); cores > 0 {
		threads = min(threads, cores)
	}
	u := Per{math.NaN(), rate(threads), rate(r.Nodes), math.NaN()}
	if r.Environment.Device != nil {
		u.GPU = rate(r.Ranks) // each rank computes on one
	}
	if r.Power != nil && r.Power.Refused == "" {
		u.Joules = r.Power.JoulesPerSearch
	}
	return u
}
