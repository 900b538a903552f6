package model

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// graphs caches graphs by scale.
var graphs = map[int]*Graph{}

func graphOf(t *testing.T, scale int) *Graph {
	t.Helper()
	if graphs[scale] == nil {
		g, err := NewGraph(scale)
		if err != nil {
			t.Fatal(err)
		}
		graphs[scale] = g
	}
	return graphs[scale]
}

// input is the input of a prediction.
type input struct {
	scale, ranks int
	Profile
	Scheme
}

// predictions caches predictions.
var predictions = map[input]*Prediction{}

func predicted(t *testing.T, scale, ranks int, p Profile, scheme Scheme) *Prediction {
	t.Helper()
	of := input{scale, ranks, p, scheme}
	if predictions[of] == nil {
		m, err := Predict(graphOf(t, scale), ranks, p, scheme)
		if err != nil {
			t.Fatal(err)
		}
		predictions[of] = m
	}
	return predictions[of]
}

// One rank sends nothing, and ranks of one node use no network.
func TestOneNodeUsesNoNetwork(t *testing.T) {
	for _, scheme := range Schemes {
		for _, ranks := range []int{1, 2, 4} {
			m := predicted(t, 26, ranks, H200(), scheme)
			links := m.Total.Links
			if slices.ContainsFunc(links, func(l Link) bool { return l.Transport != "peer" }) ||
				(len(links) == 0) != (ranks == 1) || (m.Total.Exchange+m.Total.Wait == 0) != (ranks == 1) {
				t.Errorf("%s, %d ranks: links %+v, exchange for %g s, waits %g s",
					scheme, ranks, links, m.Total.Exchange, m.Total.Wait)
			}
		}
	}
}

// On P nodes of one rank each, a rank receives the bits of all vertices except its own in a sweep.
func TestBitmapHasOneBitPerVertexOfOtherRanks(t *testing.T) {
	p := H200()
	p.Node.Ranks = 1 // peers receive only changed words
	for _, ranks := range []int{2, 16, 1024} {
		m := predicted(t, 30, ranks, p, Bitmap)
		got := m.Steps[firstSweep].Received()
		want := m.Graph.Inner / 8 * float64(ranks-1) / float64(ranks)
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d ranks: a rank receives %g bytes, not %g", ranks, got, want)
		}
	}
}

// A message of gaps is never longer than the words, and hubs' bits and queries take a fraction of it.
func TestGapsAndQueriesAreShorterThanWords(t *testing.T) {
	p := H200()
	mpi := func(s Step) (bytes float64) {
		for _, l := range s.Links {
			if l.Transport == "mpi" && l.Form == "bitmap" {
				bytes += l.Received
			}
		}
		return bytes
	}
	for _, at := range []int{pushStep, firstSweep, secondSweep} {
		of := func(scheme Scheme) float64 { return mpi(predicted(t, 30, 32, p, scheme).Steps[at]) }
		if words, gaps, queried := of(Bitmap), of(Gaps), of(Queries); gaps <= 0 || gaps > words*1.001 || queried > gaps*0.9 {
			t.Errorf("%s: words have %g bytes by MPI, gaps %g, bits and queries %g", steps[at].name, words, gaps, queried)
		}
	}
}

func TestBetterMachinesAreNotSlower(t *testing.T) {
	better := map[string]func(*Profile){
		"peers":    func(p *Profile) { p.Node.PeerGBs *= 2 },
		"network":  func(p *Profile) { p.Network.GBs *= 2 },
		"latency":  func(p *Profile) { p.Network.Latency /= 2 },
		"overhead": func(p *Profile) { p.Network.Overhead /= 2 },
		"barrier":  func(p *Profile) { p.Node.Barrier /= 2 },
		"cache":    func(p *Profile) { p.GPU.CacheMB *= 2 },
		"sweep":    func(p *Profile) { p.Steps.FirstSweep.Each /= 2 },
	}
	for name, improve := range better {
		p := H200()
		p.Node.PeerGBs = 50 // slow enough to be seen
		improved := p
		improve(&improved)
		for _, scheme := range Schemes {
			scale, ranks := 16, 8
			if scheme == Bitmap {
				scale, ranks = 33, 32 // each setting matters there
			}
			before, after := predicted(t, scale, ranks, p, scheme), predicted(t, scale, ranks, improved, scheme)
			if after.Total.Seconds() > before.Total.Seconds()*(1+1e-12) {
				t.Errorf("%s, %s: %g s, %g s before", name, scheme, after.Total.Seconds(), before.Total.Seconds())
			}
			if scheme == Bitmap && after.Total.Seconds() == before.Total.Seconds() {
				t.Errorf("%s does not matter", name)
			}
		}
	}
}

