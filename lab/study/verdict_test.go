// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/record"
	"g500/results"
)

// row returns a row with 33 searches: their rates vary with the source, between half and twice the rate, and by 2% with
// the strategy.
func row(name, paper string, rate float64, inspected int64) lab.Row {
	r := lab.Row{Strategy: lab.Strategy{Name: name, Paper: paper}, Directed: &record.Rates{HarmonicMean: rate}}
	for i := range 33 {
		bySource, noise := math.Exp2(float64(i)/16-1), 1+0.02*float64((i*len(name)*int(rate))%3-1)
		s := lab.Search{Source: uint32(i), DirectedEdges: 100, Reached: 10}
		s.Seconds, s.Counts = 100/(rate*bySource*noise), &lab.Counts{Inspected: inspected, Launches: int64(rate)}
		r.Searches = append(r.Searches, s)
	}
	return r
}

// twoGraphs returns figures of strategies a, twice, and b on two graphs. On the second c was wrong, d full and e left
// out.
func twoGraphs() []lab.GraphFigures {
	few := row("few", "A, 2001", 8, 100)
	few.Searches, few.Searches[0].Counts = few.Searches[:31], nil
	elsewhere := row("cores", "B, C, 2002", 1, 0)
	elsewhere.Machine = "cores"
	return []lab.GraphFigures{
		{Graph: "g:1", Vertices: 10, Rows: []lab.Row{row("a", "A, 2001", 8, 400), row("a again", "A, 2001", 8, 400),
			row("b", "B, C, 2002", 2, 0), few, {Strategy: lab.Strategy{Name: "old", Paper: "A, 2001"},
				Directed: &record.Rates{HarmonicMean: 1}}}},
		{Graph: "g:2", Vertices: 99, Rows: []lab.Row{row("a", "A, 2001", 6, 100), row("a again", "A, 2001", 6, 100),
			row("b", "B, C, 2002", 6, 0), {Strategy: lab.Strategy{Name: "c"}, Fault: "x"},
			{Strategy: lab.Strategy{Name: "d"}, Full: true}, elsewhere},
			LeftOut: []lab.LeftOut{{Strategy: "e", Reason: "it is late"}}},
	}
}

