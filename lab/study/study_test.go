// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/bench"
	"g500/graph/formats"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/color"
)

// Each study of the program has graphs that can be made, claims about strategies that run on the graphs of the claim,
// and strategies of the paper.
func TestShippedStudies(t *testing.T) {
	expect.Equal(t, strings.Join(Names(), " "), "busato chen enterprise-gpus enterprise merrill-gpus merrill toedling")
	for _, name := range Names() {
		s := expect.Value(Load(name))(t)
		chosen, err := s.choose(strings.Join(s.Strategies, ","))
		expect.That(t, err == nil && s.Name == name && len(s.Claims) != 0 && max(s.Sources, s.Runs) >= leastRounds,
			"%+v, %v", s, err)
		papers := map[string]bool{}
		for _, c := range chosen {
			papers[c.Paper] = true
		}
		expect.That(t, papers[s.Paper] && (s.Kind != BFS || papers[Ours]),
			"%s: no strategy of %s, or none of this project", name, s.Paper)
		little := s
		little.Shrink()
		for _, g := range little.Graphs {
			expect.NoError(t, expect.Err(formats.Parse(g.Spec)), name)
		}
		for _, c := range s.Claims {
			for _, set := range s.sets(c, len(s.Graphs)) {
				for _, i := range set.graphs {
					searched, err := s.choose(s.namesOn(s.Graphs[i]))
					for _, strategy := range []string{c.Of, c.Over} {
						named := func(l lab.Strategy) bool { return l.Name == strategy }
						expect.That(t, strategy == "" || err == nil && slices.ContainsFunc(searched, named),
							"%s: %q needs %s on %s, %v", name, c.Says, strategy, s.Graphs[i].Name, err)
					}
				}
			}
		}
	}
}

const small = `
paper = "Doe, 2026"
strategies = ["cpu*", "merrill-hybrid"]
sources = 3
[[graph]]
name = "grid"
spec = "grid2d:9x5"
[[claim]]
says = "it is fast"
place = "table 1"
figure = "rate"
of = "cpu"
over = "cpu-topdown"
published = [2, 3]
`

