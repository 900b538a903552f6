package collect

import (
	"fmt"
	"math/bits"
	"slices"

	"g500/analysis/scale"
	"g500/record"
)

// Series is two or more points of one kind, in ascending order of ranks.
type Series struct {
	Kind    Kind
	Scaling string // scale.Strong or scale.Weak
	Scale   int    // of the graph; in weak scaling, of one rank's part
	Points  []Point
}

// seriesOf returns the series of the points. Series of a study have its scaling. Other runs form a series of strong
// scaling for each scale, and one of weak scaling for each scale per rank, unless all its points are in series of
// strong scaling.
func seriesOf(points []Point) []Series {
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

// SeriesBy returns the series of one scaling.
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

// seriesScale returns the common scale of the series of a point. Weak scaling needs a power of two of ranks.
func seriesScale(scaling string, p Point) (common int, fits bool) {
	if scaling == scale.Strong {
		return p.Scale, true
	}
	return p.Scale - (bits.Len(uint(p.Ranks)) - 1), bits.OnesCount(uint(p.Ranks)) == 1
}

func (s Series) has(p Point) bool { return slices.ContainsFunc(s.Points, p.Same) }

// isOf reports whether a run is part of one of the series' points.
func (s Series) isOf(r *Run) bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return slices.Contains(p.Runs, r) })
}

// String returns the name of the series within its kind.
func (s Series) String() string {
	if s.Scaling == scale.Weak {
		return fmt.Sprintf("weak scaling, scale %d per rank", s.Scale)
	}
	return fmt.Sprintf("strong scaling, scale %d", s.Scale)
}

// Programs returns the versions of the program that made the points, the baseline's first. If they are several, they
// affect the efficiency.
func (s Series) Programs() (all []record.Program) {
	for _, p := range s.Points {
		if program := p.Program; !slices.Contains(all, program) {
			all = append(all, program)
		}
	}
	return all
}

// Baseline returns the point that the others are compared with.
func (s Series) Baseline() Point { return s.Points[0] }

// BaselineName describes the baseline.
func (s Series) BaselineName() string { return s.baselineName(record.FormatTEPS) }

func (s Series) baselineName(rate func(teps float64) string) string {
	b := s.Baseline()
	runs, by := "one run", ""
	if len(b.Runs) > 1 {
		runs = fmt.Sprintf("median of %d runs", len(b.Runs))
	}
	if len(s.Programs()) > 1 {
		by = " of " + b.Program.String()
	}
	return fmt.Sprintf("%v: %s, %s%s", b, rate(b.TEPS.Median), runs, by)
}

// Speedup returns a rate divided by the baseline's.
func (s Series) Speedup(teps float64) float64 { return teps / s.Baseline().TEPS.Median }

// Efficiency returns the rate per rank divided by the baseline's rate per rank.
func (s Series) Efficiency(teps float64, ranks int) float64 {
	return s.Speedup(teps) * float64(s.Baseline().Ranks) / float64(ranks)
}

// Ideal returns the rate on that many ranks if each is as fast as a rank of the baseline.
func (s Series) Ideal(ranks int) float64 {
	return s.Baseline().TEPS.Median * float64(ranks) / float64(s.Baseline().Ranks)
}