func TestFindings(t *testing.T) {
	s := Study{Factor: 1.25, Narrow: 1.05, OtherLoad: 0.1, Pairs: []string{"a"},
		Graphs: []Graph{{Name: "one", Family: "x"}, {Name: "two", Family: "y"}}}
	ratio := func(of, over string) Claim { return Claim{Figure: rate, Of: of, Over: over, AtLeast: 2} }
	on := func(c Claim, graphs ...string) Claim { c.Graphs = graphs; return c }
	requires := func(r Condition) Claim { c := on(ratio("a", "b"), "one"); c.Requires = []Condition{r}; return c }
	a, inspected := ratio("a", "b"), Claim{Figure: "inspected", Of: "a", AtMost: 3.9}
	mean, families, across := a, a, on(ratio("a", "cores"), "two")
	mean.AtLeast, across.Across = 3, true
	mean.Mean, families.Mean, families.Families = true, true, []string{"x", "z"}
	for _, c := range []struct {
		claim Claim
		want  string
	}{
		{a, "Reproduced on one; not reproduced on two."},
		{ratio("b", "a"), "Not reproduced on one and two."},
		{mean, "Direction only on mean of 2 graphs."},
		{on(mean, "one", "two"), "Direction only on mean of 2 graphs."},
		{on(mean, "one", "two", "three"),
			"No verdict on mean of 2 graphs (the mean lacks 1 of its 3 graphs)."},
		{on(mean, "one", "three"), "No verdict on one (the mean lacks 1 of its 2 graphs)."},
		{families, "Reproduced on one; no verdict on z graphs (not measured)."},
		{on(families, "one", "two"), "Reproduced on one; no verdict on z graphs (not measured)."},
		{Claim{Figure: rate, Of: "a", Over: "b", Vertices: 50, Graphs: []string{"one"}, AtLeast: 1},
			"No verdict on one (the graph is smaller than the claim requires)."},
		{inspected, "Reproduced on two; not reproduced on one."},
		{Claim{Figure: "inspected", Of: "a", Over: "b", AtLeast: 2},
			"No verdict on one and two (inspected of a over b is 0)."},
		{on(Claim{Figure: "expanded", Of: "few", AtMost: 1}, "one"), "No verdict on one (expanded of few was not measured)."},
		{on(ratio("few", "b"), "one"), "No verdict on one (n is below 32)."},
		{on(ratio("old", "a"), "one"), "No verdict on one (no single searches are stored)."},
		{on(ratio("a", "cores"), "two"), "No verdict on two (a and cores ran on two machines)."},
		{across, "Reproduced on two."},
		{on(ratio("a", "e"), "two"), "No verdict on two (e was left out, since it is late)."},
		{Claim{Figure: rate, Of: "c", Over: "a", Mean: true, AtLeast: 2},
			"No verdict on mean of 2 graphs (on one c was not measured)."},
		{on(ratio("d", "a"), "two"), "No verdict on two (duplicates filled a queue of d)."},
		{on(Claim{Figure: "inspected", Of: "d", AtMost: 1.05}, "two"),
			"Not reproduced on two (duplicates filled a queue of d)."},
		{on(Claim{Figure: "inspected", Of: "d", AtLeast: 4}, "two"), "No verdict on two (duplicates filled a queue of d)."},
		{on(ratio("c", "a"), "two"), "No verdict on two (c found a wrong result)."},
		{on(a, "three"), "Not measured."},
		{requires(Condition{Figure: "launches", Of: "a", Over: "b", AtLeast: 4}), "Reproduced on one."},
		{requires(Condition{Figure: "launches", Of: "a", Over: "b", AtLeast: 4.01}),
			"No verdict on one (launches of a over b is 4, and must be at least 4.01)."},
		{requires(Condition{Figure: "inspected", AtMost: 1.05}),
			"No verdict on one (inspected of a is 4, and must be at most 1.05)."},
		{requires(Condition{Figure: "hits", Of: "b", AtLeast: 0.01}),
			"No verdict on one (hits of b is NaN, and must be at least 0.01)."},
		{requires(Condition{Figure: "hits", Of: "e", AtLeast: 0.01}), "No verdict on one (e was not measured)."},
	} {
		f := s.find(c.claim, twoGraphs(), "")
		expect.That(t, f.Sentence == c.want, "%+v: %+v, want %q", c.claim, f, c.want)
	}
}

// Rates have no verdicts if identical programs differ on a graph of the study, or were not compared on the graph, or if
// other programs loaded the machine; counted figures have. If identical programs vary, a claim must hold by more. Pairs
// by source remove the variation between sources.
func TestDisturbedStudies(t *testing.T) {
	s := Study{Factor: 1.25, Narrow: 1.05, OtherLoad: 0.1, Pairs: []string{"a"},
		Graphs: []Graph{{Name: "one"}, {Name: "two"}},
		Claims: []Claim{{Figure: rate, Of: "a", Over: "b", Graphs: []string{"one"}, AtLeast: 2},
			{Figure: "inspected", Of: "a", Graphs: []string{"one"}, AtMost: 4}}}
	for want, change := range map[string]func(one, two *lab.GraphFigures){
		"Reproduced on one.": func(_, _ *lab.GraphFigures) {},
		"No verdict on one (identical programs differ: two 1.19 (1.17 to 1.21, n = 33, 99.5%) of a again).": func(
			_, two *lab.GraphFigures) {
			two.Rows[1] = row("a again", "A, 2001", 7, 100)
		},
		"No verdict on one (the interval includes figures with and without the claim; with the error of identical programs " +
			"0.8 to 20).": func(one, _ *lab.GraphFigures) {
			for i := range one.Rows[1].Searches {
				one.Rows[1].Searches[i].Seconds *= math.Pow(5, float64(i%3-1))
			}
		},
		"No verdict on one (no identical programs ran 32 times on one).": func(one, _ *lab.GraphFigures) {
			one.Rows[1].Searches = one.Rows[1].Searches[:31]
		},
		"No verdict on one (other programs used 11% of the cores on one).": func(one, _ *lab.GraphFigures) {
			one.OtherLoad = 0.11
		},
		"No verdict on one (other programs used the GPU for 12% of the time before one).": func(one, _ *lab.GraphFigures) {
			one.OtherGPU = 0.12
		},
	} {
		graphs := twoGraphs()
		change(&graphs[0], &graphs[1])
		_, findings := s.findAll(graphs)
		expect.Equal(t, findings[0].Sentence, want)
		expect.Equal(t, findings[1].Sentence, "Reproduced on one.")
	}
}

