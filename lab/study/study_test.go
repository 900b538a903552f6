package study

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/graph/formats"
	"g500/lab"
	"g500/lab/color"
	"g500/record"
)

// Each study of the program has graphs that can be made, claims about strategies that run on the graphs of the claim,
// and strategies of the paper.
func TestShippedStudies(t *testing.T) {
	if got := strings.Join(Names(), " "); got != "busato chen enterprise merrill toedling" {
		t.Error(got)
	}
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := s.choose(strings.Join(s.Strategies, ","))
		if err != nil || s.Name != name || len(s.Claims) == 0 {
			t.Errorf("%+v, %v", s, err)
		}
		papers := map[string]bool{}
		for _, c := range chosen {
			papers[c.Paper] = true
		}
		if !papers[s.Paper] || s.Kind == BFS && !papers[Ours] {
			t.Errorf("%s: no strategy of %s, or none of this project", name, s.Paper)
		}
		for _, g := range s.Graphs {
			if _, err := formats.Parse(g.Spec); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, c := range s.Claims {
			on := c.Graphs
			if len(on) == 0 {
				on = s.graphNames()
			}
			for _, g := range s.Graphs {
				searched, err := s.choose(s.namesOn(g))
				if !slices.Contains(on, g.Name) || err != nil {
					continue
				}
				for _, strategy := range []string{c.Of, c.Over} {
					if strategy != "" && !slices.ContainsFunc(searched, func(l lab.Strategy) bool { return l.Name == strategy }) {
						t.Errorf("%s: %q needs %s on %s", name, c.Says, strategy, g.Name)
					}
				}
			}
		}
	}
}

const small = `
paper = "Doe, 2026"
strategies = ["cpu-*", "merrill-hybrid"]
sources = 3
[[graph]]
name = "grid"
spec = "grid2d:9x5"
[[claim]]
says = "it is fast"
place = "table 1"
figure = "rate"
of = "cpu-hybrid"
over = "cpu-topdown"
published = [2, 3]
`

