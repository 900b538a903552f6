// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/record"
)

// run returns a valid run at scale 10 whose searches, from roots 1, 2 ..., took these seconds per edge.
func run(secondsPerEdge ...float64) *collect.Run {
	kernel := record.KernelRun{Kernel: record.BFS, Keys: len(secondsPerEdge)}
	for i, y := range secondsPerEdge {
		kernel.Searches = append(kernel.Searches,
			record.Search{Key: i, Root: int64(i + 1), Seconds: 100 * y, Edges: 100, Reached: 2, Levels: 2})
	}
	r := &record.Run{Scale: 10, EdgeFactor: 16, Ranks: 1, Kernels: []record.KernelRun{kernel}}
	r.Environment.Engine = "cpu"
	r.Settle()
	return &collect.Run{Run: r, KernelRun: kernel, Kind: collect.Kind{Engine: "cpu", Kernel: record.BFS, Factor: 16}}
}

// otherRoots moves a run to other search keys.
func otherRoots(r *collect.Run) *collect.Run {
	for i := range r.Searches {
		r.Searches[i].Root += 1000
	}
	return r
}

func set(runs ...*collect.Run) *collect.Set { return collect.NewSet(runs) }

// compareOne compares two sets of one point.
func compareOne(t *testing.T, a, b *collect.Set) Point {
	t.Helper()
	c := Sets(a, b, 0.95, 0)
	expect.Equal(t, []int{len(c.Points), len(c.OnlyA), len(c.OnlyB)}, []int{1, 0, 0}, c)
	return c.Points[0]
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-4*max(1, math.Abs(y)) }

// Student's t for a two-sided confidence of 95%, from tables, by degrees of freedom.
var student = map[int]float64{1: 12.706205, 2: 4.302653}

// Intervals computed by hand. Paired: 1 and 3 compared with 1 and 1 deviate from the mean by half of it, so the
// standard error of the logarithm is 1/2. Unpaired: the relative standard error of 1, 2, 3 is 1/(2 sqrt 3), of 2, 2.5,
// 3 it is 1/(5 sqrt 3).
func TestIntervalsByHand(t *testing.T) {
	apart := student[2] * math.Hypot(1/(2*math.Sqrt(3)), 1/(5*math.Sqrt(3)))
	runs := student[1] * math.Hypot(1.0/3, 1.0/3)
	for _, c := range []struct {
		name        string
		a, b        *collect.Set
		ratio, half float64 // half: width, of the logarithm
		method      collect.Method
		says        Verdict
	}{
		{"pairs", set(run(1, 3)), set(run(1, 1)), 2, student[1] / 2, collect.ByKeys, Ambiguous},
		{"pairs that are all half as fast", set(run(1, 2, 3)), set(run(2, 4, 6)), 0.5, 0, collect.ByKeys, Slower},
		{"pairs that are all 1.5 times as fast", set(run(3, 6, 9)), set(run(2, 4, 6)), 1.5, 0, collect.ByKeys, Faster},
		{"no pairs", set(run(1, 2, 3)), set(otherRoots(run(2, 2.5, 3))), 2 / 2.5, apart, collect.BySearches, Ambiguous},
		{"runs differ more than searches", set(run(1, 1, 1), run(2, 2, 2)), set(run(2, 2, 2), run(1, 1, 1)), 1, runs,
			collect.ByRuns, Ambiguous},
	} {
		got := compareOne(t, c.a, c.b)
		center := math.Log(c.ratio)
		expect.That(t, near(got.Percent, 100*(c.ratio-1)) && got.Method == c.method && got.Says == c.says,
			"%s: %+.4f%% by %s, %q", c.name, got.Percent, got.Method, got.Says)
		low, high := 100*(math.Exp(center-c.half)-1), 100*(math.Exp(center+c.half)-1)
		expect.That(t, got.Low != nil && near(*got.Low, low) && near(*got.High, high),
			"%s: from %v to %v, want %v to %v", c.name, *got.Low, *got.High, low, high)
	}
}

