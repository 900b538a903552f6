package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/record"
)

// Comparison is two sets of runs, point by point.
type Comparison struct {
	Confidence float64  `json:"confidence"` // of each interval, as in 0.95
	Points     []Point  `json:"points"`
	OnlyA      []string `json:"only_a"` // a sentence for each point that B does not have
	OnlyB      []string `json:"only_b"`
	Notes      []string `json:"notes"` // what a reader must know beside the figures
}

// Point is what both sets have at one scale and number of ranks. B is compared with A.
type Point struct {
	Kernel     string  `json:"kernel"` // BFS or SSSP
	Scale      int     `json:"scale"`
	EdgeFactor int64   `json:"edgefactor"`
	Ranks      int     `json:"ranks"`
	A          Side    `json:"a"`
	B          Side    `json:"b"`
	Percent    float64 `json:"difference_percent"` // of B's harmonic mean; above 0 where B is faster
	// The bounds of the interval. They are nil where there is none: a single search bounds nothing.
	Low    *float64 `json:"low_percent"`
	High   *float64 `json:"high_percent"`
	Method Method   `json:"method"`
	Says   Verdict  `json:"verdict"`
}

// Side is the runs of one set at a point.
type Side struct {
	Kind     string  `json:"kind"` // machine, engine, threads
	Runs     int     `json:"runs"`
	Searches int     `json:"searches"`
	TEPS     float64 `json:"harmonic_mean_teps"` // of all searches of all runs
}

// Method is what the interval rests on.
type Method string

// The methods. Where several can be had, the one with the widest interval counts.
const (
	ByKeys     Method = "search keys" // pairs of searches from the same key
	BySearches Method = "searches"    // searches from other keys, each on its own
	ByRuns     Method = "runs"        // a run's harmonic mean is one value
)

// Verdict is what the interval allows to say.
type Verdict string

// The verdicts. Same means that none was found, not that there is none.
const (
	Faster  Verdict = "B is faster"
	Slower  Verdict = "B is slower"
	Same    Verdict = "no difference"
	Unknown Verdict = "no interval"
)

// Sets compares all points that both sets have.
func Sets(a, b *collect.Set, confidence float64) (*Comparison, error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, fmt.Errorf("compare: a confidence of %v is none: it lies between 0 and 1, as 0.95", confidence)
	}
	for _, set := range []struct {
		name string
		runs *collect.Set
	}{{"A", a}, {"B", b}} {
		if wrong := set.runs.Inconsistent(); len(wrong) > 0 {
			return nil, fmt.Errorf("compare: of %s, %s: remove the run or make it again", set.name, strings.Join(wrong, "; "))
		}
	}
	c := &Comparison{Confidence: confidence, Points: []Point{}, OnlyA: []string{}, OnlyB: []string{}, Notes: []string{}}
	left, right := c.pointsOf("A", a), c.pointsOf("B", b)
	for _, p := range left {
		q := partner(p, left, right)
		if q < 0 {
			c.OnlyA = append(c.OnlyA, fmt.Sprintf("only A has a valid run of %s (%v)", p, p.Kind))
			continue
		}
		c.Points = append(c.Points, compared(p, right[q], confidence))
		c.note(p, right[q])
		right = slices.Delete(right, q, q+1)
	}
	for _, q := range right {
		c.OnlyB = append(c.OnlyB, fmt.Sprintf("only B has a valid run of %s (%v)", q, q.Kind))
	}
	slices.SortStableFunc(c.Points, func(p, q Point) int {
		return cmp.Or(cmp.Compare(p.Kernel, q.Kernel), cmp.Compare(p.Scale, q.Scale), cmp.Compare(p.Ranks, q.Ranks))
	})
	return c, nil
}

// pointsOf are the points of a set. Which study of the set a run belongs to makes no difference here.
func (c *Comparison) pointsOf(name string, set *collect.Set) []collect.Point {
	all := &collect.Set{}
	for _, r := range set.Runs {
		run := *r
		run.Kind.Study, run.Kind.Scaling = ".", ""
		all.Runs = append(all.Runs, &run)
	}
	points, counted := all.Points(), 0
	for _, p := range points {
		counted += len(p.Runs)
	}
	if out := len(all.Runs) - counted; out > 0 {
		c.Notes = append(c.Notes,
			fmt.Sprintf("%s: %s left out, not valid or of an older program than the others", name, collect.Count(out, "run")))
	}
	for _, sentence := range set.Unread {
		c.Notes = append(c.Notes, name+": "+sentence)
	}
	return points
}

// partner finds the point that p is compared with: of the same kind or, where each set has one point of this graph,
// kernel and number of ranks, whatever kind that is. It is -1 where there is none.
func partner(p collect.Point, left, right []collect.Point) int {
	same := slices.IndexFunc(right, func(q collect.Point) bool { return sameWork(p, q) && q.Kind == p.Kind })
	if same >= 0 || count(p, left) > 1 || count(p, right) != 1 {
		return same
	}
	return slices.IndexFunc(right, func(q collect.Point) bool { return sameWork(p, q) })
}