// The error of a faulty study names the cure.
func TestFaultyStudies(t *testing.T) {
	if s, err := parse(small); err != nil || s.Seed != 2 || s.Factor != 1.25 || s.Sources != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`paper = "Doe, 2026"`, "", "name the paper"},
		{`"cpu-*", `, `"pigeon", `, `there is no strategy "pigeon"`},
		{"sources = 3", "sources = 0", "choose 1 or more"},
		{"sources = 3", "runs = 3", "and no runs"},
		{"sources = 3", `kind = "colour"`, "choose bfs or color"},
		{"sources = 3", "factor = 0.5", "choose 1 or more"},
		{"sources = 3", "sources = 3\nsauces = 3", `there is no setting "sauces"`},
		{"sources = 3", "sources = ", "line 4"},
		{"sources = 3", `sources = "3"`, "sources"},
		{`name = "grid"`, `name = "../grid"`, "give each a spec, and a unique name"},
		{`name = "grid"`, `name = "study"`, "other than study"},
		{`spec = "grid2d:9x5"`, "", "give each a spec"},
		{`spec = "grid2d:9x5"`, "spec = \"grid2d:9x5\"\nstrategies = [\"pigeon\"]", `there is no strategy "pigeon"`},
		{`says = "it is fast"`, "", "claim 1: give the claim"},
		{`figure = "rate"`, `figure = "beauty"`, "choose colors, conflicts, inspected, rate, repeated, rounds"},
		{`over = "cpu-topdown"`, "", "name the strategy"},
		{`over = "cpu-topdown"`, `over = "toedling-naive"`, "strategy toedling-naive is not in the study"},
		{`over = "cpu-topdown"`, "over = \"cpu-topdown\"\ngraphs = [\"road\"]", `graph "road" is not in the study`},
		{"published = [2, 3]", "", "give one of"},
		{"published = [2, 3]", "published = [3, 2]", "give one of"},
		{"published = [2, 3]", "published = [2, 3]\nat_least = 2", "give one of"},
		{"published = [2, 3]", "at_most = 2\nfactor = 0.1", "choose 1 or more"},
	} {
		if _, err := parse(strings.Replace(small, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
	if _, err := parse("paper = \"x\"\nstrategies = [\"all\"]"); err == nil || !strings.Contains(err.Error(), "no graph") {
		t.Error(err)
	}
	if _, err := Load("nowhere"); err == nil || !strings.Contains(err.Error(), "not one of busato, chen, enterprise") {
		t.Error(err)
	}
}

type silent struct{}

func (silent) Step(string, int64) {}
func (silent) Advance(int64)      {}
func (silent) Note(string)        {}

const smallColoring = `
kind = "color"
paper = "Doe, 2026"
strategies = ["serial", "parallel", "data"]
runs = 2
graph = [{name = "first", spec = "grid2d:2x1"}, {name = "second", spec = "grid2d:2x1"}]
[[claim]]
says = "it needs no more colours"
place = "table 1"
figure = "colors"
of = "parallel"
over = "serial"
published = [1]
[[claim]]
says = "it is fast"
place = "table 1"
figure = "rate"
of = "data"
over = "serial"
published = [2]
`

// A study measures runs and compares figures, continues after an interruption, and does not mix figures of different
// settings.
func TestRun(t *testing.T) {
	s, err := parse(smallColoring)
	if err != nil {
		t.Fatal(err)
	}
	began, cut, loads := time.Now(), errors.New("interrupted"), 0
	r := Runner[color.Machine]{Dir: filepath.Join(t.TempDir(), "deep", "study"), Watch: silent{},
		Machines: []color.Machine{color.NewCores(1, func() time.Duration { return time.Since(began) })}}
	r.Load = func(context.Context, string) (*lab.Graph, error) {
		if loads++; loads == 2 {
			return nil, cut
		}
		return lab.Symmetric("pair", 2, [][2]uint32{{0, 1}}), nil
	}
	fails := func(s Study, want string) {
		if _, err := RunColorings(context.Background(), s, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	fails(s, "interrupted")
	if so, err := Read(filepath.Dir(r.Dir)); err != nil || len(so) != 1 || len(so[0].Graphs) != 1 {
		t.Errorf("%+v, %v", so, err)
	}
	if result, err := RunColorings(context.Background(), s, r); err != nil || loads != 3 || result.Wrong() {
		t.Errorf("%v, %d loads, %+v", err, loads, result)
	}
	stored, err := Read(r.Dir)
	if err != nil || len(stored) != 1 || len(stored[0].Graphs) != 2 || len(stored[0].Findings) != 2 {
		t.Fatalf("%+v, %v", stored, err)
	}
	for i, want := range []string{"It holds on first and second.",
		"It is undecided on first and second: data was left out, since it needs a GPU"} {
		if got := stored[0].Findings[i].Sentence; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	rows := stored[0].Graphs[0].Rows
	if len(rows) != 2 || rows[0].Coloring.Colors != 2 || rows[0].Coloring.Runs != nil {
		t.Errorf("%+v", rows)
	}
	if tables := stored[0].Tables(); !strings.Contains(tables[0].Note, "2 colourings") || tables[2].Rows[1][1] != "2" {
		t.Errorf("%+v", tables)
	}
	if best := BestByGraph(stored); best != nil {
		t.Errorf("%+v are searches", best)
	}
	for _, change := range []func(*Study){
		func(s *Study) { s.Runs++ },
		func(s *Study) { s.Strategies = []string{"serial"} },
		func(s *Study) { s.Graphs = []Graph{{Name: "first", Spec: "grid2d:1x2"}} },
	} {
		other := s
		change(&other)
		fails(other, "other settings")
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "first.json"), []byte("{"), 0o644); err != nil {
		t.Error(err)
	}
	fails(s, "damaged, remove it")
	if s.Runs = 0; s.check() == nil || !strings.Contains(s.check().Error(), "1 or more runs") {
		t.Error(s.check())
	}
}

// row returns a row with figures.
func row(name, paper string, rate, inspected float64) lab.Row {
	return lab.Row{Strategy: lab.Strategy{Name: name, Paper: paper}, InspectedShare: inspected,
		Directed: &record.Rates{HarmonicMean: rate}}
}

// twoGraphs returns figures of strategies a and b on two graphs. On the second c was wrong, d full and e left out.
func twoGraphs() []lab.GraphFigures {
	return []lab.GraphFigures{{Graph: "g:1", Rows: []lab.Row{row("a", "A, 2001", 8, 4), row("b", "B, C, 2002", 2, 0)}}, {
		Graph: "g:2", Rows: []lab.Row{row("a", "A, 2001", 6, 1), row("b", "B, C, 2002", 6, 0),
			{Strategy: lab.Strategy{Name: "c"}, Fault: "x"}, {Strategy: lab.Strategy{Name: "d"}, Full: true}},
		LeftOut: []lab.LeftOut{{Strategy: "e", Reason: "it is late"}},
	}}
}

func TestFindings(t *testing.T) {
	s := Study{Factor: 1.25, Graphs: []Graph{{Name: "one"}, {Name: "two"}}}
	for _, c := range []struct {
		claim    Claim
		measured string
		want     string
	}{
		{Claim{Figure: "rate", Of: "a", Over: "b", Published: []float64{3.5}}, "one 4, two 1",
			"It holds on one, does not hold on two."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Mean: true, AtLeast: 3}, "mean of 2 graphs 2", "It is weaker."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Published: []float64{1, 2}}, "one 4, two 1",
			"It holds on two, is stronger on one."},
		{Claim{Figure: "inspected", Of: "a", AtMost: 3.9, Factor: 1.01}, "one 4, two 1",
			"It holds on two, does not hold on one."},
		{Claim{Figure: "inspected", Of: "a", Graphs: []string{"two"}, AtMost: 1.05}, "two 1", "It holds."},
		{Claim{Figure: "rate", Of: "a", Over: "e", Graphs: []string{"two"}, AtLeast: 2}, "nothing",
			"It is undecided: e was left out, since it is late."},
		{Claim{Figure: "rate", Of: "c", Over: "a", Mean: true, AtLeast: 2}, "nothing",
			"It is undecided: on one c was not measured."},
		{Claim{Figure: "rate", Of: "d", Over: "a", AtLeast: 2}, "nothing",
			"It is undecided on one and two: d was not measured; duplicates filled a queue of d."},
		{Claim{Figure: "rate", Of: "c", Over: "a", Graphs: []string{"two"}, AtLeast: 2}, "nothing",
			"It is undecided: c found a wrong result."},
		{Claim{Figure: "inspected", Of: "a", Over: "b", Graphs: []string{"one"}, AtLeast: 2}, "nothing",
			"It is undecided: inspected of b is 0 or not counted."},
		{Claim{Figure: "rate", Of: "a", Over: "b", Graphs: []string{"three"}, AtLeast: 2}, "nothing", "It was not measured."},
	} {
		if f := s.find(c.claim, twoGraphs()); f.MeasuredText() != c.measured || f.Sentence != c.want {
			t.Errorf("%+v: %q, %q", c.claim, f.MeasuredText(), f.Sentence)
		}
	}
}

func TestVerdicts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		figure, low, high float64
		want              Verdict
	}{
		{4.2, 4.2, 4.2, Holds}, {3.4, 4.2, 4.2, Holds}, {5.2, 4.2, 4.2, Holds},
		{3.3, 4.2, 4.2, Weaker}, {5.3, 4.2, 4.2, Stronger}, {0.9, 4.2, 4.2, DoesNotHold},
		{50, 2, 37.5, Stronger}, {30, 2, 37.5, Holds}, {1.5, 2, 37.5, Weaker}, {1, 2, 37.5, DoesNotHold},
		{100, 2, inf, Holds}, {1.1, 2, inf, Weaker}, {0.79, 1, inf, DoesNotHold}, {0.81, 1, inf, Holds},
		{1.3, 0, 1.05, Holds}, {1.4, 0, 1.05, DoesNotHold}, {0.1, 0, 1.05, Holds},
		{0.5, 0.37, 0.37, DoesNotHold}, {0.2, 0.37, 0.37, DoesNotHold}, {0.4, 0.37, 0.37, Holds},
	} {
		if got := verdictOf(c.figure, c.low, c.high, 1.25); got != c.want {
			t.Errorf("%g of %g to %g %s, want %s", c.figure, c.low, c.high, got, c.want)
		}
	}
	for want, c := range map[string]Claim{"4.2": {Published: []float64{4.2}}, "2 to 37.5": {Published: []float64{2, 37.5}},
		"at least 2": {AtLeast: 2}, "at most 1.05": {AtMost: 1.05}} {
		if c.PublishedText() != want {
			t.Errorf("%q, want %q", c.PublishedText(), want)
		}
	}
}