// Searches of a run that repeats a key, as with --min-time, are no pairs.
func TestRepeatedKeysAreNoPairs(t *testing.T) {
	second := run(1, 2, 5)
	second.Searches[2].Root = second.Searches[0].Root
	expect.Equal(t, compareOne(t, set(run(1, 2), second), set(run(1, 2))).Method, collect.BySearches)
}

// Rates are harmonic means of the searches of all runs.
func TestHarmonicMeans(t *testing.T) {
	got := compareOne(t, set(run(1, 3), run(2, 4)), set(run(4, 4)))
	expect.Equal(t, []float64{got.A.TEPS, got.B.TEPS, got.Percent}, []float64{0.4, 0.25, -37.5})
	expect.Equal(t, []int{got.A.Runs, got.A.Searches}, []int{2, 4}, "runs and searches")
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		low, high, same float64
		want            Verdict
	}{
		{-0.9, 0.9, 1, Same}, {-1, 1, 1, Same}, {0.2, 0.8, 1, Same}, {-0.8, -0.2, 1, Same}, {0, 0, 0, Same},
		{0.2, 1.1, 1, Faster}, {2, 3, 1, Faster}, {0.2, 0.8, 0, Faster}, {-1.1, -0.2, 1, Slower}, {-3, -2, 1, Slower},
		{-1.1, 0.9, 1, Ambiguous}, {-50, 50, 1, Ambiguous}, {-0.9, 1.1, 1, Ambiguous}, {0, 2, 1, Ambiguous},
	} {
		expect.Equal(t, (&Comparison{Same: c.same}).verdict(c.low, c.high), c.want, "from", c.low, "to", c.high,
			"same within", c.same)
	}
}

// A point is lost if its whole interval shows it, or if it has no interval, as with one search.
func TestLost(t *testing.T) {
	c := Sets(set(run(10, 20, 30)), set(run(11, 22, 33.0001)), 0.95, 0) // 9.09% slower, with a very short interval
	expect.Equal(t, []int{len(c.Lost(9)), len(c.Lost(9.2))}, []int{1, 0}, c.Points)
	c.Points[0].High = new(float64) // the interval now ends at 0
	expect.Equal(t, len(c.Lost(0)), 0, "a point whose interval includes 0 is lost")
	c = Sets(set(run(1)), set(run(2)), 0.95, 0)
	expect.Equal(t, len(c.Lost(99)), 1, "lost without an interval")
	expect.NoError(t, c.WriteJSON(new(bytes.Buffer)))
}

// Runs of another engine are compared, with a note, only if there is no run of the same engine.
func TestPartners(t *testing.T) {
	kind := func(r *collect.Run, engine string) *collect.Run { r.Kind.Engine = engine; return r }
	c := Sets(set(run(1, 2)), set(kind(run(1, 2), "gpu")), 0.95, 0)
	expect.Equal(t, len(c.Points), 1, "points")
	expect.Contains(t, strings.Join(c.Notes, "\n"), "A is cpu, B is gpu")
	c = Sets(set(run(1, 2)), set(kind(run(9, 9), "gpu"), run(1, 2)), 0.95, 0)
	expect.Equal(t, []int{len(c.Points), len(c.OnlyA), len(c.OnlyB)}, []int{1, 0, 1}, c)
	expect.Equal(t, c.Points[0].Percent, 0)
}

// Runs that only one set has, and differences of settings, are one sentence each, however many points they have.
func TestLeftoversAreGrouped(t *testing.T) {
	at := func(scale int, r *collect.Run) *collect.Run { r.Scale = scale; return r }
	threads := func(n int, r *collect.Run) *collect.Run { r.Kind.Threads = n; return r }
	failed := at(20, run(1, 2))
	failed.Failure, failed.Folder = "killed", "failed"
	a, b := []*collect.Run{failed}, []*collect.Run{}
	for scale := 10; scale < 17; scale++ {
		if scale < 14 {
			b = append(b, at(scale, threads(1, run(1, 2))))
		}
		a = append(a, at(scale, threads(2, run(1, 2))))
	}
	c := Sets(set(append(a, at(20, run(1, 2)))...), set(append(b, at(20, run(1, 2)))...), 0.95, 0)
	expect.Equal(t, len(c.Points), 5, "points")
	expect.Equal(t, c.alone, [2]int{3, 0})
	expect.Equal(t, c.OnlyA, []string{"3 runs at scales 14, 15 and 16 on 1 rank: only A has valid runs of cpu, " +
		"2 threads per rank"})
	expect.Equal(t, len(c.OnlyB), 0, "only B")
	expect.Equal(t, strings.Join(c.Notes, "\n"), "A: run failed at scale 20 on 1 rank: not valid\n"+
		"at scales 10, 11, 12 and 13 on 1 rank: A is cpu, 2 threads per rank, B is cpu, 1 thread per rank\n"+
		"if A or B has one run, the interval does not include the variation between runs")
}