// The model reproduces the runs of its constants, except the last top-down level, which depends on the keys.
func TestReproducesRunsOfItsConstants(t *testing.T) {
	for _, run := range []string{
		"h200/2026-11-24/scale24-bits64", "h200/2026-11-24/scale26-bits64", "h200/2026-11-24/scale28-bits64",
		"h200/2026-11-23-segments/scale29-bits64",
	} {
		c, err := Compare(keptRun(t, run), H200(), Bitmap)
		if err != nil {
			t.Fatal(err)
		}
		m, without, measured := c.Prediction, 0.0, 0.0
		for at := range stepCount {
			if at != pushStep {
				without += m.Steps[at].Seconds()
				measured += c.Measured[at].Slowest
			}
		}
		for _, at := range []int{firstSweep, secondSweep} {
			if ratio := m.Steps[at].Seconds() / c.Measured[at].Slowest; ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%s, %s: the model's time is %.2f times the measured one", run, steps[at].name, ratio)
			}
		}
		if ratio := without / measured; ratio < 0.92 || ratio > 1.08 {
			t.Errorf("%s: without the last top-down level the model's time is %.2f times the measured one", run, ratio)
		}
	}
}

func TestPredictsTwoGPUs(t *testing.T) {
	for _, run := range []string{"gpus2-scale26-bits64", "gpus2-scale27-bits64", "gpus2-scale28-bits64"} {
		c, err := Compare(keptRun(t, "h200x2/2026-11-23/"+run), H200(), Bitmap)
		if err != nil {
			t.Fatal(err)
		}
		if ratio := c.Prediction.Total.Seconds() / c.Total.Slowest; ratio < 0.8 || ratio > 1.1 {
			t.Errorf("%s: the model's time is %.2f times the measured one", run, ratio)
		}
	}
}

// The last levels send each vertex that they find to every other rank, as a pair.
func TestLastLevelsSendPairs(t *testing.T) {
	m := predicted(t, 28, 4, H200(), Bitmap)
	links, found := m.Steps[thirdLevel].Links, m.Graph.severalGPUs.steps[thirdLevel].found*m.Graph.Inner
	if len(links) != 1 || links[0].Form != "bins" || math.Abs(links[0].Received/(found*3/4*pairBytes)-1) > 1e-9 {
		t.Errorf("a rank receives %+v for %g vertices found", links, found)
	}
}