// Each row of a table has as many cells as its head, and BestByGraph finds the best of each paper over all studies.
func TestTablesAndBest(t *testing.T) {
	s := Study{Paper: "A, 2001", Factor: 1.25, Graphs: []Graph{{Name: "one"}, {Name: "two"}},
		Claims: []Claim{{Figure: "rate", Of: "a", Over: "b", AtLeast: 2}}}
	r := Result{Study: s, Graphs: twoGraphs(), Findings: []Finding{s.find(s.Claims[0], twoGraphs())}}
	other := Result{Study: Study{Graphs: []Graph{{Name: "eins"}, {Name: "three"}}}, Graphs: []lab.GraphFigures{
		{Graph: "g:1", Rows: []lab.Row{row("ours", Ours, 99, 0), row("a2", "A, 2005", 9, 0)}},
		{Graph: "g:3", Rows: []lab.Row{row("ours", Ours, 99, 0)}}}}
	for _, table := range append(r.Tables(), SummaryTable([]Result{r})) {
		if len(table.Rows) == 0 {
			t.Errorf("%s is empty", table.Title)
		}
		for _, cells := range table.Rows {
			if len(cells) != len(table.Head) {
				t.Errorf("%s: %q", table.Title, cells)
			}
		}
	}
	best := BestByGraph([]Result{r, other})
	if len(best) != 2 || best[0].Name != "one" || !slices.Equal(best[0].Best,
		[]Best{{"A", "a2", 9}, {"B and C", "b", 2}, {Ours, "ours", 99}}) {
		t.Errorf("%+v", best)
	}
	if authors := authorsOf("A, B, C, PPoPP 2012"); authors != "A et al." {
		t.Error(authors)
	}
}
