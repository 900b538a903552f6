// SPDX-License-Identifier: Apache-2.0

//go:build results

// Package results holds the runs that are kept to what their machines can do.
package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/submission"
	"g500/docs/schema"
	"g500/internal/expect"
	"g500/internal/schematest"
	"g500/internal/trace"
	"g500/record"
)

// card is what the maker says of a GPU, in bytes a second.
type card struct{ memory, peers, host float64 }

// cards are the GPUs of the kept runs: memory, NVLink each way, PCIe 5.0 x16 each way.
var cards = map[string]card{
	"NVIDIA H100 80GB HBM3": {3.35e12, 450e9, 64e9},
	"NVIDIA H200":           {4.8e12, 450e9, 64e9},
}

const (
	edgeBytes = 4 // of an edge that leaves the frontier, at least its far end is read

	// mostOverlaps is how long the slowest ranks of all levels may take together, in terms of the search: a rank may
	// still be in a level when another has begun the next. By staged MPI one of 64 searches of four ranks has 1.25.
	mostOverlaps = 1.3
)

// What a trace tells is measured or counted. A figure that the machine cannot reach is a fault of the trace.
func TestTracesStayWithinTheirMachines(t *testing.T) {
	set, err := collect.Read(all(t))
	if err != nil || len(set.Unread) > 0 {
		t.Fatal(err, set)
	}
	levels := 0
	for _, run := range set.Runs {
		expect.Equal(t, run.Contradiction, "", run.Folder)
		for _, s := range run.Searches {
			levels += len(s.Trace)
		}
		for _, fault := range faultsOf(run.Run, run.KernelRun) {
			t.Errorf("%s, %s", run.Folder, fault)
		}
	}
	if levels == 0 {
		t.Error("no kept run has a trace")
	}
}

// faultsOf are the figures of a run that cannot be so. A run without a trace has none.
func faultsOf(run *record.Run, k record.KernelRun) (faults []string) {
	for _, s := range k.Searches {
		if len(s.Trace) == 0 {
			continue
		}
		of := searchFaults(run, k.Kernel, s)
		for i, l := range s.Trace {
			for _, fault := range levelFaults(run, l) {
				of = append(of, fmt.Sprintf("step %d, %s: %s", i, l.Step, fault))
			}
		}
		for _, fault := range of {
			faults = append(faults, fmt.Sprintf("search key %d: %s", s.Key, fault))
		}
	}
	return faults
}

// searchFaults are those of the steps together. Shortest paths examine a vertex in several steps.
func searchFaults(run *record.Run, kernel record.Kernel, s record.Search) (faults []string) {
	var frontiers, edges int64
	slowest, ranks := 0.0, make([]float64, run.Ranks)
	for _, l := range s.Trace {
		slowest += l.Seconds
		if l.Step != trace.ResultOrderStep {
			frontiers += l.Frontier
			edges += l.Edges
		}
		for r := range ranks {
			if l.Ranks != nil {
				ranks[r] += l.Ranks.Computing[r] + l.Ranks.Exchanging[r] + l.Ranks.Waiting[r]
			}
		}
	}
	if most := int64(1) << run.Scale; s.Reached > most {
		faults = append(faults, fmt.Sprintf("%d vertices reached, of %d", s.Reached, most))
	}
	if kernel == record.BFS && frontiers > s.Reached {
		faults = append(faults, fmt.Sprintf("%d vertices in all frontiers, %d reached", frontiers, s.Reached))
	}
	if edges > 2*s.EdgesWithLoops {
		faults = append(faults, fmt.Sprintf("%d edges leave the frontiers, of %d in both directions", edges,
			2*s.EdgesWithLoops))
	}
	most := s.Seconds
	if run.Ranks > 1 {
		most *= mostOverlaps
	}
	if slowest > most {
		faults = append(faults, fmt.Sprintf("the steps take %.4g s, the search %.4g", slowest, s.Seconds))
	}
	for r, seconds := range ranks {
		if seconds > s.Seconds {
			faults = append(faults, fmt.Sprintf("the steps of rank %d take %.4g s, the search %.4g", r, seconds, s.Seconds))
		}
	}
	return faults
}