// The error of a faulty study names the cure.
func TestFaultyStudies(t *testing.T) {
	s, err := parse("s.toml", small)
	expect.Must(t, err == nil && s.Seed == 2 && s.Factor == 1.25 && s.Sources == 3 &&
		slices.Equal(s.Pairs, []string{"cpu"}), "%+v, %v", s, err)
	for _, c := range []struct{ old, new, want string }{
		{`paper = "Doe, 2026"`, "", "name the paper"},
		{`"cpu*", `, `"pigeon", `, `there is no strategy "pigeon"`},
		{"sources = 3", "sources = 0", "choose 1 or more"},
		{"sources = 3", "runs = 3", "and no runs"},
		{"sources = 3", `kind = "colour"`, "choose bfs or color"},
		{"sources = 3", "factor = 0.5", "choose 1 or more"},
		{"sources = 3", `graphs = "table 9"`, `graphs = "table 9" is no table: choose one of graphs of Busato`},
		{`spec = "grid2d:9x5"`, "spec = \"grid2d:9x5\"\nstrategies = [\"few\"]\n[lists]\nfew = [\"pigeon\"]",
			`there is no strategy "pigeon"`},
		{"sources = 3", "sources = 3\nsauces = 3", `s.toml:5: there is no setting "sauces": did you mean sources?`},
		{"sources = 3", "sources = ", "s.toml:4: "},
		{"sources = 3", `sources = "3"`, "s.toml:4: sources must be a whole number"},
		{`name = "grid"`, `name = "../grid"`, "give each a spec, and a unique name"},
		{`name = "grid"`, `name = "study"`, "other than study"},
		{`spec = "grid2d:9x5"`, "", "give each a spec"},
		{`spec = "grid2d:9x5"`, "spec = \"grid2d:9x5\"\nstrategies = [\"pigeon\"]", `there is no strategy "pigeon"`},
		{`says = "it is fast"`, "", "claim 1: give the claim"},
		{`figure = "rate"`, `figure = "beauty"`, "choose a figure of colors, conflicts, expanded, hits, inspected, launches"},
		{`over = "cpu-topdown"`, "", "name the strategy"},
		{`over = "cpu-topdown"`, `over = "toedling-naive"`, "strategy toedling-naive is not in the study"},
		{`over = "cpu-topdown"`, "over = \"cpu-topdown\"\ngraphs = [\"road\"]", `graph "road" is not in the study`},
		{"published = [2, 3]", "", "give one of"},
		{"published = [2, 3]", "published = [3, 2]", "give one of"},
		{"published = [2, 3]", "published = [2, 3]\nat_least = 2", "give one of"},
		{"published = [2, 3]", "published = [2]\nfactor = 0.1", "choose 1 or more"},
		{"published = [2, 3]", "published = [2, 3]\nfactor = 2", "bounds have no factor"},
		{"published = [2, 3]", "at_least = 2\nrequires = [{figure = \"launches\"}]", "in requires one bound"},
		{"published = [2, 3]", "at_least = 2\nrequires = [{figure = \"luck\", at_least = 1}]", "choose a figure of colors"},
		{"published = [2, 3]", "at_least = 2\nrequires = [{figure = \"hits\", of = \"x\", at_least = 1}]", "x is not"},
		{"sources = 3", "pairs = [\"merrill-fused\"]", `pairs has "merrill-fused", which is none of the strategies`},
		{"sources = 3", "narrow = 0.9", "choose 1 or more"},
		{"sources = 3", "kind = \"color\"\nplugins = [\"x.so\"]", "plugins have no effect on colourings"},
		{"sources = 3", "plugins = [\"x.so\", \"y/libx.so\"]", "two plugins have the name x: rename the file y/libx.so"},
		{"sources = 3", "other_load = 2", "choose a share of the cores"},
	} {
		expect.Error(t, expect.Err(parse("s.toml", strings.Replace(small, c.old, c.new, 1))), c.want, c.new)
	}
	expect.Error(t, expect.Err(parse("s.toml", "paper = \"x\"\nstrategies = [\"all\"]")), "no graph")
	expect.Error(t, expect.Err(Load("nowhere")), "not one of busato, chen, enterprise")
}

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
	s := expect.Value(parse("s.toml", smallColoring))(t)
	began, cut, loads := time.Now(), errors.New("interrupted"), 0
	r := Runner{Dir: filepath.Join(t.TempDir(), "deep[1", "study"), Watch: bench.Watchers{},
		Machines: []lab.Machine{color.NewCores(1, func() time.Duration { return time.Since(began) })}}
	r.Load = func(context.Context, string) (*lab.Graph, error) {
		if loads++; loads == 2 {
			return nil, cut
		}
		return lab.Symmetric("pair", 2, [][2]uint32{{0, 1}}), nil
	}
	fails := func(s Study, want string) { expect.Error(t, expect.Err(r.Run(context.Background(), s)), want) }
	fails(s, "interrupted")
	so, _ := Read(filepath.Dir(r.Dir), nil)
	expect.That(t, len(so) == 1 && len(so[0].Graphs) == 1, "%+v", so)
	result, err := r.Run(context.Background(), s)
	expect.That(t, err == nil && loads == 3 && !result.Wrong(), "%v, %d loads, %+v", err, loads, result)
	stored, unread := Read(r.Dir, nil)
	expect.Must(t, len(stored) == 1 && len(unread) == 0 && len(stored[0].Graphs) == 2 && len(stored[0].Findings) == 2,
		"%+v, %q", stored, unread)
	for i, want := range []string{"No verdict on first and second (n is below 32).",
		"No verdict on first and second (data was left out, since it needs a GPU"} {
		got := stored[0].Findings[i].Sentence
		expect.That(t, strings.HasPrefix(got, want), "%q, want %q", got, want)
	}
	rows := stored[0].Graphs[0].Rows
	expect.That(t, len(rows) == 3 && rows[0].Coloring.Colors == 2 && rows[0].Coloring.Runs == nil &&
		rows[2].Strategy.Name == "serial again", "%+v", rows)
	tables := stored[0].Tables()
	expect.That(t, strings.Contains(tables[0].Note, "2 colourings") && tables[3].Rows[1][1] == "2", "%+v", tables)
	best := BestByGraph(stored, false)
	expect.That(t, best == nil, "%+v are searches", best)
	for _, change := range []func(*Study){
		func(s *Study) { s.Runs++ },
		func(s *Study) { s.Strategies = []string{"serial"} },
		func(s *Study) { s.Graphs = []Graph{{Name: "first", Spec: "grid2d:1x2"}} },
	} {
		other := s
		change(&other)
		fails(other, "other settings")
	}
	newer := r
	newer.Program = "g500 99"
	expect.Error(t, expect.Err(newer.Run(context.Background(), s)), "program")
	expect.Write(t, filepath.Join(r.Dir, "first.json"), "{")
	fails(s, "damaged or cut off: remove it")
	expect.NoError(t, os.Remove(filepath.Join(r.Dir, "first.json")))
	leavesOut(t, r.Dir)
	s.Runs = 0
	expect.Error(t, s.check(), "1 or more runs")
}

