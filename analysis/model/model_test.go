// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/net"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/record"
	"g500/results"
)

// stored is where the runs of these tests are.
var stored = filepath.Join("..", "..", "results")

// runsOf returns the runs of BFS on GPUs in sets of results.
func runsOf(t *testing.T, sets ...string) (all []*collect.Set) {
	t.Helper()
	for _, name := range sets {
		all = append(all, expect.Value(collect.Read(results.Unpack(t, stored, name)))(t))
	}
	return all
}

// networks are the links of runs of two GPUs that are not peers, by the names of their folders.
var networks = map[string]string{
	"nodes-27": "NCCL over NVLink", "nodes-28": "NCCL over NVLink", "nodes-29": "NCCL over NVLink",
	"no-peers-28": "NCCL over NVLink", "nodes-host-28": "NCCL through host memory",
	"nodes-sockets-28": "NCCL over sockets", "nodes-staged-28": "staged in host memory",
	"mpi-28": "MPI from device memory", "nodes4-26": "NCCL over NVLink", "nodes4-28": "NCCL over NVLink",
	"nodes4-29": "NCCL over NVLink", "nodes2x2-26": "NCCL over NVLink", "nodes2x2-28": "NCCL over NVLink",
	"nodes4-host-28": "NCCL through host memory", "nodes4-staged-28": "staged in host memory",
}

// without returns the sets without one GPU's runs of a scale, so that the model cannot repeat what it is compared with.
func without(sets []*collect.Set, scale int) (rest []*collect.Set) {
	for _, set := range sets {
		rest = append(rest, &collect.Set{Runs: slices.DeleteFunc(slices.Clone(set.Runs),
			func(r *collect.Run) bool { return r.Ranks == 1 && r.Scale == scale })})
	}
	return rest
}

// From scale 24 on the model is within 20% of stored runs of one GPU, predicted from other scales, of two GPUs, and of
// one, two and four peers by earlier programs. Each network has a run.
func TestWithin20PercentOfStoredRuns(t *testing.T) {
	links, seen := map[string]*Link{}, map[string]int{}
	for _, l := range expect.Value(ReadLinks(filepath.Join(stored, "links/links.csv")))(t) {
		links[l.Name] = l
	}
	own := runsOf(t, "h200x2/2026-11-26-4c3e53d", "h200x2/2026-11-28-ae4faeb")
	others := runsOf(t, "h200x2/2026-11-26", "h200x2/2026-11-28-2cd1be9", "h200x4/2026-11-28-0f2c9a7")
	for _, set := range append(own, others...) {
		for _, r := range set.Runs {
			special := r.Config.Search.IDs64 || r.Config.Machine.GraphForm != "" // forms that the model does not know
			if r.Kernel != record.BFS || r.Scale < 24 || r.ResultBits != 64 || special {
				continue
			}
			sets := own
			if r.Ranks == 1 {
				sets = without(own, r.Scale)
			}
			m := expect.Value(New(sets...))(t)
			network := networks[path.Base(r.Folder)]
			p := expect.Value(m.Predict(r.Ranks, float64(r.Scale), links[network]))(t)
			seen[p.Link]++
			mean := r.Statistics.Seconds.Mean
			t.Logf("%-26s measured %8s, predicted %8s, %+3.0f%%, %s", r.Folder, record.FormatSeconds(mean),
				record.FormatSeconds(p.Sum().Seconds()), 100*(p.Sum().Seconds()/mean-1), p.Link)
			off := p.Sum().Seconds()/mean - 1
			expect.That(t, math.Abs(off) <= 0.2, "%s is off by %.0f%%: %+v", r.Folder, 100*off, p.Terms)
		}
	}
	expect.That(t, len(seen) == 1+len(links) && seen["peers"] >= 30, "runs by network: %v", seen)
}

// searched returns a set with one run of one search: a push of no time, and a pull and a result that share the time.
func searched(scale, ranks int, seconds float64, push, pull *record.RankCosts) *collect.Set {
	trace := []record.Level{{Step: "top-down", Variant: "push", Ranks: push},
		{Step: "bottom-up", Variant: "pull", Seconds: seconds / 2, Ranks: pull},
		{Step: "result order", Seconds: seconds / 2, Ranks: &record.RankCosts{Computing: []float64{seconds / 2}}}}
	run := &record.Run{Status: record.Valid, Scale: scale, Ranks: ranks, ResultBits: 64}
	run.Environment.Device = new(record.Device)
	kernel := record.KernelRun{Kernel: record.BFS, Searches: []record.Search{{Seconds: seconds + 1, Trace: trace}}}
	return &collect.Set{Runs: []*collect.Run{{Run: run, KernelRun: kernel}}}
}

