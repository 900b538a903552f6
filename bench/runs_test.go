// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/internal/trace"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// goldenKeys reads the first n search keys of the Graph500 reference code.
func goldenKeys(t *testing.T, file string, n int) []int64 {
	t.Helper()
	var golden struct {
		Keys struct {
			Values []int64 `json:"reference_64_keys"`
		} `json:"search_keys"`
	}
	expect.NoError(t, json.Unmarshal([]byte(expect.Read(t, filepath.Join("../kronecker/testdata", file))), &golden))
	return golden.Keys.Values[:n]
}

// expected is a run and its record. Scale 10 has the counts of its golden file, with one giant component and a pair.
type expected struct {
	ranks  []int
	setup  Setup
	status record.Status
	roots  []int64 // of each kernel's searches; of an INVALID run, of the first ones
	notes  string  // part of the notes, "" for no notes
	files  map[string]string
}

// runs are the cases of TestRuns.
func runs(t *testing.T) map[string]expected {
	with := func(c record.Config, change func(s *Setup)) Setup { s := hybrid(c); change(&s); return s }
	all, few := goldenKeys(t, "s10_ef16_seed2_3.json", 64), []int64{220, 458, 214}
	const own = "no submission"
	cases := map[string]expected{
		"bfs":  {ranks: []int{1, 2, 3, 4, 7}, setup: hybrid(config(10)), roots: all},
		"sssp": {ranks: []int{1, 3}, setup: hybrid(configOf("sssp", 10)), roots: all},
		"both": {ranks: []int{1, 3}, setup: hybrid(configOf("both", 10)), roots: all},
		// Specification, "Sampling 64 Search Keys": fewer proper keys mean fewer searches.
		"fewer than 64 keys": {ranks: []int{2}, setup: hybrid(config(3)), roots: goldenKeys(t, "s3_ef16_seed2_3.json", 4)},
		"scale 14":           {ranks: []int{3}, setup: hybrid(config(14)), roots: goldenKeys(t, "s14_ef16_seed2_3.json", 64)},
		"a note of the backend": {ranks: []int{2}, notes: "chosen", roots: all,
			setup: with(config(10), func(s *Setup) { s.Backend.Note = "chosen" })},
		"kernels timed": {ranks: []int{1}, notes: "search.kernel_times", roots: all,
			setup: with(config(10), func(s *Setup) { s.Config.Search.KernelTimes, s.Backend.TimeKernels = true, func() {} })},
		"kernels not timed": {ranks: []int{1}, roots: all, setup: with(config(10), func(s *Setup) {
			s.Backend.TimeKernels = func() { t.Error("kernels are timed") }
		})},
		"an engine without steps": {ranks: []int{2}, notes: "topdown keeps no trace of breadth-first search", roots: all,
			setup: with(config(10), func(s *Setup) {
				s.Backend = CPU("topdown", bfs.NewTopDown, sssp.NewBellmanFord, 1).TimingSteps()
				s.Config.Search.Trace = true
			})},
		"pruned": {ranks: []int{2}, roots: all,
			setup: with(configOf("both", 10), func(s *Setup) { s.Config.Search.Prune = "hub" }),
			files: map[string]string{"run.json": `"prune": "hub"`, "sssp.csv": ",hub\n",
				"official.txt": "sssp prune:                     hub\nVALID"}},
		"a wrong tree": {ranks: []int{2}, setup: faultySetup(config(10), 6, dropVertex), // after the warm-up, the fifth
			status: record.Invalid, roots: all[:5]},
		"wrong distances": {ranks: []int{2}, status: record.Invalid, roots: all[:1],
			setup: with(configOf("sssp", 10), func(s *Setup) { s.wrapPaths(inaccurate) })},
	}
	for text, ranks := range map[string]int{
		"220\n458\r\n 214 \n":                                                          1,
		"\ufeff# roots\r\n220\r\n\r\n# more\r\n458\r\n214":                             3,
		"%%MatrixMarket matrix array integer general\r\n% c\r\n3 1\r\n221\n459\n215\n": 2,
		"%%MatrixMarket matrix array real general\n1 3\n2.21e2\n459.0\n215\n":          1,
	} {
		cases["roots "+text] = expected{ranks: []int{ranks}, setup: hybrid(fileOfRoots(t, text)), roots: few, notes: own}
	}
	return cases
}

