// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/record"
)

// The script's data has every valid run in GTEPS, not rounded, so that the script rounds as the tables do, and marks
// those that a later version has repeated.
func TestData(t *testing.T) {
	wide := kindOf("fast", record.BFS)
	narrow := wide
	narrow.Variant, narrow.Bits = "gpu-transport mpi", 32
	runs := []*collect.Run{
		valid(wide, 20, 1, "18", 2.2646, 2.2646), valid(wide, 20, 1, "19", 4, 4), valid(narrow, 21, 2, "18", 8),
		valid(wide, 22, 1, "19", 9),
	}
	runs[2].ResultBits, runs[3].Failure = 32, "killed"
	set := collect.NewSet(runs)
	d := dataOf(set, machinesOf(set.Points))
	expect.Must(t, len(d.Runs) == 3 && len(d.Machines) == 1 && len(d.Programs) == 2 && d.Programs[1].Commit == "19",
		"%+v", d)
	old, now, other := d.Runs[0], d.Runs[1], d.Runs[2]
	expect.That(t, !old.Newest && now.Newest && old.Rate == runs[0].TEPS.HarmonicMean/giga && now.Median == 0.25 &&
		now.Kernel1 == 2, "%+v %+v", old, now)
	expect.Equal(t, []any{other.Bits, other.Setting, other.Units}, []any{32, "gpu-transport mpi", "2 GPUs"})
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

// The script's series have the efficiency of the set's series, with its interval, and the runs of each point.
func TestScaling(t *testing.T) {
	fast, slow := kindOf("fast", record.BFS), kindOf("slow", record.BFS)
	slow.Study, slow.Scaling, slow.Threads, slow.Variant = "s", "weak", 2, "transport mpi"
	const oneRun = " The interval of a point with one run, or whose baseline has one, lacks the variation between runs."
	set := collect.NewSet([]*collect.Run{
		valid(fast, 20, 1, "20", 8, 8.1), valid(fast, 20, 2, "20", 12, 12.1), valid(fast, 20, 4, "20", 16, 16.3),
		valid(slow, 18, 1, "20", 1, 1.1), valid(slow, 19, 2, "20", 1.8, 1.6), valid(slow, 19, 2, "20", 1.9, 1.7),
	})
	d := dataOf(set, machinesOf(set.Points))
	expect.Must(t, len(d.Series) == 2 && !d.Study, "%+v", d.Series)
	for i, want := range []scaling{{Kernel: "BFS", Label: "fast, scale 20", Unit: "GPU", OneRun: oneRun},
		{Kernel: "BFS", Machine: 1, Label: "slow, scale 18 per rank, transport mpi", Unit: "rank", OneRun: oneRun}} {
		got, of := d.Series[i], set.Series[i]
		for j, p := range got.Points {
			e := of.Points[j].Efficiency
			expect.That(t, p.Units == of.Points[j].Units && p.Efficiency[0] == known(100*e.Value) &&
				(j == 0 || p.Efficiency[1] == known(100**e.Low) && p.Efficiency[2] == known(100**e.High)),
				"%s, point %d: %+v, want %+v", got.Label, j, p, e)
		}
		got.Points = nil
		expect.Equal(t, got, want, "series", i)
	}
	more := collect.NewSet(append([]*collect.Run{valid(fast, 21, 1, "20", 30, 31), valid(fast, 21, 2, "20", 60, 61),
		valid(fast, 22, 4, "20", 24.15, 24.15)}, set.Runs...)) // two GPUs have a higher rate
	card := sectionsOf(more, machinesOf(more.Points))[0].Cards[0]
	for i, want := range []string{"weak scaling: efficiency 75.0% on 4 GPUs, scale 22 (",
		"strong scaling: efficiency 50.2% on 4 GPUs, scale 20 ("} {
		got := card.Scales[i]
		expect.That(t, strings.HasPrefix(got, want) && strings.HasSuffix(got, ", relative to 1 GPU"), "%q", got)
	}
	p := d.Series[1].Points[1]
	expect.That(t, slices.Equal(p.Runs, []int{4, 5}) && math.Abs(p.Ideal-2.2/1.05) <= 1e-9, "%+v", p)
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
	var got [][]string
	for _, s := range dataOf(set, machinesOf(set.Points)).Series {
		got = append(got, []string{s.Label})
		for _, p := range s.Points {
			got[len(got)-1] = append(got[len(got)-1], fmt.Sprintf("%.4f", p.Predicted))
		}
	}
	expect.Equal(t, got, [][]string{{"scale 20", "0.0000", "0.0000"}, {"scale 21", "0.0037", "0.0052"}})
}

// Systems are as the newest valid run on each machine records them.
func TestSystems(t *testing.T) {
	kind := kindOf("m", record.BFS)
	runs := []*collect.Run{valid(kind, 20, 4, "20", 1, 2), valid(kind, 20, 1, "19", 1, 2)}
	for _, r := range runs {
		r.Environment.Device = &record.Device{Name: "GPU", Built: "CUDA 13.0", Driver: "CUDA 12.4"}
		r.Environment.CPU, r.Environment.Cores, r.Environment.MemoryB, r.Environment.MPI = "CPU", 64, 512<<30, "MPI 1"
	}
	set := collect.NewSet(runs)
	want := []string{"m", "1", "CPU, 64 logical cores", "512 GiB", "4 x GPU", "", "MPI 1",
		"CUDA 13.0, driver CUDA 12.4", "", "g500 1.0 (commit 20)"}
	expect.Equal(t, systemTable(set, machinesOf(set.Points)).Rows, [][]string{want})
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

// The steps of a view add up to the search, levels of longer searches precede the result order, and of many ranks those
// with the least and the most waiting are shown.
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
	r.Searches[0].Seconds, r.Searches[1].Seconds = 200*us, 700*us
	got, traced := traceOf(r)
	expect.Must(t, traced && len(got.Views) == 2 && got.Views[0].Name == "mean of 2 searches" &&
		got.Views[1].Name == "slowest search (key 1)", "%+v", got)
	for i, want := range []step{
		{Name: "level 0", Variant: "push", Frontier: 1, Seconds: 150},
		{Name: "level 1", Variant: "pull", Frontier: 9, Seconds: 200},
		{Name: "result order", Seconds: 50},
	} {
		s := got.Views[0].Steps[i]
		expect.Equal(t, step{Name: s.Name, Variant: s.Variant, Frontier: s.Frontier, Seconds: s.Seconds}, want)
		expect.That(t, s.Last != nil && s.Last[0] == 0 && s.Last[1] == s.Searches && s.Searches == []int{2, 1, 2}[i],
			"step %d: rank %v is last in %d searches", i, s.Last, s.Searches)
		first, last := s.Ranks[0], s.Ranks[len(s.Ranks)-1]
		expect.That(t, len(s.Ranks) == mostRanks && first[0] == 0 && last[0] == 39,
			"step %d shows %d ranks from %v to %v", i, len(s.Ranks), first, last)
	}
	wait := got.Views[0].Steps[1].Ranks[mostRanks-1][3]
	expect.That(t, math.Abs(wait-39.0/2) <= 0.01 && got.Views[0].Seconds == 450,
		"the last rank waits %g us in a search of %g", wait, got.Views[0].Seconds)
}

// A step names the last rank only if it is last in more than half of the searches.
func TestLastRank(t *testing.T) {
	for _, c := range []struct {
		last []int // by search
		want *[2]int
	}{{[]int{0, 1}, nil}, {[]int{0, 1, 1}, &[2]int{1, 2}}, {[]int{0, 1, 2}, nil}} {
		var searches []record.Search
		for _, last := range c.last {
			none := make([]float64, 3)
			costs := &record.RankCosts{Computing: none, Exchanging: none, Waiting: []float64{1, 1, 1}}
			costs.Waiting[last] = 0
			searches = append(searches, record.Search{Trace: []record.Level{{Step: "push", Ranks: costs}}})
		}
		expect.Equal(t, record.MeanOf(record.SSSP, searches...)[0].Last, c.want, "last ranks", c.last)
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

// A card has the best valid result by the rules of submissions: no 32-bit results, no pruning, no resumed run.
func TestCards(t *testing.T) {
	narrow := kindOf("fast", record.BFS)
	narrow.Bits = 32
	wide, paths := kindOf("fast", record.BFS), kindOf("fast", record.SSSP)
	pruned := paths
	pruned.Prune = "hub"
	slow := kindOf("slow", record.BFS)
	slow.Threads = 8
	runs := []*collect.Run{
		valid(wide, 20, 1, "20", 7, 7), valid(wide, 21, 2, "20", 8, 8), valid(narrow, 21, 2, "20", 9, 9),
		valid(paths, 20, 1, "20", 3, 3), valid(pruned, 20, 1, "20", 5, 5),
		valid(slow, 20, 2, "21", 1, 1), valid(slow, 20, 2, "21", 2, 2), valid(wide, 22, 4, "20", 100),
		valid(wide, 23, 4, "20", 50, 50),
	}
	for _, run := range runs[5:7] {
		run.Environment.Cores = 32
	}
	runs[2].ResultBits, runs[7].Failure, runs[8].Resumed = 32, "killed", 1
	set := collect.NewSet(runs)
	sections := sectionsOf(set, machinesOf(set.Points))
	expect.Equal(t, sections[0].Title, "Breadth-first search (BFS)")
	expect.Equal(t, sections[1].Title, "Shortest paths (SSSP)")
	for i, want := range []Card{
		{Machine: "fast", Rate: "8.00", Size: "scale 21, 2 GPUs", Spread: "1 run, n = 2 searches, ±0.0%",
			Scales: [2]string{"weak scaling: efficiency 57.1% on 2 GPUs, scale 21 (95% interval: 57.1% to 57.1% from one run " +
				"per size), relative to 1 GPU"},
			Date: "20 Nov 2026", Commit: "20", Folder: "runs/20"},
		{Machine: "slow", Colour: 1, Rate: "1.50", Size: "scale 20, 2 ranks of 8 threads, 16 of 32 cores",
			Spread: "2 runs, 1.00 to 2.00", Date: "21 Nov 2026", Commit: "21", Folder: "runs/21"},
		{Machine: "fast", Rate: "3.00", Size: "scale 20, 1 GPU", Spread: "1 run, n = 2 searches, ±0.0%",
			Pruned: "pruned by a hub: 5.00", Date: "20 Nov 2026", Commit: "20", Folder: "runs/20"},
	} {
		expect.Equal(t, append(sections[0].Cards, sections[1].Cards...)[i], want, "card", i)
	}
}

// Points of the last day are compared with the version before, not with older ones, and not with other points.
func TestChanges(t *testing.T) {
	fast, slow := kindOf("fast", record.BFS), kindOf("slow", record.BFS)
	points := collect.NewSet([]*collect.Run{
		valid(fast, 20, 1, "18", 1, 1, 1), valid(fast, 20, 1, "19", 10, 10.1, 10.2), valid(fast, 20, 1, "21", 12, 12.1, 12.3),
		valid(fast, 21, 1, "19", 10, 10, 10), valid(fast, 21, 1, "21", 5, 5.1, 5),
		valid(fast, 22, 1, "19", 8, 10, 12), valid(fast, 22, 1, "21", 10, 12, 8),
		valid(fast, 23, 1, "18", 1, 2, 3), valid(fast, 23, 1, "19", 3, 4, 5), // not of the last day
		valid(fast, 24, 1, "21", 1, 2, 3), // no version before
		valid(slow, 20, 1, "18", 1, 1.01, 1), valid(slow, 20, 1, "20", 2, 2.01, 2),
	}).Points
	changes := changesOf(points, machinesOf(points))
	groups := (Page{Changes: changes}).ChangeGroups()
	expect.That(t, len(groups) == 1 && groups[0].Open, "%+v", groups)
	var got []string
	for _, c := range changes {
		got = append(got, c.Machine+" "+c.Sign()+" "+c.From+" "+c.To+" "+c.Before+" "+c.Now+" "+c.Kernel1)
	}
	expect.Equal(t, got, []string{
		"fast up 19 21 10.1 12.1 +0.0%", "fast ambiguous 19 21 9.73 9.73 +0.0%", "fast down 19 21 10.0 5.03 +0.0%",
		"slow up 18 20 1.00 2.00 +0.0%",
	})
	sums := summarise(changes)
	expect.Equal(t, sums[0].Counts(), "1 faster, 1 slower, 1 ambiguous")
	expect.Equal(t, sums[0].Largest.Scale, 21, "scale of the largest change")
	expect.Equal(t, sums[1].Counts(), "1 faster")
}

// A version with another number is compared with first, also if there are commits in between; others are folded.
func TestChangesBetweenVersions(t *testing.T) {
	kind := kindOf("m", record.BFS)
	runs := []*collect.Run{valid(kind, 20, 1, "17", 1, 1.1), valid(kind, 20, 1, "18", 2, 2.1),
		valid(kind, 20, 1, "19", 3, 3.1), valid(kind, 21, 1, "18", 2, 2.1), valid(kind, 21, 1, "19", 3, 3.1)}
	runs[0].Environment.Program.Version = "g500 0.9"
	points := collect.NewSet(runs).Points
	groups := (Page{Changes: changesOf(points, machinesOf(points))}).ChangeGroups()
	expect.That(t, len(groups) == 2 && groups[0].Open && !groups[1].Open && groups[0].Changes[0].From == "0.9, 17" &&
		groups[0].Changes[0].To == "1.0, 19" && groups[1].Changes[0].From == "18" && groups[1].Changes[0].Scale == 21,
		"%+v", groups)
}
