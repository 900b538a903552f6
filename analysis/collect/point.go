package collect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"g500/record"
)

// Point is the valid runs of one kind, scale, number of ranks and version of the program: repeats of one run.
type Point struct {
	Kind         Kind
	Scale, Ranks int
	Runs         []*Run
	TEPS         Spread // of the runs' harmonic means
}

// Spread is the minimum, median and maximum of a figure.
type Spread struct{ Min, Median, Max float64 }

// Points returns the points of the set, in the order of its runs. If several versions of the program made runs of a
// point, only runs of the latest count.
func (s *Set) Points() []Point {
	var points []Point
	for _, run := range s.Runs {
		if run.Statistics().TEPS == nil {
			continue
		}
		p := Point{Kind: run.Kind, Scale: run.Scale, Ranks: run.Ranks}
		i := slices.IndexFunc(points, p.Same)
		if i < 0 {
			i, points = len(points), append(points, p)
		}
		points[i].Runs = append(points[i].Runs, run)
	}
	for i := range points {
		points[i].Runs = byLastProgram(points[i].Runs)
		points[i].TEPS = points[i].Spread(func(r *Run) float64 { return r.Statistics().TEPS.HarmonicMean })
	}
	return points
}

// Same reports whether two points are equal, except for the program.
func (p Point) Same(q Point) bool {
	return q.Kind == p.Kind && q.Scale == p.Scale && q.Ranks == p.Ranks
}

// byLastProgram removes runs of other versions of the program than the last run's.
func byLastProgram(runs []*Run) []*Run {
	last := slices.MaxFunc(runs, func(a, b *Run) int { return a.started().Compare(b.started()) })
	return slices.DeleteFunc(runs, func(r *Run) bool { return r.Environment.Program != last.Environment.Program })
}

// Program returns the version that made the point.
func (p Point) Program() string { return p.Runs[0].Environment.Program }

// started returns the start time of the run, zero if unknown.
func (r *Run) started() time.Time {
	at, _ := time.Parse(time.RFC3339, r.Environment.Started)
	return at
}

// Day returns the date of the start in UTC, "" if unknown.
func (r *Run) Day() string {
	if at := r.started(); !at.IsZero() {
		return at.UTC().Format(time.DateOnly)
	}
	return ""
}

// Date writes a day as 26 Nov 2026, which no reader takes for another one; as it is if it is no date.
func Date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 Jan 2006")
}

// Spread returns the spread of a figure over the point's runs.
func (p Point) Spread(figure func(*Run) float64) Spread {
	var figures []float64
	for _, run := range p.Runs {
		figures = append(figures, figure(run))
	}
	s := record.SummaryOf(figures)
	return Spread{s.Min, s.Median, s.Max}
}

// Bounds returns the error bar of the point: the minimum and maximum of its runs or, for a single run, one standard
// error of its harmonic mean to both sides.
func (p Point) Bounds() (low, high float64) {
	if len(p.Runs) > 1 {
		return p.TEPS.Min, p.TEPS.Max
	}
	t := p.Runs[0].Statistics().TEPS
	return max(t.HarmonicMean-t.HarmonicStddev, t.Min), t.HarmonicMean + t.HarmonicStddev
}

// Searches returns the number of searches of all runs.
func (p Point) Searches() int {
	n := 0
	for _, run := range p.Runs {
		n += len(run.Searches)
	}
	return n
}

// Typical returns the run whose harmonic mean is nearest to the median, among the traced runs if there are any.
func (p Point) Typical() *Run {
	candidates := slices.DeleteFunc(slices.Clone(p.Runs), func(r *Run) bool { return r.MeanLevels() == nil })
	if len(candidates) == 0 {
		candidates = p.Runs
	}
	off := func(r *Run) float64 { return math.Abs(r.Statistics().TEPS.HarmonicMean - p.TEPS.Median) }
	return slices.MinFunc(candidates, func(a, b *Run) int { return cmp.Compare(off(a), off(b)) })
}

// String returns the name of the point within its kind.
func (p Point) String() string { return fmt.Sprintf("scale %d, %s", p.Scale, Count(p.Ranks, "rank")) }

// Count formats a number and a noun.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