// A study that a signal or its time limit stops resumes within a graph, and its searches have verdicts by other claims.
func TestLimit(t *testing.T) {
	s := expect.Value(parse("s.toml", strings.Replace(smallColoring, "runs = 2", "runs = 40", 1)))(t)
	now := time.Duration(0)
	ctx, stop := context.WithCancelCause(t.Context())
	clock := func() time.Duration {
		if now += time.Second; now > 40*time.Second {
			stop(errors.New("stopped by a signal"))
		}
		return now
	}
	r := Runner{Dir: t.TempDir(), Watch: bench.Watchers{}, Clock: clock,
		Machines: []lab.Machine{color.NewCores(1, clock)}}
	r.Load = func(context.Context, string) (*lab.Graph, error) {
		return lab.Symmetric("pair", 2, [][2]uint32{{0, 1}}), nil
	}
	expect.Error(t, expect.Err(r.Run(ctx, s)), "stopped by a signal")
	var kept graphFile
	expect.NoError(t, read(filepath.Join(r.Dir, "first.json"), &kept))
	runs := len(kept.Graphs[0].Rows[0].Coloring.Runs)
	expect.That(t, runs >= 2 && runs <= 15, "%d runs are kept", runs)
	calls := 0
	for missing := []string{""}; len(missing) > 0; calls++ {
		r.Until = now + 200*time.Second
		result := expect.Value(r.Run(context.Background(), s))(t)
		missing = result.Missing
		expect.Must(t, (calls != 0 || len(missing) != 0) && calls <= 9 &&
			(len(missing) == 0 || strings.Contains(result.Tables()[0].Note, "Not complete: ")),
			"call %d: %q is missing, %q", calls, missing, result.Tables()[0].Note)
	}
	expect.That(t, calls >= 3, "%d calls", calls)
	says := func(by *Study, want string) {
		all, unread := Read(r.Dir, by)
		if len(all) != 1 || len(unread) > 0 || // equal times are narrow:
			len(all[0].complete[1].Rows[0].Coloring.Runs) != leastRounds {
			t.Fatalf("%+v, %q", all, unread)
		}
		expect.Equal(t, all[0].Findings[0].Sentence, want)
	}
	says(nil, "Reproduced on first and second.")
	other := s
	other.Claims = []Claim{{Figure: "colors", Of: "parallel", Over: "serial", AtLeast: 2, Graphs: []string{"first"}}}
	says(&other, "Not reproduced on first.")
	other.Graphs = s.Graphs[1:]
	all, _ := Read(r.Dir, &other)
	expect.Equal(t, len(all[0].Graphs), 1, "graphs of the other study")
	other.Graphs = []Graph{{Name: "third"}}
	_, unread := Read(r.Dir, &other)
	expect.Error(t, errors.New(unread[0]), "it has none of the graphs of , which are third")
	other.Kind = BFS
	_, unread = Read(r.Dir, &other)
	expect.Error(t, errors.New(unread[0]), `it has the kind "color", not "bfs"`)
}

// leavesOut checks that results that cannot be used, next to one that can, are left out, each for its reason.
func leavesOut(t *testing.T, dir string) {
	for text, want := range map[string]string{
		"{":             "line 1 is no JSON: the text is damaged or cut off",
		"{} {}":         "line 1 is no JSON",
		`{"graphs": 3}`: "graphs must be a list",
		`{}`:            `no kind ""`,
		`{"format": 9}`: "use a newer g500-lab",
		`{"study": {"kind": "bfs"}, "graphs": [{}]}`: "figures of 1 graphs, and its study has 0",
	} {
		file := filepath.Join(dir, "other", "study.json")
		expect.Write(t, file, text)
		results, unread := Read(dir, nil)
		expect.That(t, len(results) == 1 && len(unread) == 1 && strings.HasPrefix(unread[0], file+" was left out: ") &&
			strings.Contains(unread[0], want), "%s: %d results, left out %q, want %q", text, len(results), unread, want)
	}
}

