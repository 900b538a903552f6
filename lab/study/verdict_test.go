// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/record"
	"g500/results"
)

// row returns a row with eight searches: their rates vary with the source, between half and twice the rate, and by 2%
// with the strategy.
func row(name, paper string, rate float64, inspected int64) lab.Row {
	r := lab.Row{Strategy: lab.Strategy{Name: name, Paper: paper}, Directed: &record.Rates{HarmonicMean: rate}}
	for i := range 8 {
		bySource, noise := math.Exp2(float64(i)/3.5-1), 1+0.02*float64((i*len(name)*int(rate))%3-1)
		s := lab.Search{Source: uint32(i), DirectedEdges: 100, Reached: 10}
		s.Seconds, s.Counts = 100/(rate*bySource*noise), &lab.Counts{Inspected: inspected}
		r.Searches = append(r.Searches, s)
	}
	return r
}

// twoGraphs returns figures of strategies a and b on two graphs. On the second c was wrong, d full and e left out.
func twoGraphs() []lab.GraphFigures {
	few := row("few", "A, 2001", 8, 100)
	few.Searches = few.Searches[:5]
	elsewhere := row("cores", "B, C, 2002", 1, 0)
	elsewhere.Machine = "cores"
	return []lab.GraphFigures{
		{Graph: "g:1", Vertices: 10, Rows: []lab.Row{row("a", "A, 2001", 8, 400), row("b", "B, C, 2002", 2, 0), few,
			{Strategy: lab.Strategy{Name: "old", Paper: "A, 2001"}, Directed: &record.Rates{HarmonicMean: 1}}}},
		{Graph: "g:2", Vertices: 99, Rows: []lab.Row{row("a", "A, 2001", 6, 100), row("b", "B, C, 2002", 6, 0),
			{Strategy: lab.Strategy{Name: "c"}, Fault: "x"}, {Strategy: lab.Strategy{Name: "d"}, Full: true}, elsewhere},
			LeftOut: []lab.LeftOut{{Strategy: "e", Reason: "it is late"}}},
	}
}

func TestFindings(t *testing.T) {
	s := Study{Factor: 1.25, Graphs: []Graph{{Name: "one", Family: "x"}, {Name: "two", Family: "y"}}}
	rate := func(of, over string) Claim { return Claim{Figure: "rate", Of: of, Over: over, AtLeast: 2} }
	on := func(c Claim, graphs ...string) Claim { c.Graphs = graphs; return c }
	for _, c := range []struct {
		claim Claim
		want  string
	}{
		{rate("a", "b"), "It holds on one, is indistinguishable from no effect on two."},
		{rate("b", "a"), "It does not hold on one, is indistinguishable from no effect on two."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Mean: true, AtLeast: 3}, "It is smaller."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Mean: true, Families: []string{"x", "z"}, AtLeast: 3},
			"It holds on one, has no verdict on z graphs (not in the study)."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Families: []string{"y"}, AtLeast: 3},
			"It is indistinguishable from no effect."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Vertices: 50, Published: []float64{1, 2}},
			"It is indistinguishable from no effect on two, is undecided at this size on one (the graph is smaller than the " +
				"claim requires)."},
		{Claim{Figure: "inspected", Of: "a", AtMost: 3.9, Factor: 1.01}, "It holds on two, does not hold on one."},
		{Claim{Figure: "inspected", Of: "a", Over: "b", AtLeast: 2},
			"It has no verdict on one and two (inspected of b is 0 or not counted)."},
		{on(rate("few", "b"), "one"), "It is undecided at this size (n is below 6)."},
		{on(rate("few", "few"), "one"), "It is undecided at this size (n is below 6)."},
		{on(rate("old", "a"), "one"), "It has no verdict (no times by source are stored, so ratios cannot be paired)."},
		{on(rate("a", "cores"), "two"), "It has no verdict (a and cores ran on two machines)."},
		{on(Claim{Figure: "inspected", Of: "a", Over: "a", AtLeast: 2}, "two"), "It is indistinguishable from no effect."},
		{on(rate("a", "e"), "two"), "It has no verdict (e was left out, since it is late)."},
		{Claim{Figure: "rate", Of: "c", Over: "a", Mean: true, AtLeast: 2}, "It has no verdict (on one c was not measured)."},
		{rate("d", "a"), "It has no verdict on one (d was not measured), on two (duplicates filled a queue of d)."},
		{on(rate("c", "a"), "two"), "It has no verdict (c found a wrong result)."},
		{on(rate("a", "b"), "three"), "It was not measured."},
	} {
		if f := s.find(c.claim, twoGraphs()); f.Sentence != c.want {
			t.Errorf("%+v: %+v, want %q", c.claim, f, c.want)
		}
	}
}

// Pairs by source remove the variation between sources, and the interval does not vary between calls.
func TestIntervals(t *testing.T) {
	a, b := row("a", "", 8, 0), row("b", "", 4, 0)
	c := Claim{Figure: "rate", Of: "a", Over: "b", AtLeast: 2}
	logs := expect.Value(c.of(lab.GraphFigures{Rows: []lab.Row{a, b}}))(t)
	i := logs.interval()
	if i != logs.interval() || i.N != 8 || i.Low > i.Figure || i.High < i.Figure || i.High-i.Low > 0.2 ||
		math.Abs(i.Figure-2) > 0.1 {
		t.Errorf("%+v", i)
	}
	x, errX := c.logs(a)
	y, errY := c.logs(b)
	if wide := (sample{{1, x}, {-1, y}}).interval(); errX != nil || errY != nil || wide.High-wide.Low < 5*(i.High-i.Low) {
		t.Errorf("unpaired %+v, %v, %v", wide, errX, errY)
	}
}

