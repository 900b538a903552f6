// SPDX-License-Identifier: Apache-2.0

//go:build results

// Package results holds the runs that are kept to what their machines can do.
package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/submission"
	"g500/internal/expect"
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

// Traces have measured and counted figures. A figure that the machine cannot reach is a fault of the trace.
func TestTracesStayWithinTheirMachines(t *testing.T) {
	set := expect.Value(collect.Read(all(t)))(t)
	expect.Equal(t, set.Unread, nil)
	levels := 0
	for _, run := range set.Runs {
		expect.Equal(t, run.Contradiction, "", run.Folder)
		for _, s := range run.Searches {
			if len(s.Trace) == 0 {
				continue
			}
			levels += len(s.Trace)
			within := func(figure string, got, most float64) {
				expect.That(t, got <= most, "%s, search key %d, %s: %.4g, more than %.4g", run.Folder, s.Key, figure, got, most)
			}
			checkSearch(run, s, within)
			for i, l := range s.Trace {
				checkLevel(t, run.Run, l, func(figure string, bytes int64, rate float64) {
					within(fmt.Sprintf("step %d, %s: bytes %s", i, l.Step, figure), float64(bytes), rate*l.Seconds)
				})
			}
		}
	}
	expect.Equal(t, levels > 0, true, "a kept run has a trace")
}

// checkSearch checks the sums of a search's steps. Shortest paths examine a vertex in several steps.
func checkSearch(run *collect.Run, s record.Search, within func(figure string, got, most float64)) {
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
	if run.Kernel == record.BFS {
		within("vertices in all frontiers", float64(frontiers), float64(s.Reached))
	}
	within("edges that leave the frontiers", float64(edges), float64(2*s.EdgesWithLoops))
	overlaps := 1.0
	if run.Ranks > 1 {
		overlaps = mostOverlaps
	}
	within("seconds of the steps", slowest, s.Seconds*overlaps)
	for r, seconds := range ranks {
		within(fmt.Sprintf("seconds of the steps of rank %d", r), seconds, s.Seconds)
	}
}

// checkLevel checks the rates of a step. Those that processors can reach are not known here.
func checkLevel(t *testing.T, run *record.Run, l record.Level, within func(figure string, bytes int64, rate float64)) {
	t.Helper()
	if run.Environment.Device == nil {
		return
	}
	limit, known := cards[run.Environment.Machine()]
	expect.Equal(t, known, true, "rates of", run.Environment.Machine())
	within("of edges", edgeBytes*l.Edges, limit.memory*float64(run.Ranks))
	for r := 0; r < run.Ranks && l.Ranks != nil; r++ {
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
			within(fmt.Sprintf("that rank %d sends by way of %s", r, name), sent[way], rate)
			within(fmt.Sprintf("that rank %d receives by way of %s", r, name), received[way], rate)
		}
	}
}

// all unpacks all sets.
func all(t *testing.T) (dir string) { return Unpack(t, ".", "*/*") }

// A set has the figures of its runs as a table: go test -tags results ./results -update.
func TestFiguresAreOfTheRuns(t *testing.T) {
	dir, tables := all(t), 0
	for _, pack := range expect.Value(filepath.Glob("*/*/" + Pack))(t) {
		folder := filepath.Dir(pack)
		table := filepath.Join(folder, "figures.csv")
		set, err := collect.Read(filepath.Join(dir, folder))
		if err != nil { // a set without runs
			_, err := os.Stat(table)
			expect.That(t, err != nil, "%s is a table of no run", table)
			continue
		}
		tables++
		expect.Golden(t, table, expect.Written(t, set.WriteCSV))
	}
	expect.Equal(t, tables > 0, true, "a set has runs")
}

// The runs that are kept could be submitted, but for those of programs whose parents on GPUs were too short, and for
// nothing else. Beside a run on a pruned structure lies the same one on a whole structure.
func TestKeptResultsMeetTheRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(all(t), "*/*/*", record.File))
	expect.Must(t, err == nil && len(files) != 0, "no results found: %v", err)
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
		expect.Equal(t, got, want, file, "breaks")
	}
}