// levelFaults are the rates of a step that its GPUs do not reach. Of processors no rates are known here.
func levelFaults(run *record.Run, l record.Level) (faults []string) {
	if run.Environment.Device == nil {
		return nil
	}
	limit, known := cards[run.Environment.Machine()]
	if !known {
		return []string{fmt.Sprintf("nothing is known of %q", run.Environment.Machine())}
	}
	check := func(what string, bytes int64, rate float64) {
		if float64(bytes) > rate*l.Seconds {
			faults = append(faults, fmt.Sprintf("%s: %d bytes in %g s, which is above %s/s", what, bytes, l.Seconds,
				record.FormatBytes(rate)))
		}
	}
	check("edges", edgeBytes*l.Edges, limit.memory*float64(run.Ranks))
	if l.Ranks == nil {
		return faults
	}
	for r := range run.Ranks {
		var sent, received [2]int64 // by peers, by the host
		for _, traffic := range l.Ranks.Traffic {
			way := 1
			if traffic.Transport == "peer" || traffic.Transport == "nccl" { // NCCL uses NVLink if it can
				way = 0
			}
			sent[way] += traffic.Sent[r]
			received[way] += traffic.Received[r]
		}
		for way, rate := range []float64{limit.peers, limit.host} {
			name := []string{"peers", "the host"}[way]
			check(fmt.Sprintf("rank %d sends by way of %s", r, name), sent[way], rate)
			check(fmt.Sprintf("rank %d receives by way of %s", r, name), received[way], rate)
		}
	}
	return faults
}

// planted is a search on two H200s that could be: 1 ms, with a level of 100 us, in which 1 MB goes each way by either
// transport, and a relabelling of 800 us.
func planted() *record.Run {
	way := func(form, transport string) record.Traffic {
		return record.Traffic{Payload: form, Transport: transport, Sent: []int64{1e6, 1e6}, Received: []int64{1e6, 1e6}}
	}
	costs := func(seconds float64, traffic ...record.Traffic) *record.RankCosts {
		return &record.RankCosts{Computing: []float64{seconds / 2, seconds / 2},
			Exchanging: []float64{seconds / 4, seconds / 4},
			Waiting:    []float64{seconds / 4, seconds / 4}, Traffic: traffic}
	}
	return &record.Run{
		Scale: 20, Ranks: 2, Environment: record.Environment{Device: &record.Device{Name: "NVIDIA H200"}},
		Kernels: []record.KernelRun{{Kernel: record.BFS, Searches: []record.Search{{
			Key: 3, Seconds: 1e-3, Reached: 1000, EdgesWithLoops: 10e6,
			Trace: []record.Level{
				{Step: trace.TopDownStep, Frontier: 1000, Edges: 10e6, Seconds: 100e-6,
					Ranks: costs(100e-6, way(trace.RowsPayload, "peer"), way(trace.SumsPayload, "mpi"))},
				{Step: trace.ResultOrderStep, Frontier: 5000, Seconds: 800e-6, Ranks: costs(800e-6)},
			},
		}}}},
	}
}

// plant is where a fault may be: a run, its search, and the first level of that.
type plant struct {
	run    *record.Run
	search *record.Search
	level  *record.Level
}

func TestPlantedFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		meaning string
		plant   func(plant)
		want    string // "" for no fault
	}{
		{"as it is", func(p plant) {}, ""},
		{"46 MB to a peer in 100 us", func(p plant) { p.level.Ranks.Traffic[0].Sent[1] = 46e6 },
			"search key 3: step 0, top-down: rank 1 sends by way of peers: 46000000 bytes in 0.0001 s, which is above 450 GB/s"},
		{"7 MB by way of the host", func(p plant) { p.level.Ranks.Traffic[1].Sent[0] = 7e6 },
			"rank 0 sends by way of the host: 7000000 bytes in 0.0001 s, which is above 64.0 GB/s"},
		{"two forms by one way", func(p plant) {
			p.level.Ranks.Traffic = append(p.level.Ranks.Traffic, p.level.Ranks.Traffic[0])
			p.level.Ranks.Traffic[0].Received, p.level.Ranks.Traffic[2].Received = []int64{0, 23e6}, []int64{0, 23e6}
		}, "rank 1 receives by way of peers: 46000000 bytes"},
		{"more edges than the memory of two GPUs gives", func(p plant) {
			p.search.EdgesWithLoops, p.level.Edges = 1e9, 250e6
		}, "edges: 1000000000 bytes in 0.0001 s, which is above 9.60 TB/s"},
		{"more edges than the graph has", func(p plant) { p.search.EdgesWithLoops = 4e6 },
			"search key 3: 10000000 edges leave the frontiers, of 8000000"},
		{"a frontier of more than was reached", func(p plant) { p.level.Frontier++ },
			"1001 vertices in all frontiers, 1000 reached"},
		{"more reached than there are", func(p plant) { p.run.Scale = 9 },
			"1000 vertices reached, of 512"},
		{"steps that take longer than the search",
			func(p plant) { p.level.Seconds = 600e-6 },
			"the steps take 0.0014 s, the search 0.001"},
		{"a rank whose steps do", func(p plant) { p.level.Ranks.Waiting[1] = 300e-6 },
			"the steps of rank 1 take"},
		{"steps of a single rank, which cannot overlap", func(p plant) {
			p.run.Ranks, p.level.Ranks, p.search.Trace[1].Ranks = 1, nil, nil
			p.level.Seconds = 250e-6
		}, "the steps take 0.00105 s, the search 0.001"},
		{"a GPU that nobody knows", func(p plant) { p.run.Environment.Device.Name = "Abacus" },
			`nothing is known of "Abacus"`},
	} {
		run := planted()
		search := &run.Kernels[0].Searches[0]
		c.plant(plant{run, search, &search.Trace[0]})
		faults := faultsOf(run, run.Kernels[0])
		if c.want == "" && faults != nil || c.want != "" && (len(faults) == 0 || !strings.Contains(faults[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.meaning, faults, c.want)
		}
	}
}

// all unpacks all sets.
func all(t *testing.T) (dir string) { return Unpack(t, ".", "*/*") }

// A set has the figures of its runs as a table: go test -tags results ./results -update.
func TestFiguresAreOfTheRuns(t *testing.T) {
	dir, tables := all(t), 0
	sets, err := filepath.Glob("*/*/" + Pack)
	expect.NoError(t, err)
	for _, pack := range sets {
		folder := filepath.Dir(pack)
		table := filepath.Join(folder, "figures.csv")
		set, err := collect.Read(filepath.Join(dir, folder))
		if err != nil { // a set without runs
			if _, err := os.Stat(table); err == nil {
				t.Errorf("%s is a table of no run", table)
			}
			continue
		}
		tables++
		expect.Golden(t, table, expect.Written(t, set.WriteCSV))
	}
	if tables == 0 {
		t.Error("no set has runs")
	}
}

// Every stored run follows the schema of the present format.
func TestKeptRunsFollowTheSchema(t *testing.T) {
	text, err := schema.Of(fmt.Sprintf("run-%d", record.Format))
	expect.NoError(t, err)
	validator, err := schematest.NewValidator(text)
	expect.NoError(t, err)
	runs := 0
	err = filepath.WalkDir(all(t), func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(name) != record.File {
			return err
		}
		runs++
		text, err := os.ReadFile(name)
		if err == nil {
			err = validator.Check(text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || runs == 0 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// The runs that are kept could be submitted, but for those of programs whose parents on GPUs were too short, and for
// nothing else. Beside a run on a pruned structure lies the same one on a whole structure.
func TestKeptResultsMeetTheRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(all(t), "*/*/*", record.File))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results found: %v", err)
	}
	for _, file := range files {
		r := expect.Value(submission.Open(filepath.Dir(file)))(t)
		if r.Pruned() != "" {
			whole := expect.Value(submission.Open(strings.Replace(r.Dir, "prune-hub", "prune-none", 1)))(t)
			r.Unpruned = &whole
		}
		var got, want []string
		for _, rule := range submission.Broken(r.Check()) {
			got = append(got, rule.Name)
		}
		if r.ResultBits < 48 {
			want = []string{"48-bit parents at least"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s breaks %q, want %q", file, got, want)
		}
	}
}
