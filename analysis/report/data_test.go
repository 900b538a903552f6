// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/internal/output"
	"g500/record"
)

// The script's data has every valid run in GTEPS, not rounded, so that the script rounds as the tables do, and marks
// those that a later version has repeated. Its series have the efficiency, its interval, and the runs of each point.
func TestData(t *testing.T) {
	wide, slow := kindOf("fast", record.BFS), kindOf("slow", record.BFS)
	narrow := wide
	narrow.Variant, narrow.Bits = "gpu-transport mpi", 32
	slow.Study, slow.Scaling, slow.Threads, slow.Variant = "s", "weak", 2, "transport mpi"
	runs := []*collect.Run{
		valid(wide, 20, 1, "18", 2.2646, 2.2646), valid(wide, 20, 1, "19", 4, 4), valid(narrow, 21, 2, "18", 8),
		valid(wide, 22, 1, "19", 9), valid(wide, 20, 2, "20", 6, 6.1), valid(wide, 20, 4, "20", 8, 8.3),
		valid(slow, 18, 1, "20", 1, 1.1), valid(slow, 19, 2, "20", 1.8, 1.6), valid(slow, 19, 2, "20", 1.9, 1.7),
	}
	runs[2].ResultBits, runs[3].Failure = 32, "killed"
	set := collect.NewSet(runs)
	d := dataOf(set, machinesOf(set.Points))
	var text strings.Builder
	for _, r := range d.Runs {
		fmt.Fprintf(&text, "%s, %s, scale %d, %s, %d bits %s: newest %v, %.7g GTEPS, median %.7g s, kernel 1 %g s\n",
			d.Machines[r.Machine], d.Programs[r.Program].Commit, r.Scale, r.Units, r.Bits, r.Setting, r.Newest, r.Rate, r.Median,
			r.Kernel1)
	}
	for _, s := range d.Series {
		fmt.Fprintf(&text, "%s, %ss of %s, %s:%s\n", s.Kernel, s.Unit, d.Machines[s.Machine], s.Label, s.OneRun)
		for _, p := range s.Points {
			fmt.Fprintf(&text, "  %d: ideal %.7g, efficiency %.5g, runs %v\n", p.Units, p.Ideal, p.Efficiency, p.Runs)
		}
	}
	expect.Golden(t, "testdata/data.txt", text.String())
}

// A series has the model's predictions if they are within 20% at a point that they do not rest on: 6.5 s on two GPUs.
func TestPredictionsOfAStudy(t *testing.T) {
	traced := func(scale, ranks int, seconds float64) *collect.Run {
		r := valid(kindOf("m", record.BFS), scale, ranks, "20", 1/(seconds+1))
		r.Environment.Device = new(record.Device)
		r.Searches[0].Trace = []record.Level{{Step: "top-down", Variant: "push"},
			{Step: "bottom-up", Variant: "pull", Seconds: seconds / 2}, {Step: "result order", Seconds: seconds / 2}}
		return r
	}
	set := collect.NewSet([]*collect.Run{traced(20, 1, 4), traced(21, 1, 8), traced(20, 2, 3), traced(21, 2, 6.16)})
	var got []string
	for _, s := range dataOf(set, machinesOf(set.Points)).Series {
		for _, p := range s.Points {
			got = append(got, fmt.Sprintf("%s: %.4f", s.Label, p.Predicted))
		}
	}
	want := []string{"scale 20: 0.0000", "scale 20: 0.0000", "scale 21: 0.0037", "scale 21: 0.0052"}
	expect.Equal(t, got, want)
}

// The steps of a view add up to the search, levels of longer searches precede the result order, and of many ranks those
// with the least and the most waiting are shown. The last rank waits one microsecond for each other.
func TestTraceOfLevels(t *testing.T) {
	const us = 1e-6
	level := func(step, variant string, frontier int64, seconds float64) record.Level {
		costs := &record.RankCosts{}
		for r := range 40 {
			costs.Computing = append(costs.Computing, seconds-float64(r)*us)
			costs.Exchanging = append(costs.Exchanging, 0)
			costs.Waiting = append(costs.Waiting, float64(r)*us)
		}
		return record.Level{Step: step, Variant: variant, Frontier: frontier, Seconds: seconds, Ranks: costs}
	}
	r := valid(kindOf("fast", record.BFS), 20, 40, "18", 1, 1, 1)
	r.Searches[0].Trace = []record.Level{level("top-down", "push", 1, 100*us), level("result order", "", 0, 50*us)}
	r.Searches[1].Trace = []record.Level{level("top-down", "push", 1, 200*us), level("bottom-up", "pull", 9, 400*us),
		level("result order", "", 0, 50*us)}
	late := r.Searches[1].Trace[2].Ranks.Waiting
	slices.Reverse(late) // so that no rank is the last in more than half of the searches
	for i := range late {
		late[i] += float64(i*i) * us / 16.5
	}
	r.Searches[0].Seconds, r.Searches[1].Seconds = 200*us, 700*us
	got, _ := traceOf(r)
	var text strings.Builder
	for _, view := range got.Views {
		fmt.Fprintf(&text, "%s: %g us\n", view.Name, view.Seconds)
		for _, s := range view.Steps {
			text.Write(append(expect.Value(output.JSONLine(s))(t), '\n'))
		}
	}
	expect.Golden(t, "testdata/levels.txt", text.String())
}