// A replicate draws one measurement fewer than there are (Rao, Wu, JASA 1988): one of two, and no mean of both.
func TestReplicates(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		if x := (stratum{1, []float64{0, 1}}).resampled(random); x != 0 && x != 1 {
			t.Fatalf("a replicate of 0 and 1 is %g", x)
		}
	}
	if got, want := (Interval{2, 1, 4, 7}).inverse(), (Interval{0.5, 0.25, 1, 7}); got != want {
		t.Errorf("the reciprocal of 1 to 4 is %+v, want %+v", got, want)
	}
}

// A result names the GPUs that had shares of a graph, if there were several.
func TestMachinesOfShares(t *testing.T) {
	one, two := lab.Row{Shares: []lab.Share{{GPU: 0}, {GPU: 0}}}, lab.Row{Shares: []lab.Share{{GPU: 0}, {GPU: 1}}}
	for want, rows := range map[string][]lab.Row{"H": {one}, "H (shares of graphs on GPUs 0 and 1)": {one, two}} {
		r := Result{Machines: []string{"H"}, Graphs: []lab.GraphFigures{{Rows: rows}}}
		expect.Equal(t, r.On(), want)
	}
}

// About 99% of the intervals of ten normal numbers include the mean, whose logarithm is 0; at n = 10 some less.
func TestIntervalsCover(t *testing.T) {
	random, covered := rand.New(rand.NewPCG(3, 4)), 0
	for range 400 {
		var x []float64
		for range 10 {
			x = append(x, random.NormFloat64())
		}
		if i := (sample{{1, x}}).interval(); i.Low <= 1 && i.High >= 1 {
			covered++
		}
	}
	if covered < 380 || covered == 400 {
		t.Errorf("%d of 400", covered)
	}
}

func TestVerdicts(t *testing.T) {
	one := func(x ...float64) Claim { return Claim{Published: x} }
	for _, c := range []struct {
		claim             Claim
		figure, low, high float64
		want              Verdict
	}{
		{one(4.2), 4.2, 4, 5, Holds}, {one(4.2), 3.4, 2, 6, Holds}, {one(4.2), 5.2, 5, 6, Holds},
		{one(4.2), 3.3, 3, 6, Smaller}, {one(4.2), 5.3, 4, 6, Larger}, {one(4.2), 0.9, 0.8, 0.99, DoesNotHold},
		{one(4.2), 4.2, 0.99, 9, NoEffect}, {one(2, 37.5), 50, 49, 51, Larger}, {one(2, 37.5), 30, 20, 40, Holds},
		{one(2, 37.5), 1.5, 1.4, 1.7, Smaller}, {one(1.03), 0.99, 0.98, 0.995, DoesNotHold},
		{one(1.03), 1.01, 1.001, 1.02, Holds}, {one(1.03), 1.02, 0.999, 1.04, NoEffect},
		{Claim{AtLeast: 2}, 100, 90, 110, Holds}, {Claim{AtLeast: 1}, 0.9, 0.8, 0.99, DoesNotHold},
		{Claim{AtLeast: 1}, 1.1, 1.01, 1.2, Holds}, {Claim{AtLeast: 1}, 0.99, 0.9, 1.1, NoEffect},
		{Claim{AtMost: 1}, 0.5, 0.4, 0.6, Holds}, {Claim{AtMost: 1}, 1.1, 1.05, 1.2, DoesNotHold},
		{Claim{AtMost: 0.5}, 0.7, 0.6, 0.8, Larger}, {Claim{AtMost: 0.5}, 0.01, 0.01, 0.02, Holds},
		{one(0.21), 0.12, 0.11, 0.13, Smaller}, {one(0.21), 0.2, 0.15, 0.25, Holds}, {one(0.21), 0.4, 0.3, 0.5, Larger},
		{one(1), 1.01, 0.9, 1.2, Holds}, {one(1), 1.01, 0.7, 1.2, Undecided}, {one(1), 1.4, 1.3, 1.5, DoesNotHold},
		{Claim{AtMost: 1.05}, 1.3, 1.2, 1.31, Holds}, {Claim{AtMost: 1.05}, 1.4, 1.35, 1.5, DoesNotHold},
		{Claim{AtMost: 1.05}, 1.3, 1.2, 1.35, Undecided}, {one(0.8, 1.3), 1, 0.7, 1.1, Holds},
	} {
		expect.Equal(t, c.claim.verdict(Interval{c.figure, c.low, c.high, 6}, 1.25), c.want, c)
	}
	for want, c := range map[string]Claim{"4.2": one(4.2), "2 to 37.5": one(2, 37.5), "at least 2": {AtLeast: 2},
		"at most 1.05": {AtMost: 1.05}} {
		expect.Equal(t, c.PublishedText(), want)
	}
}

// The stored studies in results are readable, with the verdicts and sentences of the present rule.
func TestStoredStudies(t *testing.T) {
	for _, folder := range []string{"h200/2026-11-23-color", "h100x2/2026-11-26-lab-studies"} {
		all, err := Read(filepath.Join(results.Unpack(t, "../../results", folder), folder))
		if err != nil || len(all) == 0 {
			t.Errorf("%s: %d, %v", folder, len(all), err)
		}
		for _, r := range all {
			for _, f := range r.Findings {
				expect.Equal(t, f.Sentence, f.sentence(), r.Study.Name, f)
				for _, m := range f.Measured {
					if m.N > 0 && f.verdict(m.Interval, f.Within) != m.Verdict {
						t.Errorf("%s: %+v", r.Study.Name, m)
					}
				}
			}
		}
	}
}