// keptRun reads a stored run.
func keptRun(t *testing.T, name string) *record.Run {
	t.Helper()
	run, err := record.Read(filepath.Join("../../results", name))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// traced returns a run of two ranks, one of which computes longer.
func traced() *record.Run {
	level := func(step string, frontier int64, seconds float64) record.Level {
		return record.Level{Step: step, Frontier: frontier, Edges: 3, Seconds: seconds, Ranks: &record.RankCosts{
			Computing: []float64{seconds / 2, seconds / 4}, Exchanging: []float64{seconds / 4, seconds / 4},
			Waiting: []float64{seconds / 4, seconds / 2},
			Traffic: []record.Traffic{{Payload: "bitmap", Transport: "peer", Sent: []int64{8, 16}, Received: []int64{16, 8}}},
		}}
	}
	environment := record.Environment{Engine: "gpu", Device: &record.Device{Name: "NVIDIA H200", Processors: 132,
		Capability: "9.0", Driver: "CUDA 13.0", Built: "CUDA 13.0", Transports: "peer to 1 of 1 other ranks"}}
	run := &record.Run{Scale: 20, EdgeFactor: EdgeFactor, Ranks: 2, Environment: environment}
	run.Kernels = []record.KernelRun{{Kernel: record.BFS, Keys: 2, Searches: []record.Search{
		{Key: 1, Seconds: 100e-6, Edges: 1000, Trace: []record.Level{
			level("top-down", 1, 1e-6), level("top-down", 2, 2e-6), level("top-down", 4, 4e-6), level("bottom-up", 5, 8e-6),
			level("bottom-up", 6, 16e-6), level("bottom-up", 7, 32e-6), level("bottom-up", 8, 1e-6), level("top-down", 9, 1e-6),
			level("top-down", 1, 1e-6), level("result order", 0, 4e-6)}},
		{Seconds: 300e-6, Edges: 1000}, // without a trace
	}}}
	return run
}

func TestCompareSortsLevelsIntoSteps(t *testing.T) {
	c, err := Compare(traced(), H200(), Bitmap)
	if err != nil {
		t.Fatal(err)
	}
	times := []float64{2, 1, 1, 1, 1, 3, 1, 1}
	frontier := []float64{1.5, 4, 5, 6, 7, 6, 0, 0}
	for i, m := range c.Measured {
		if m.Times != times[i] || m.Frontier != frontier[i] {
			t.Errorf("%s: %g times, frontier %g; want %g, %g", m.Name, m.Times, m.Frontier, times[i], frontier[i])
		}
	}
	sweep := c.Measured[firstSweep]
	if sweep.Slowest != 8e-6 || sweep.Compute != 3e-6 || sweep.Exchange != 2e-6 || sweep.Wait != 3e-6 ||
		sweep.Received() != 12 {
		t.Errorf("first sweep: %+v", sweep)
	}
	if left := c.Measured[rest].Slowest; math.Abs(left-30e-6) > 1e-12 {
		t.Errorf("outside of levels: %g s", left)
	}
	if c.Searches != 1 || math.Abs(c.TEPS-1e7) > 1 {
		t.Errorf("%d searches, %g TEPS", c.Searches, c.TEPS)
	}
}

func TestRefusesInvalidInput(t *testing.T) {
	g := graphOf(t, 20)
	_, scale0 := NewGraph(0)
	_, scale48 := NewGraph(48)
	_, ranks0 := Predict(g, 0, H200(), Bitmap)
	_, tooMany := Predict(g, 1<<21, H200(), Bitmap)
	noLink := H200()
	noLink.Network.GBs = 0
	_, link0 := Predict(g, 8, noLink, Bitmap)
	late := H200()
	late.Steps.LaterLevels.Floor = math.NaN()
	_, notANumber := Predict(g, 8, late, Bitmap)
	_, scheme := ParseScheme("pigeons")
	_, beyond := Scale(40, 4096, true, H200())
	_, shared := Scale(5, 100, false, H200())
	compared := func(change func(r *record.Run)) error {
		run := traced()
		change(run)
		_, err := Compare(run, H200(), Bitmap)
		return err
	}
	untraced := compared(func(r *record.Run) { k := &r.Kernels[0]; k.Searches = k.Searches[1:] })
	other := compared(func(r *record.Run) { r.EdgeFactor = 8 })
	cpu := compared(func(r *record.Run) { r.Environment = record.Environment{Engine: "cpu", CPU: "EPYC"} })
	paths := compared(func(r *record.Run) { r.Kernels[0].Kernel = record.SSSP })
	for want, err := range map[string]error{
		"scale 0 is out of range: choose 1 to 47": scale0,
		"scale 48 is out of range":                scale48,
		"0 ranks cannot share":                    ranks0,
		"choose 1 to 2^20":                        tooMany,
		"network.gbs is 0":                        link0,
		"later_bottom_up.floor_us is NaN":         notANumber,
		"choose bitmap, gaps, queries":            scheme,
		"choose at most 128 ranks, or scale 35":   beyond,
		"64 ranks cannot share":                   shared,
		"engine cpu on EPYC":                      cpu,
		"shortest paths only":                     paths,
		"run it with --trace":                     untraced,
		"edge factor 8":                           other,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: does not contain %q", err, want)
		}
	}
}

// A table whose last row has no graph is refused before its first row is computed, which takes minutes and many
// allocations.
func TestScaleIsCheckedBeforeItIsComputed(t *testing.T) {
	p := H200()
	refuse := func() {
		if _, err := Scale(40, 4096, true, p); err == nil {
			t.Error("scale 52 was modelled")
		}
	}
	if n := testing.AllocsPerRun(1, refuse); n > 100 {
		t.Errorf("%g allocations for a table that is refused", n)
	}
}

// Each output marks the figures for more ranks than the program allows.
func TestMarksRanksBeyondTheLimit(t *testing.T) {
	row, err := rowOf(graphOf(t, 16), 2048, H200())
	if err != nil {
		t.Fatal(err)
	}
	table := Scaling{Profile: H200(), Rows: []Row{row}}
	networks, err := PredictNetworks(graphOf(t, 16), 2048, H200())
	if err != nil {
		t.Fatal(err)
	}
	var text, onNetworks bytes.Buffer
	if err := errors.Join(table.Write(&text), networks.Write(&onNetworks)); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if strings.Contains(line, "2048") && !strings.Contains(line, "refused:") && !strings.Contains(line, "*") {
			t.Errorf("no mark in %q", line)
		}
	}
	if want := "cannot run: GPUs exchange messages with 1024 ranks at most"; !strings.Contains(onNetworks.String(), want) {
		t.Errorf("no %q in\n%s", want, &onNetworks)
	}
}