func count(p collect.Point, among []collect.Point) (n int) {
	for _, q := range among {
		if sameWork(p, q) {
			n++
		}
	}
	return n
}

// sameWork says that two points are of one graph, number of ranks and kernel.
func sameWork(p, q collect.Point) bool {
	return p.Scale == q.Scale && p.Ranks == q.Ranks && p.Kind.Factor == q.Kind.Factor && p.Kind.Kernel == q.Kind.Kernel
}

// note says what else differs between two points.
func (c *Comparison) note(p, q collect.Point) {
	said := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(c.Notes, text) {
			c.Notes = append(c.Notes, text)
		}
	}
	if p.Kind != q.Kind {
		said("%s: A is %v, B is %v", p, p.Kind, q.Kind)
	}
	if a, b := p.Runs[0].Environment.Program, q.Runs[0].Environment.Program; a != b {
		said("A was run by %q, B by %q", a, b)
	}
	if len(p.Runs) < 2 || len(q.Runs) < 2 {
		said("where A or B has one run, the interval does not hold what differs from run to run")
	}
}

// compared is the difference between two points.
func compared(p, q collect.Point, confidence float64) Point {
	a, b := newSample(p.Runs), newSample(q.Runs)
	i, method := unpaired(a.all(), b.all(), confidence), BySearches
	if x, y, same := pairs(a, b); same {
		i, method = paired(x, y, confidence), ByKeys
	}
	if len(p.Runs) > 1 && len(q.Runs) > 1 {
		runs := unpaired(a.runs(), b.runs(), confidence)
		if runs.Low, runs.High = runs.Low-runs.Center+i.Center, runs.High-runs.Center+i.Center; runs.wider(i) {
			i, method = Interval{i.Center, runs.Low, runs.High}, ByRuns
		}
	}
	point := Point{Kernel: p.Kind.Kernel.Abbreviation(), Scale: p.Scale, EdgeFactor: p.Kind.Factor, Ranks: p.Ranks,
		A: side(p, a), B: side(q, b),
		Percent: percent(i.Center), Method: method, Says: Unknown}
	if !math.IsInf(i.High-i.Low, 0) {
		low, high := percent(i.Low), percent(i.High)
		point.Low, point.High, point.Says = &low, &high, verdict(low, high)
	}
	return point
}

func verdict(low, high float64) Verdict {
	switch {
	case low > 0:
		return Faster
	case high < 0:
		return Slower
	}
	return Same
}

func side(p collect.Point, s sample) Side {
	return Side{p.Kind.String(), len(p.Runs), p.Searches(), 1 / mean(s.all())}
}

// sample is seconds per edge of each search of each run.
type sample [][]record.Search

func newSample(runs []*collect.Run) (s sample) {
	for _, r := range runs {
		s = append(s, r.Searches)
	}
	return s
}

func perEdge(s record.Search) float64 { return s.Seconds / float64(s.Edges) }

// all is every search of every run.
func (s sample) all() (x []float64) {
	for _, run := range s {
		for _, search := range run {
			x = append(x, perEdge(search))
		}
	}
	return x
}

// runs is the mean of each run.
func (s sample) runs() (x []float64) {
	for _, run := range s {
		x = append(x, mean(sample{run}.all()))
	}
	return x
}

// searchKey is a root in a graph, which the edges of its component tell from other graphs.
type searchKey struct{ root, edges int64 }

// byKey is the mean of each search key; false where runs have others or have one twice.
func (s sample) byKey() (means map[searchKey]float64, same bool) {
	means = map[searchKey]float64{}
	for r, run := range s {
		seen := map[searchKey]bool{}
		for _, search := range run {
			key := searchKey{search.Root, search.Edges}
			if _, known := means[key]; seen[key] || r > 0 && !known {
				return nil, false
			}
			seen[key] = true
			means[key] += perEdge(search) / float64(len(s))
		}
		if len(seen) != len(s[0]) {
			return nil, false
		}
	}
	return means, true
}

// pairs are the means of both sides for each search key, in one order; false where the keys are not the same.
func pairs(a, b sample) (x, y []float64, same bool) {
	left, ok := a.byKey()
	right, too := b.byKey()
	if !ok || !too || len(left) != len(right) {
		return nil, nil, false
	}
	for _, search := range a[0] {
		key := searchKey{search.Root, search.Edges}
		other, has := right[key]
		if !has {
			return nil, nil, false
		}
		x, y = append(x, left[key]), append(y, other)
	}
	return x, y, true
}

// Lost are the points that are slower by more than so many percent, as far as their interval goes: its upper end too.
// A point without an interval is among them, since nothing can be said for it.
func (c *Comparison) Lost(percent float64) (lost []Point) {
	for _, p := range c.Points {
		if p.High == nil || *p.High < -percent {
			lost = append(lost, p)
		}
	}
	return lost
}