// One GPU needs 4 s at scale 20 and 8 s at 21, and 1 s outside the steps. Each of two computes 1.5 s in a pull and in
// the result at scale 20: 1 s of it is done in full, which grows with the graph in a pull, and does not in the result.
// 64 kB of bits from a rank take two gathers, and 64 kB of pairs one all-to-all. Beyond 2^32 vertices the ranks query
// bits, unless all-to-alls take long. Each doubling from four ranks on adds what an exchange takes beyond 0.8 s.
func TestPredictionsByHand(t *testing.T) {
	costs := func(seconds float64, payload string) *record.RankCosts {
		return &record.RankCosts{Computing: []float64{0, seconds}, Traffic: []record.Traffic{
			{Payload: payload, Transport: "nccl", Sent: []int64{64e3, 64e3}}}}
	}
	push, pull := costs(0, "bins"), costs(1.5, "bitmap")
	m := expect.Value(New(searched(20, 1, 4, nil, nil), searched(21, 1, 8, nil, nil), searched(20, 2, 3, push, pull),
		searched(21, 2, 5, push, pull)))(t)
	links := map[bool]*Link{}
	for slow, begins := range map[bool]float64{false: 2, true: 1e9} {
		links[slow] = &Link{alone: 0.8, of: map[string]line{"all-gather": {{0, 1}, {1e6, 11}},
			"all-to-all": {{0, begins}, {1e6, begins + 10}}}}
	}
	bits := func(scale int) float64 { return kronecker.Params{Scale: scale, EdgeFactor: 16}.NonLeaves() }
	grown, long := bits(22)/bits(20)/2, bits(40)/bits(20)/64 // by how much a rank has more vertices with bits
	part := bits(40) / 128 / 8
	for _, c := range []struct {
		gpus           int
		scale          float64
		reports, pairs float64 // of the push
		pull, bits     float64 // computing, gathering
		received       float64 // bytes of bits
		result         float64
		asked          float64 // queries of the pull
		slow           bool
	}{
		{1, 22, 0, 0, 8, 0, 0, 8, 0, false},
		{2, 20, 1 + .16384, 2 + .64, 1.5, 2 * (1 + 0.32), 64e3, 1.5, 0, false},
		{4, 20, 1 + 3*.16384, 2 + .32*1.5, 1.25, 2 * (1 + 3*0.16), 3 * 32e3, 1.25, 0, false},
		{4, 22, 1 + 3*.16384, 2 + grown*.64*1.5, 4 + 4./4, 2 * (1 + 3*grown*0.32), 3 * grown * 64e3, 1 + 7./4,
			0, false},
		{128, 40, 2 + 127*96e-5, 8 + 1.28*long*127/128, long + (1<<21-long)/128., 2 * (2 + 127*1e-5*part/24),
			127 * 2 * part / 24, 1 + (1<<21-1)/128., 2*8 + 1e-5*8.125*2*part*127/128, false},
		{128, 40, 2 + 127*96e-5, 6e9 - 4 + 1.28*long*127/128, 1<<20 + 1<<20/128., 2 * (2 + 127*1e-5*part),
			127 * 2 * part, 1 + (1<<21-1)/128., 0, true},
	} {
		p := expect.Value(m.Predict(c.gpus, c.scale, links[c.slow]))(t)
		want := []float64{c.reports, c.pairs, c.pull, c.bits, c.received, c.result, 1, c.asked}
		got := []float64{p.Terms[0].Reports, p.Terms[0].Pairs, p.Terms[pullRow].Computes, p.Terms[pullRow].Bits,
			p.Terms[pullRow].BytesOfBits, p.Terms[6].Computes, p.Terms[7].Computes, p.Terms[pullRow].Pairs}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9*want[i] {
				t.Errorf("%d GPUs, scale %g: %v, want %v", c.gpus, c.scale, got, want)
				break
			}
		}
	}
	expect.Error(t, expect.Err(m.Predict(2, 20, nil)), "peers need a traced run", "without a run of peers")
}