// A comparison prints the measured rate of a VALID run only, and its GPU.
func TestComparisonNamesWhatWasMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *record.Run)
		want   []string
	}{
		"H200": {func(*record.Run) {}, []string{"10.0 MTEPS: the model's", "measured on GPU 0, NVIDIA H200"}},
		"H100": {func(r *record.Run) { r.Environment.Device.Name = "NVIDIA H100" },
			[]string{"note: the model's machine has H200s"}},
		"incomplete": {func(r *record.Run) { r.Kernels[0].Keys = 3 },
			[]string{"no TEPS, since the run is not VALID", "does not count: INVALID: incomplete"}},
	} {
		run := traced()
		c.change(run)
		comparison, err := Compare(run, H200(), Bitmap)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := comparison.Write(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, &text)
			}
		}
	}
}

// Peers push many edges through a bitmap, and read the rows of few in place; only ranks on several nodes send pairs.
func TestPeersPushByBitmap(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		pairs        bool
		rows         float64 // bytes, of all that a rank could read; -1 for some
	}{{28, 4, false, -1}, {22, 4, false, 1}, {31, 8, true, 0}} {
		m := predicted(t, c.scale, c.ranks, H200(), Bitmap)
		received := map[string]float64{}
		for _, l := range m.Steps[pushStep].Links {
			received[l.Form] += l.Received
		}
		if share := received["bins"] / pairBytes / m.Steps[firstSweep].Frontier; share > 0.1 != c.pairs {
			t.Errorf("scale %d, %d ranks: a rank receives pairs for %.3f of the vertices found", c.scale, c.ranks, share)
		}
		foreign := m.Steps[pushStep].Edges * edgeBytes * others(float64(c.ranks))
		if share := received["rows"] / foreign; c.rows >= 0 && math.Abs(share-c.rows) > 1e-9 ||
			c.rows < 0 && !(share > 0 && share < 1) {
			t.Errorf("scale %d, %d ranks: a rank reads %.3f of the peers' rows, not %.3f", c.scale, c.ranks, share, c.rows)
		}
	}
}

// Ranks do not wait in a level whose frontier is replicated.
func TestReplicatedLevelsHaveNoBarrier(t *testing.T) {
	m := predicted(t, 22, 4, H200(), Bitmap)
	if wait := m.Steps[pushStep].Wait; wait != 0 {
		t.Errorf("ranks wait for %g s in barriers", wait)
	}
	if wait, one := m.Steps[firstSweep].Wait, m.Profile.Node.Barrier*1e-6; math.Abs(wait/one-1) > 0.01 {
		t.Errorf("the first sweep waits for %g s, a barrier takes %g s", wait, one)
	}
}

// On one node the result is written in parallel with the last levels, on several after them.
func TestResultIsWrittenInParallel(t *testing.T) {
	p := H200()
	if left := predicted(t, 22, 4, p, Bitmap).Steps[labelOrder].Seconds(); left != p.Parallel.Least*1e-6 {
		t.Errorf("%g s are left at scale 22", left)
	}
	p.Node.Ranks = 2
	apart := predicted(t, 26, 4, p, Bitmap)
	l := layout{g: apart.Graph, mean: apart.Graph.severalGPUs, scheme: Bitmap, ranks: 4, node: 2}
	if got, want := apart.Steps[labelOrder].Seconds(), apart.alone(l, labelOrder); got != want {
		t.Errorf("%g s on two nodes, not %g", got, want)
	}
}

func TestProfileRoundTrip(t *testing.T) {
	var text bytes.Buffer
	if err := H200().WriteTOML(&text); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "machine.toml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text.String())
	if p, err := LoadProfile(path); err != nil || p != H200() {
		t.Errorf("%+v, %v", p, err)
	}
	write("[network]\ngbs = 25.0\n")
	if p, err := LoadProfile(path); err != nil || p.Network.GBs != 25 || p.Network.Latency != H200().Network.Latency {
		t.Errorf("%+v, %v", p, err)
	}
	write("[network]\nspeed = 25.0\n")
	if _, err := LoadProfile(path); err == nil || !strings.Contains(err.Error(), `"network.speed"`) {
		t.Errorf("an unknown setting: %v", err)
	}
}

func TestGoldenText(t *testing.T) {
	table, err := Scale(22, 16, true, H200())
	if err != nil {
		t.Fatal(err)
	}
	comparison, err := Compare(traced(), H200(), Bitmap)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, write := range []func() error{
		func() error { return predicted(t, 30, 4, H200(), Bitmap).Write(&text) },
		func() error { return predicted(t, 26, 16, H200(), Hubs).Write(&text) },
		func() error { return table.Write(&text) },
		func() error { return comparison.Write(&text) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		text.WriteString("\n")
	}
	const golden = "testdata/model.golden"
	if *update {
		if err := os.WriteFile(golden, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("the text has changed (go test ./analysis/model -update rewrites it):\n%s", text.String())
	}
}