// noter is an engine with a note, which counts its launches.
type noter struct {
	engine.Engine
	launches *int
}

func (noter) Note() string                  { return PackedNote(2304, 2048) }
func (e noter) Prelaunch() error            { *e.launches++; return nil }
func (noter) OnStep(func(trace.Step) error) {}

// A run launches its engine, has its note, and notes that one rank has no 64-bit labels, also if it times steps.
func TestNotesOfEngines(t *testing.T) {
	for _, timed := range []bool{false, true} {
		launches := 0
		s := hybrid(config(6))
		s.Config.Search.IDs64 = true
		s.wrapTrees(func(_ comm.Transport, e engine.Engine) engine.Engine { return noter{e, &launches} })
		if timed {
			s.Backend = s.Backend.TimingSteps()
		}
		runs := expect.Value(onRanks(t.Context(), 1, func(int) Setup { return s }))(t)
		expect.Equal(t, runs[0].Notes,
			[]string{"one GPU has 32-bit labels: search.ids64 has no effect",
				"rows are packed: 2.25 KiB, 9.00 bits per entry"}, timed)
		expect.That(t, launches > 0, "no launch of the engine, steps timed: %v", timed)
	}
	expect.Equal(t, PackedNote(0, 2048), "", "plain rows")
}

// inaccurate returns the engine with one distance that is wrong in the last place.
func inaccurate(e engine.Engine) engine.Engine {
	return searching{e, func(root graph.Global) (engine.Result, error) {
		p, err := e.Search(root)
		if err == nil {
			d := p.(engine.HostResult).Distances
			d[len(d)-1] = math.Nextafter32(d[len(d)-1], 2)
		}
		return p, err
	}}
}

// A run has the searches of the requested kernels from its roots in their order, one entry for ranks that share a node,
// and files that agree with it. A wrong result ends a run without an error, a rate and an output block.
func TestRuns(t *testing.T) {
	for meaning, c := range runs(t) {
		for _, ranks := range c.ranks {
			t.Run(fmt.Sprintf("%s/ranks=%d", meaning, ranks), func(t *testing.T) {
				c.setup.Config.Output.Dir = filepath.Join(t.TempDir(), "out")
				c.check(t, ranks, mustRun(t, ranks, c.setup))
			})
		}
	}
}

func (c expected) check(t *testing.T, ranks int, got *record.Run) {
	t.Helper()
	settings, dir := c.setup.Config, c.setup.Config.Output.Dir
	if c.status == "" {
		c.status = record.Valid
	}
	expect.Must(t, got.Status == c.status && got.KernelSetting() == settings.Search.Kernel && got.Ranks == ranks &&
		len(got.Environment.Nodes) == ranks && got.ResultBits == 64 &&
		got.Pruned() == strings.TrimPrefix(string(settings.Search.Prune), "none"),
		"%s, kernel %s on %d ranks, pruned %q", got.Verdict(), got.KernelSetting(), got.Ranks, got.Pruned())
	notes := strings.Join(got.Notes, "\n")
	expect.That(t, (notes == "") == (c.notes == "") && strings.Contains(notes, c.notes), "notes %q", notes)
	here := []record.Kind{{Nodes: []string{machine.Node()}, Facts: machine.Here.Describe()}}
	expect.Equal(t, got.Environment.Machines, here)
	for _, k := range got.Kernels {
		var roots []int64
		for _, s := range k.Searches {
			roots = append(roots, s.Root)
			official := settings.Graph.Scale == 10 && s.Fault == ""
			expect.That(t, !official || s.Edges == 16239 && s.EdgesWithLoops == 16383 && s.Reached == 897, "%+v", s)
		}
		expect.Equal(t, roots, c.roots, k.Kernel)
		valid, rates := got.Status == record.Valid, got.Statistics(k).TEPS
		expect.That(t, valid == (rates != nil) && (!valid || k.Keys == len(roots)) && k.Power == nil,
			"%s: %d of %d keys, rates %v, power %v", k.Kernel, len(roots), k.Keys, rates, k.Power)
	}
	if stored := expect.Value(record.Read(dir))(t); stored.Contradiction == "" { // engine cpu has no kernels to time
		expect.NoError(t, stored.CompareFiles(dir))
	}
	if got.Status == record.Invalid {
		c.files = nil
		_, err := os.Stat(filepath.Join(dir, "official.txt"))
		expect.That(t, errors.Is(err, os.ErrNotExist), "the folder of an invalid run has an output block (%v)", err)
	}
	for name, want := range c.files {
		expect.Contains(t, expect.Read(t, filepath.Join(dir, name)), want)
	}
}