// The script reads the names of a run that its data has: it would leave out a quantity with another name.
func TestScriptReadsNamesOfRuns(t *testing.T) {
	names, read := map[string]bool{}, map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[row]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names[name] = true
	}
	reading := regexp.MustCompile(`\b(?:r|run)\.(\w+)`)
	for _, name := range reading.FindAllStringSubmatch(contents(scripts, "script/*.js"), -1) {
		read[name[1]] = true
	}
	expect.Equal(t, read, names, "read")
}

// The page's script iterates over every list of its data, also over an empty one: none is null in JSON.
func TestListsOfThePageAreNeverNull(t *testing.T) {
	for depth := range 4 {
		d := reflect.New(reflect.TypeFor[Data]()).Elem()
		oneOfEach(d, depth)
		text, err := json.Marshal(d.Interface())
		expect.That(t, err == nil && !strings.Contains(string(text), "null"),
			"lists down to depth %d have one element, the others none: %s %v", depth, text, err)
	}
}

// Figures of a page without runs are in the data of its script.
func TestFigures(t *testing.T) {
	f := Figure{Name: "f", Y: Axis{Rows: []string{"a", "b"}}}
	f.Add("one", []float64{1, 2}, []float64{0, 1})
	f.Add("two", nil, nil)
	f.Lanes()
	text := expect.Value(json.Marshal(Page{Figures: []Figure{f}}.Content()))(t)
	expect.Contains(t, string(text), `"runs":[]`, `"rows":["a","b"]`, `"label":"one","machine":0,"apart":true`,
		`{"x":2,"y":0.935,"shape":"circle"}`, `"label":"two","machine":1,"apart":true,"points":[]`)
}

// oneOfEach gives each list in a struct one element, and so on to a depth.
func oneOfEach(in reflect.Value, depth int) {
	for i := range in.NumField() {
		if list := in.Field(i); list.Kind() == reflect.Slice && depth > 0 {
			list.Set(reflect.MakeSlice(list.Type(), 1, 1))
			if list.Index(0).Kind() == reflect.Struct {
				oneOfEach(list.Index(0), depth-1)
			}
		}
	}
}

// valid returns a valid run with one search per rate in GTEPS.
func valid(kind collect.Kind, scale, ranks int, program string, rates ...float64) *collect.Run {
	r := &record.Run{Status: record.Valid, Scale: scale, EdgeFactor: 16, Ranks: ranks, ResultBits: 64}
	r.Environment.Program, r.Environment.Started = record.NewProgram("g500 1.0", program), "2026-11-"+program+"T10:00:00Z"
	k := record.KernelRun{Kernel: kind.Kernel, Keys: len(rates), Prune: kind.Prune, ConstructionSeconds: 2}
	for key, rate := range rates {
		k.Searches = append(k.Searches, record.Search{
			Key: key, Edges: 1e9, EdgesWithLoops: 1e9, Seconds: 1 / rate, ValidateSeconds: 1})
	}
	r.Kernels = []record.KernelRun{k}
	kind.Factor = 16
	return &collect.Run{Run: r, KernelRun: k, Kind: kind, Folder: "runs/" + program}
}

func kindOf(machine string, kernel record.Kernel) collect.Kind {
	return collect.Kind{Machine: machine, Engine: "gpu", Kernel: kernel}
}