// The ranks of order statistics and their coverage agree with tables of the sign test (Conover, table A3).
func TestEnclosing(t *testing.T) {
	for n, want := range map[int]struct {
		rank   int
		misses float64
	}{1: {0, 1}, 6: {0, 0.03125}, 8: {0, 0.0078125}, 12: {1, 0.00635}, 20: {3, 0.00258}, 32: {8, 0.00700}} {
		var logs []float64
		for i := range n {
			logs = append(logs, float64(n-1-i))
		}
		i, last := sample{logs}.interval(), n-1
		near := func(x float64, want float64) bool { return math.Abs(math.Log(x)-want) < 1e-9 }
		if !near(i.Low, float64(want.rank)) || !near(i.High, float64(last-want.rank)) || !near(i.Figure, float64(last)/2) ||
			math.Abs(1-i.Coverage-want.misses) > 5e-6 || i.N != n {
			t.Errorf("n = %d: %+v, want %+v", n, i, want)
		}
	}
}

// Intervals include the median of a skewed distribution as often as they say, also if rounds end as soon as they are
// narrow, and the same of a mean over three graphs.
func TestIntervalsCover(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) (x []float64) {
		for range n {
			x = append(x, 0.05*(random.ExpFloat64()-math.Ln2)) // its median is 0
		}
		return x
	}
	const trials = 4000
	var missed [3]float64
	for range trials {
		all := sample{draw(64)}
		early := all
		for n := leastRounds; n <= 64; n += lab.Batch {
			early = sample{all[0][:n]}
			if i := early.interval(); i.High < 1.05*i.Low {
				break
			}
		}
		for k, s := range []sample{all, early, {draw(32), draw(40), draw(64)}} {
			i := s.interval()
			if i.Low > 1 || i.High < 1 {
				missed[k]++
			}
			expect.Must(t, i.Coverage >= 0.99, "%+v", i)
		}
	}
	for k, n := range missed {
		expect.That(t, n <= 0.01*trials*1.3 && (k >= 2 || n >= 0.003*trials),
			"case %d: %g of %d intervals missed the median", k, n, trials)
	}
}

// Identical programs are equal, different, or neither: each for its reason, without a published figure.
func TestPairsHaveTheirOwnWords(t *testing.T) {
	row := func(name string, n int, seconds ...float64) (r lab.Row) {
		r.Strategy.Name = name
		for i := range n {
			s := lab.Search{DirectedEdges: 1, Reached: 1}
			s.Seconds = seconds[i%len(seconds)]
			r.Searches = append(r.Searches, s)
		}
		return r
	}
	for want, second := range map[string]lab.Row{
		"Equal on one.": row("a again", 32, 0.99, 1.02),
		"Different on one (rates of this study have no verdicts).":                      row("a again", 32, 1.02),
		"Not shown to be equal on one (the interval is wide: an error of rates there).": row("a again", 32, 0.9, 1.1),
		"Too few searches on one (n is below 32: rates there have no verdicts).":        row("a again", 31, 1),
	} {
		s := Study{Narrow: 1.05, Pairs: []string{"a"}, Graphs: []Graph{{Name: "one"}}}
		pairs, _ := s.pairs([]lab.GraphFigures{{Rows: []lab.Row{row("a", 32, 1), second}}})
		expect.Equal(t, pairs[0].Sentence, want)
		expect.Equal(t, pairs[0].PublishedText(), "")
	}
}