// With 64-bit ids there are neither push-segments nor splits, pulls take their place, and if reports list no vertices,
// each level of remaining vertices but the last gathers all bits.
func TestIDs64(t *testing.T) {
	m := &Model{far: &steps{of: make([]step, len(rows))}}
	for i := range rows {
		m.far.of[i] = step{levels: float64(i), gathered: 0.5}
	}
	for _, c := range []struct {
		row, gpus       int
		factor, gathers float64
	}{{segmentsRow, 8, 0, 0}, {splitRow, 8, 0, 0}, {pullRow, 8, 2, 2 * 6}, {remainingRow, 64, 1, 0.5},
		{remainingRow, 65, 1, 4}, {4, 65, 1, 4}, {0, 65, 1, 0}} {
		factor, gathers := m.ids64(c.row, c.gpus)
		expect.Equal(t, []float64{factor, gathers}, []float64{c.factor, c.gathers}, rows[c.row].name)
	}
}

// The model reads the CSV of g500 net, a link per transport, and says what is wrong with other files.
func TestReadLinks(t *testing.T) {
	f := net.Figures{Nodes: []string{"a", "b"}}
	for _, transport := range []string{"NCCL", "=MPI"} {
		f.Levels = append(f.Levels, net.Level{Transport: transport, Exchange: "none", Seconds: 1})
		for i, exchange := range []string{"all-gather", "all-gather", "all-to-all", "all-to-all"} {
			f.Levels = append(f.Levels, net.Level{Transport: transport, Exchange: exchange, Bytes: i, Seconds: 2,
				Bus: float64(1 + i)})
		}
	}
	text := expect.Written(t, f.WriteCSV)
	read := func(text string) ([]*Link, error) { return ReadLinks(expect.File(t, "links.csv", text)) }
	links := expect.Value(read(text))(t)
	expect.That(t, len(links) == 2 && slices.Equal(links[0].of["all-gather"], line{{2, 2}, {4, 2}}) &&
		slices.Equal(links[1].of["all-to-all"], line{{6, 2}, {8, 2}}), "%+v of\n%s", links, text)
	head, _, _ := strings.Cut(text, "\n")
	for wrong, want := range map[string]string{
		head: "no transport with two sizes", "a,b\n1": "is no CSV", "test,transport\nlevel all-gather,x": "without a time",
		"test,seconds,bus_bytes_per_second\nlevel all-gather,inf,1":                     "without a time",
		"test,seconds,bus_bytes_per_second\nlevel all-gather,1,5\nlevel all-gather,1,5": "without more bytes",
	} {
		expect.Error(t, expect.Err(read(wrong)), want, wrong)
		expect.Error(t, expect.Err(read(wrong)), "g500 net --engine gpu --csv", wrong)
	}
}

// A series has predictions only if the model is right at a point that it does not rest on.
func TestPredictionsOfASeries(t *testing.T) {
	run := func(scale, ranks int, seconds float64) *collect.Run {
		r := searched(scale, ranks, seconds, nil, nil).Runs[0]
		r.Searches[0].Edges, r.Searches[0].ValidateSeconds, r.KernelRun.Keys = 1<<30, 1, 1
		for i := range r.Searches[0].Trace {
			r.Searches[0].Trace[i].Ranks = nil
		}
		r.Run.Kernels = []record.KernelRun{r.KernelRun}
		r.Kind = collect.Kind{Kernel: record.BFS}
		return r
	}
	rests := []*collect.Run{run(20, 1, 4), run(21, 1, 8), run(20, 2, 3)}
	two := expect.Value(expect.Value(New(collect.NewSet(rests)))(t).Predict(2, 21, nil))(t).Sum().Seconds() - 1
	for want, c := range map[string]struct {
		runs []*collect.Run
		of   int // series
	}{
		"2     21    7.16 s     6.50 s  -9.22%":                          {append(rests, run(21, 2, 1.12*two)), 1},
		"no predictions: the model is off by -33.7% at scale 21, 2 GPUs": {append(rests, run(21, 2, 1.6*two)), 1},
		"no predictions: they need a point that":                         {rests, 0},
	} {
		set := collect.NewSet(slices.Clone(c.runs))
		table, why := ComparedWith(set, set.Series[c.of])
		expect.Contains(t, table.Text()+why, want)
	}
	alone := collect.NewSet([]*collect.Run{run(20, 1, 4), run(20, 2, 3)})
	table, why := ComparedWith(alone, alone.Series[0])
	expect.Equal(t, []any{len(table.Rows), why}, []any{0, ""}, "without runs of one GPU at two scales")
}