// A card says how many of a machine's cores a run used, unless it used all or computed on GPUs.
func TestCardsCountThreads(t *testing.T) {
	for want, c := range map[string]struct{ ranks, threads, cores int }{
		"scale 9, 2 threads, 2 of 32 cores":              {1, 2, 32},
		"scale 9, 32 threads":                            {1, 32, 32},
		"scale 9, 4 threads":                             {1, 4, 2},
		"scale 9, 2 ranks of 1 thread, 2 of 32 cores":    {2, 1, 32},
		"scale 9, 2 ranks of 16 threads":                 {2, 16, 32},
		"scale 9, 8 threads":                             {1, 8, 0},
		"scale 9, 2 GPUs":                                {2, 0, 32},
		"scale 9, 16 ranks of 4 threads, 64 of 96 cores": {16, 4, 96},
	} {
		kind := kindOf("m", record.BFS)
		kind.Threads = c.threads
		run := valid(kind, 9, c.ranks, "20", 1, 1)
		run.Environment.Cores = c.cores
		if c.cores == 96 { // of three nodes
			run.Environment.Cores, run.Environment.Nodes = 32, []string{"a", "a", "b", "c"}
		}
		set := collect.NewSet([]*collect.Run{run})
		expect.Equal(t, sectionsOf(set, machinesOf(set.Points))[0].Cards[0].Size, want, c)
	}
}

// A card has the best valid result by the rules of submissions: no 32-bit results, no pruning, no resumed run. Of
// series with one number of GPUs it has the efficiency of the fastest.
func TestCards(t *testing.T) {
	wide, paths := kindOf("fast", record.BFS), kindOf("fast", record.SSSP)
	narrow, pruned, slow := wide, paths, kindOf("slow", record.BFS)
	narrow.Bits, pruned.Prune, slow.Threads = 32, "hub", 8
	runs := []*collect.Run{
		valid(wide, 20, 1, "20", 7, 7), valid(wide, 21, 2, "20", 8, 8), valid(narrow, 21, 2, "20", 40, 40),
		valid(paths, 20, 1, "20", 3, 3), valid(pruned, 20, 1, "20", 5, 5),
		valid(slow, 20, 2, "21", 1, 1), valid(slow, 20, 2, "21", 2, 2), valid(wide, 22, 4, "20", 100),
		valid(wide, 23, 4, "20", 50, 50), valid(wide, 20, 2, "20", 12, 12.1), valid(wide, 21, 1, "20", 30, 31),
	}
	for _, run := range runs[5:7] {
		run.Environment.Cores = 32
	}
	runs[2].ResultBits, runs[7].Failure, runs[8].Resumed = 32, "killed", 1
	set := collect.NewSet(runs)
	var text strings.Builder
	for _, section := range sectionsOf(set, machinesOf(set.Points)) {
		for _, card := range section.Cards {
			fmt.Fprintf(&text, "%s: %+v\n", section.Title, card)
		}
	}
	expect.Golden(t, "testdata/cards.txt", text.String())
}

// Points of the last day are compared with the version before, not with older ones, and not with other points. A
// version with another number is compared with first, also if there are commits in between; others are folded.
func TestChanges(t *testing.T) {
	fast, slow, kind := kindOf("fast", record.BFS), kindOf("slow", record.BFS), kindOf("m", record.BFS)
	runs := []*collect.Run{valid(kind, 20, 1, "17", 1, 1.1), valid(kind, 20, 1, "18", 2, 2.1),
		valid(kind, 20, 1, "19", 3, 3.1), valid(kind, 21, 1, "18", 2, 2.1), valid(kind, 21, 1, "19", 3, 3.1),

		valid(fast, 20, 1, "18", 1, 1, 1), valid(fast, 20, 1, "19", 10, 10.1, 10.2), valid(fast, 20, 1, "21", 12, 12.1, 12.3),
		valid(fast, 21, 1, "19", 10, 10, 10), valid(fast, 21, 1, "21", 5, 5.1, 5),
		valid(fast, 22, 1, "19", 8, 10, 12), valid(fast, 22, 1, "21", 10, 12, 8),
		valid(fast, 23, 1, "18", 1, 2, 3), valid(fast, 23, 1, "19", 3, 4, 5), // not of the last day
		valid(fast, 24, 1, "21", 1, 2, 3), // no version before
		valid(slow, 20, 1, "18", 1, 1.01, 1), valid(slow, 20, 1, "20", 2, 2.01, 2)}
	runs[0].Environment.Program.Version = "g500 0.9"
	var text strings.Builder
	for _, of := range [][]*collect.Run{runs, runs[3:5]} {
		points := collect.NewSet(of).Points
		for _, g := range (Page{Changes: changesOf(points, machinesOf(points))}).ChangeGroups() {
			fmt.Fprintf(&text, "%s, open: %v\n", g.Title, g.Open)
			for _, c := range g.Changes {
				fmt.Fprintln(&text, c.Machine, c.Scale, c.Sign(), c.From, "to", c.To, c.Before, "to", c.Now, c.Kernel1)
			}
			for _, s := range summarise(g.Changes) {
				fmt.Fprintf(&text, "%s: %s, the largest at scale %d\n", s.Machine, s.Counts(), s.Largest.Scale)
			}
		}
	}
	expect.Golden(t, "testdata/changes.txt", text.String())
}