func TestVerdicts(t *testing.T) {
	ratio := func(c Claim) Claim { c.Over = "b"; return c }
	one := func(x ...float64) Claim { return ratio(Claim{Published: x}) }
	least, most := ratio(Claim{AtLeast: 2}), ratio(Claim{AtMost: 0.5})
	faster, slower := ratio(Claim{AtLeast: 1}), ratio(Claim{AtMost: 1})
	inspected, alone := Claim{AtMost: 1.05}, Claim{Published: []float64{0.064}}
	for _, c := range []struct {
		claim     Claim
		low, high float64
		want      Verdict
	}{
		{one(4.2), 3.6, 5, Reproduced}, {one(4.2), 3.5, 4.2, Direction}, {one(4.2), 4.3, 5.3, Direction},
		{one(4.2), 0.9, 0.99, NotReproduced}, {one(4.2), 0.9, 3, NotReproduced}, {one(4.2), 0.99, 9, None},
		{one(1.5), 1.21, 1.23, Direction}, {one(1.5), 1.41, 1.6, Reproduced}, {one(1.1), 1.2, 1.3, Direction},
		{one(2, 37.5), 2, 37.5, Reproduced}, {one(2, 37.5), 1.63, 1.7, Direction}, {one(2, 37.5), 1.9, 2.1, Direction},
		{one(2, 37.5), 40, 50, Direction}, {one(1, 2), 1.005, 1.5, None}, {one(1, 2), 1.02, 1.5, Reproduced},
		{one(1.03), 0.98, 0.995, NotReproduced}, {one(1.03), 1.025, 1.035, Reproduced}, {one(1.03), 0.999, 1.04, None},
		{least, 2, 110, Reproduced}, {least, 1.64, 1.65, Direction}, {least, 1.9, 2.1, Direction}, {least, 0.9, 3, None},
		{least, 0.9, 1.9, NotReproduced}, {faster, 1.02, 40, Direction}, {faster, 1.001, 1.2, None},
		{faster, 0.98, 1.005, NotReproduced}, {slower, 0.9, 0.98, Direction}, {slower, 0.9, 0.995, None},
		{slower, 1, 1.2, NotReproduced}, {most, 0.4, 0.5, Reproduced}, {most, 0.6, 0.8, Direction},
		{one(0.38), 0.36, 0.4, Reproduced}, {one(0.38), 0.6, 0.7, Direction}, {one(0.38), 1, 1.2, NotReproduced},
		{one(1), 0.9, 1.2, Reproduced}, {one(1), 0.7, 1.2, None}, {one(1), 1.3, 1.5, NotReproduced},
		{inspected, 1, 1.05, Reproduced}, {inspected, 1.06, 1.07, NotReproduced}, {inspected, 1.04, 1.06, None},
		{alone, 0.055, 0.07, Reproduced}, {alone, 0.007, 0.009, NotReproduced},
	} {
		got, reason := c.claim.verdict(Interval{Low: c.low, High: c.high}, 1.25)
		expect.That(t, got == c.want && (got == None) == (reason != ""),
			"%s is %q (%s), want %q: %+v", c.claim.PublishedText(), got, reason, c.want, c)
	}
	for want, c := range map[string]Claim{"4.2": one(4.2), "2 to 37.5": one(2, 37.5), "at least 2": least,
		"at most 1.05": inspected} {
		expect.Equal(t, c.PublishedText(), want)
	}
}

// The stored studies in results are readable.
func TestStoredStudies(t *testing.T) {
	for _, sets := range []string{"h200/2026-11-23-color", "*/*-lab-studies"} {
		folders := expect.Value(filepath.Glob(filepath.Join(results.Unpack(t, "../../results", sets), sets)))(t)
		for _, folder := range folders {
			all, unread := Read(folder, nil)
			expect.That(t, len(unread) == 0 && len(all) != 0, "%s: %d, %v", folder, len(all), unread)
		}
	}
}

// Each published value belongs to a study of the program with strategies of the program, and is a positive number.
func TestPublishedValues(t *testing.T) {
	for _, v := range publishedValues() {
		s, err := Load(v.study)
		expect.NoError(t, err)
		for _, name := range []string{v.Of, v.Over} {
			_, err := s.choose(name)
			expect.That(t, name == "" || err == nil, "%+v: %v", v, err)
		}
		known := slices.Contains([]string{"rate", "inspected"}, v.Figure)
		expect.That(t, v.Place != "" && v.Machine != "" && v.Graph != "" && (v.Value > 0) && known, "%+v", v)
	}
	for _, name := range []string{"merrill", "merrill-gpus", "enterprise", "enterprise-gpus", "chen"} {
		expect.That(t, len(Published(name)) != 0, "%s has no published values", name)
	}
}