// Nodes with equal descriptions are of one kind. The second rank of a node sends no description.
func TestNodesByKind(t *testing.T) {
	large, small := machine.Facts{CPU: "X", Threads: 8, GPUs: []string{"G", "G"}}, machine.Facts{CPU: "X", Threads: 4}
	want := []record.Kind{{Nodes: []string{"n1", "n2"}, Facts: large}, {Nodes: []string{"n0"}, Facts: small}}
	ranks := []rankFacts{{"n2", "", &large}, {Node: "n2"}, {"n0", "", &small}, {"n1", "", &large}}
	expect.Equal(t, kindsOf(ranks), want)
}

// Without validation the counted edges and vertices are the validator's, in a large and in a small component, on any
// number of ranks and in several messages. Such a run has rates, but it is not VALID.
func TestCountedEdges(t *testing.T) {
	expect.Set(t, &countedTuples, 1000)
	for _, kernel := range []string{"bfs", "sssp"} {
		for _, ranks := range []int{1, 3, 5} {
			c := fileOfRoots(t, "220\n616\n458")
			c.Search.Kernel = kernel
			validated := mustRun(t, ranks, hybrid(c)).Kernels[0].Searches
			c.Search.Validate = false
			s := hybrid(c)
			s.CountEdges = true
			run := mustRun(t, ranks, s)
			for i, got := range run.Kernels[0].Searches {
				expect.Equal(t, [2]int64{got.Edges, got.Reached}, [2]int64{validated[i].Edges, validated[i].Reached}, kernel)
				expect.Equal(t, got.ValidateSeconds, record.NotValidated)
			}
			st := run.Statistics(run.Kernels[0])
			expect.That(t, run.Status == record.Unvalidated && st.TEPS != nil && st.Edges.Min == 1 && st.ValidateSeconds == nil,
				"%s on %d ranks: %s, %+v", kernel, ranks, run.Verdict(), st)
		}
	}
}

// forgiving is a validator that finds every tree right.
type forgiving struct{ Validator }

func (forgiving) Validate(graph.Global, engine.Result) (validate.Verdict, error) {
	return validate.Verdict{}, nil
}

func TestSelfTestFindsWhatIsWrong(t *testing.T) {
	good := onCPU()
	drop := faultySetup(config(10), 3, dropVertex).Backend
	otherGraph, blind := good, good
	otherGraph.Generate = func(ctx context.Context, p kronecker.Params, s graph.Range, advance func(int64)) (graph.Tuples,
		error) {
		p.Seed1++
		return good.Generate(ctx, p, s, advance)
	}
	blind.NewValidator = func(comm.Transport, partition.Layout, graph.Tuples) (Validator, error) {
		return forgiving{}, nil
	}

	for name, c := range map[string]struct {
		backend Backend
		want    string // in the error, "" for none
	}{
		"nothing":       {good, ""},
		"the engine":    {drop, "wrong tree"},
		"the generator": {otherGraph, "wrong tree"},
		"the validator": {blind, "wrong validator"},
	} {
		for _, ranks := range []int{1, 3} {
			err := comm.Loopback(ranks, func(tr comm.Transport) error {
				return tryBackend(context.Background(), tr, c.backend, config(selfTestScale).Params())
			})
			expect.Error(t, err, c.want, name, "is wrong,", ranks, "ranks")
		}
	}
}