// An interval so wide that it says nothing names the cure.
func TestWideIntervals(t *testing.T) {
	for want, c := range map[string]struct{ a, b *collect.Set }{
		"too few runs":         {set(run(1, 1), run(90, 90)), set(run(2, 2), run(1, 1))},
		"too few searches":     {set(run(1, 90)), set(run(50, 1))},
		"+1900.0% to +1900.0%": {set(run(20, 20)), set(run(1, 1))},
		"none":                 {set(run(1)), set(run(1))},
	} {
		p := compareOne(t, c.a, c.b)
		expect.Equal(t, p.Interval(signed), want, "by", p.Method)
	}
}

// The files in testdata have every output of a comparison.
func TestGolden(t *testing.T) {
	c := Sets(set(run(1, 2, 3)), set(run(2, 4, 6)), 0.95, 0)
	for form, write := range map[string]func(io.Writer) error{"txt": c.WriteText, "csv": c.WriteCSV, "json": c.WriteJSON} {
		expect.Golden(t, "testdata/slower."+form, expect.Written(t, write))
	}
}

// The text has 80 columns, a table for each kind, and one line for all runs that are not compared.
func TestTextHas80Columns(t *testing.T) {
	low, high := -86.04, 113.7
	wide := Point{Kernel: "BFS", Scale: 30, Ranks: 1024, A: Side{Kind: "a", TEPS: 9999e9}, B: Side{TEPS: 9999e9},
		Percent: -50, Low: &low, High: &high, Method: collect.BySearches, N: 1024, Says: Ambiguous}
	other := wide
	other.A.Kind, other.Method, other.N = "b", collect.ByKeys, 64
	c := Comparison{Confidence: 0.95, Points: []Point{wide, other, wide}, alone: [2]int{7, 1}}
	text := expect.Written(t, c.WriteText)
	expect.Contains(t, text, "\nBFS, a\n", "\nBFS, b\n", "  1024 each  ", "  64 keys  ",
		"not compared: 7 runs of A and 1 of B,")
	for _, line := range strings.Split(text, "\n") {
		expect.That(t, len(line) <= 80, "%d columns: %s", len(line), line)
	}
	expect.Equal(t, strings.Count(text, "  scale  ranks"), 2, text)
}

// ofKernel changes a run to shortest paths, pruned or not.
func ofKernel(r *collect.Run, prune string) *collect.Run {
	r.Kind.Kernel, r.Kind.Prune = record.SSSP, prune
	return r
}

// The same kernels are compared; a pruned structure is compared with an unpruned one, with a note, only if the sets
// have no other.
func TestKernelsAreComparedApart(t *testing.T) {
	c := Sets(set(run(1, 2), ofKernel(run(4, 8), "")), set(run(1, 2), ofKernel(run(2, 4), "hub")), 0.95, 0)
	points := ""
	for _, p := range c.Points {
		points += fmt.Sprintf("%s %+.2f%%, ", p.Kernel, p.Percent)
	}
	expect.Equal(t, points, "BFS +0.00%, SSSP +100.00%, ")
	expect.Equal(t, len(c.OnlyA)+len(c.OnlyB), 0, "runs of one set only")
	expect.Contains(t, strings.Join(c.Notes, "\n"), "A is cpu, SSSP, B is cpu, SSSP pruned by a hub")
	c = Sets(set(run(1, 2)), set(ofKernel(run(1, 2), "")), 0.95, 0)
	expect.Equal(t, len(c.Points), 0, "points of BFS and SSSP")
}
