package collect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"g500/record"
)

// Point is the valid runs of one kind with the same scale and number of ranks, by the same program: repeats of each
// other.
type Point struct {
	Kind         Kind
	Scale, Ranks int
	Runs         []*Run
	TEPS         Spread // of the runs' harmonic means
}

// Spread is a figure with what it lies between.
type Spread struct{ Min, Median, Max float64 }

// Points are the points of the set, in the order of its runs. Of runs by several versions of the program, those of the
// one that was used last count.
func (s *Set) Points() []Point {
	var points []Point
	for _, run := range s.Runs {
		if run.Statistics().TEPS == nil {
			continue
		}
		p := Point{Kind: run.Kind, Scale: run.Scale, Ranks: run.Ranks}
		i := slices.IndexFunc(points, p.repeats)
		if i < 0 {
			i, points = len(points), append(points, p)
		}
		points[i].Runs = append(points[i].Runs, run)
	}
	for i := range points {
		points[i].Runs = byLastProgram(points[i].Runs)
		points[i].TEPS = spreadOf(points[i].Runs)
	}
	return points
}

// repeats says that two points are the same, by whatever program.
func (p Point) repeats(q Point) bool {
	return q.Kind == p.Kind && q.Scale == p.Scale && q.Ranks == p.Ranks
}

// byLastProgram leaves out runs of other programs than that of the run that was started last.
func byLastProgram(runs []*Run) []*Run {
	last := slices.MaxFunc(runs, func(a, b *Run) int { return a.started().Compare(b.started()) })
	return slices.DeleteFunc(runs, func(r *Run) bool { return r.Environment.Program != last.Environment.Program })
}

// Program is the version that made the point.
func (p Point) Program() string { return p.Runs[0].Environment.Program }

// started is when the run began, the zero time where it does not say.
func (r *Run) started() time.Time {
	at, _ := time.Parse(time.RFC3339, r.Environment.Started)
	return at
}

// day is that on which the run began, in UTC; "" where it does not say.
func (r *Run) day() string {
	if at := r.started(); !at.IsZero() {
		return at.UTC().Format(time.DateOnly)
	}
	return ""
}

func spreadOf(runs []*Run) Spread {
	var means []float64
	for _, run := range runs {
		means = append(means, run.Statistics().TEPS.HarmonicMean)
	}
	s := record.SummaryOf(means)
	return Spread{s.Min, s.Median, s.Max}
}

// Bounds are what a chart shows around the point: the smallest and largest of its runs or, of a single one, one
// standard error of its harmonic mean to both sides.
func (p Point) Bounds() (low, high float64) {
	if len(p.Runs) > 1 {
		return p.TEPS.Min, p.TEPS.Max
	}
	t := p.Runs[0].Statistics().TEPS
	return max(t.HarmonicMean-t.HarmonicStddev, t.Min), t.HarmonicMean + t.HarmonicStddev
}

// Searches counts those of all runs of the point.
func (p Point) Searches() int {
	n := 0
	for _, run := range p.Runs {
		n += len(run.Searches)
	}
	return n
}

// Typical is the run that stands for the point: of those with a trace, if there are any, the one whose harmonic mean is
// nearest to the median.
func (p Point) Typical() *Run {
	candidates := slices.DeleteFunc(slices.Clone(p.Runs), func(r *Run) bool { return r.MeanLevels() == nil })
	if len(candidates) == 0 {
		candidates = p.Runs
	}
	off := func(r *Run) float64 { return math.Abs(r.Statistics().TEPS.HarmonicMean - p.TEPS.Median) }
	return slices.MinFunc(candidates, func(a, b *Run) int { return cmp.Compare(off(a), off(b)) })
}

// String names the point within its kind.
func (p Point) String() string { return fmt.Sprintf("scale %d, %s", p.Scale, Count(p.Ranks, "rank")) }

// Count is a number of things.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