// A study searches the graphs of collections that a folder has, with any extension, and only those that are named.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	create := func(names ...string) {
		for _, name := range names {
			expect.Write(t, filepath.Join(dir, name), "")
		}
	}
	create("web", "web.co", "web.md5", "web.mtx.gz", "web.mtx.gz.md5", "web.2.mtx", "web.7z")
	expect.NoError(t, os.Mkdir(filepath.Join(dir, "web.gr"), 0o755))
	s := Study{Name: "x", Graphs: []Graph{{Name: "grid", Spec: "grid2d:2x2"},
		{Name: "web", Spec: "file:web,symmetric=no", Collection: "SNAP"},
		{Name: "road", Spec: "file:web-2", Collection: "DIMACS"}}}
	all := s
	expect.Equal(t, expect.Value(all.FindFiles(""))(t), []string{"web", "road"})
	missing, err := s.FindFiles(dir)
	expect.That(t, err == nil && slices.Equal(missing, []string{"road"}) && len(s.Graphs) == 2 &&
		s.Graphs[1].Spec == "file:"+filepath.Join(dir, "web.mtx.gz")+",symmetric=no" &&
		s.Graphs[1].Seen == "0 bytes with CRC-64 0000000000000000", "%+v, %q, %v", s.Graphs, missing, err)
	expect.NoError(t, s.Choose([]string{"web"}))
	expect.That(t, len(s.Graphs) == 1 && s.Graphs[0].Name == "web", "%+v", s.Graphs)
	expect.Error(t, s.Choose([]string{"web", "grid"}), `no graph "grid"`)
	expect.Error(t, expect.Err(s.FindFiles("")), "no file of web")
	expect.That(t, expect.Err(s.FindFiles(filepath.Join(dir, "nowhere"))) != nil, "no error without the folder")
	create("web.tar.GZ")
	s.Graphs = []Graph{{Name: "web", Spec: "file:web", Collection: "SNAP"}}
	_, err = s.FindFiles(dir)
	expect.Error(t, err, "web.mtx.gz and web.tar.GZ may both be")
}

// graphs/files.toml has each file that a shipped study names, with a page; a note says if a file is another graph.
func TestPublishedFiles(t *testing.T) {
	named := map[string]bool{}
	for _, name := range Names() {
		s := expect.Value(Load(name))(t)
		for _, g := range s.Graphs {
			if file, _, _ := strings.Cut(strings.TrimPrefix(g.Spec, filePrefix), ","); g.Collection != "" {
				named[file] = true
			}
		}
	}
	expect.Equal(t, slices.Sorted(maps.Keys(publishedFiles())), slices.Sorted(maps.Keys(named)))
	for name, f := range publishedFiles() {
		expect.That(t, strings.HasPrefix(f.Page, "http") && f.From != "" && f.Edges >= f.Vertices, "%s: %+v", name, f)
	}
	s := Study{Name: "x", Graphs: []Graph{{Name: "thermal2", Spec: "file:thermal2", Collection: "SuiteSparse"}}}
	_, err := s.FindFiles(t.TempDir())
	expect.Error(t, err, "https://sparse.tamu.edu/Schmid/thermal2")
	g := Graph{Name: "thermal2", Spec: "file:dir/thermal2.tar.gz,symmetric=no", Collection: "SuiteSparse"}
	expect.Equal(t, g.doubts(lab.GraphFigures{Vertices: 1228045}), "") // 1.2 million in the paper
	expect.Equal(t, g.doubts(lab.GraphFigures{Vertices: 12}), "thermal2: its file has 12 vertices, and "+
		"Chen et al., table 1 says 1200000: compare it with https://sparse.tamu.edu/Schmid/thermal2")
}

// Small graphs are of the same kinds.
func TestSmallStudies(t *testing.T) {
	for spec, want := range map[string]string{
		"kron:scale=20,edgefactor=512,duplicates=keep":   "kron:scale=9,edgefactor=16,duplicates=keep",
		"uniform:vertices=2000000,degree=23.9":           "uniform:vertices=500,degree=16.9",
		"rmat:scale=8,edgefactor=5,a=0.25,b=0.25,c=0.25": "rmat:scale=8,edgefactor=5,a=0.25,b=0.25,c=0.25",
		"grid2d:5000x5000":                               "grid2d:24x24",
		"grid2d:9x5000":                                  "grid2d:9x24",
		"grid3d:100x100x100,diagonal=true":               "grid3d:8x8x8,diagonal=true",
	} {
		s := Study{Kind: BFS, Sources: 64, Graphs: []Graph{{Name: "g", Spec: spec},
			{Name: "f", Spec: "file:f", Collection: "SNAP"}}}
		s.Shrink()
		expect.Equal(t, s.Graphs, []Graph{{Name: "g", Spec: want}})
	}
}
