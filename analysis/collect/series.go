package collect

import (
	"fmt"
	"math/bits"
	"slices"

	"g500/analysis/scale"
	"g500/record"
)

// Series is points of one kind over ranks, at least two, from few ranks to many.
type Series struct {
	Kind    Kind
	Scaling string // scale.Strong or scale.Weak
	Scale   int    // of the graph; at weak scaling, of one rank's part
	Points  []Point
}

// SeriesOf finds the series among the points. In a study they are of its scaling. Of other runs, every scale makes one
// of strong scaling, and every part of a rank one of weak scaling, unless strong scaling shows all of its points
// already.
func SeriesOf(points []Point) []Series {
	strong := SeriesBy(scale.Strong, points)
	weak := SeriesBy(scale.Weak, points)
	shown := func(p Point) bool {
		return slices.ContainsFunc(strong, func(s Series) bool { return s.has(p) })
	}
	weak = slices.DeleteFunc(weak, func(s Series) bool {
		return s.Kind.Scaling != scale.Weak && !slices.ContainsFunc(s.Points, func(p Point) bool { return !shown(p) })
	})
	return append(strong, weak...)
}

// SeriesBy collects the series of one scaling.
func SeriesBy(scaling string, points []Point) []Series {
	var all []Series
	for _, p := range points {
		common, fits := seriesScale(scaling, p)
		if !fits || p.Kind.Scaling != "" && p.Kind.Scaling != scaling {
			continue
		}
		i := slices.IndexFunc(all, func(s Series) bool { return s.Kind == p.Kind && s.Scale == common })
		if i < 0 {
			i, all = len(all), append(all, Series{Kind: p.Kind, Scaling: scaling, Scale: common})
		}
		all[i].Points = append(all[i].Points, p)
	}
	all = slices.DeleteFunc(all, func(s Series) bool { return len(s.Points) < 2 })
	for _, s := range all {
		slices.SortFunc(s.Points, func(a, b Point) int { return a.Ranks - b.Ranks })
	}
	return all
}

// seriesScale is what all points of a series have in common. Not all numbers of ranks fit into weak scaling.
func seriesScale(scaling string, p Point) (common int, fits bool) {
	if scaling == scale.Strong {
		return p.Scale, true
	}
	return p.Scale - (bits.Len(uint(p.Ranks)) - 1), bits.OnesCount(uint(p.Ranks)) == 1
}

func (s Series) has(p Point) bool { return slices.ContainsFunc(s.Points, p.repeats) }

// isOf says that a run is part of one of the series' points.
func (s Series) isOf(r *Run) bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return slices.Contains(p.Runs, r) })
}

// String names the series within its kind.
func (s Series) String() string {
	if s.Scaling == scale.Weak {
		return fmt.Sprintf("weak scaling, scale %d per rank", s.Scale)
	}
	return fmt.Sprintf("strong scaling, scale %d", s.Scale)
}

// Programs are the versions that made the points, the baseline's first. Where they are several, the efficiency is not
// only the machine's.
func (s Series) Programs() (all []string) {
	for _, p := range s.Points {
		if program := p.Program(); !slices.Contains(all, program) {
			all = append(all, program)
		}
	}
	return all
}

// Baseline is the point that the others are compared with.
func (s Series) Baseline() Point { return s.Points[0] }

// BaselineName says what it is.
func (s Series) BaselineName() string {
	b := s.Baseline()
	runs, by := "one run", ""
	if len(b.Runs) > 1 {
		runs = fmt.Sprintf("median of %d runs", len(b.Runs))
	}
	if len(s.Programs()) > 1 {
		by = " of " + b.Program()
	}
	return fmt.Sprintf("%v: %s, %s%s", b, record.FormatTEPS(b.TEPS.Median), runs, by)
}

// Speedup is how many times the baseline's rate a rate is.
func (s Series) Speedup(teps float64) float64 { return teps / s.Baseline().TEPS.Median }

// Efficiency is the rate of a rank over that of a rank of the baseline.
func (s Series) Efficiency(teps float64, ranks int) float64 {
	return s.Speedup(teps) * float64(s.Baseline().Ranks) / float64(ranks)
}

// Ideal is the rate on so many ranks if each were as fast as those of the baseline.
func (s Series) Ideal(ranks int) float64 {
	return s.Baseline().TEPS.Median * float64(ranks) / float64(s.Baseline().Ranks)
}
