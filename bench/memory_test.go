// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// The largest scale fits and the next does not. It is limited by the vertex numbers of the engine.
func TestLargestScale(t *testing.T) {
	backend := onCPU()
	for _, ranks := range []int{1, 3, 64} {
		for _, bytes := range []int64{1 << 30, 20 << 30, 1 << 40} {
			w := WorkOf(config(0), ranks)
			w.Scale = LargestScale(backend, w, Budgets{Backend: bytes})
			fits := HostMemory(w).Total()
			w.Scale++
			next := HostMemory(w).Total()
			expect.That(t, fits <= bytes && (next > bytes || w.Scale > backend.MaxScale),
				"%d ranks, %d bytes: scale %d needs %d, the next %d", ranks, bytes, w.Scale-1, fits, next)
		}
	}
	expect.Equal(t, LargestScale(backend, WorkOf(config(0), 1<<20), Budgets{Backend: 1 << 60}), 42, "class huge")
	expect.Equal(t, backend.MaxScale, 42)
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536 << 20: "1.5 GiB",
		1000 << 20: "1000 MiB", 12345678: "11.8 MiB", 1 << 62: "4 EiB"} {
		expect.Equal(t, Bytes(n), want, "Bytes", n)
	}
}

// An edge list in host memory needs memory in addition to the process itself. An unknown size is no limit.
func TestRoomsFit(t *testing.T) {
	const gib = 1 << 30
	device, host := Plan{Tuples: gib, Engine: gib, Validator: gib}, Plan{Engine: gib, InHost: 4 * gib}
	for _, c := range []struct {
		rooms        Budgets
		device, host bool
	}{
		{Budgets{3 * gib, 1}, true, false},
		{Budgets{3*gib - 1, 5 * gib}, false, true},
		{Budgets{gib, 5*gib - 1}, false, false},
		{Budgets{gib - 1, 9 * gib}, false, false},
		{Budgets{0, 5 * gib}, true, true},
		{Budgets{gib, 0}, false, true},
	} {
		expect.That(t, c.rooms.Fits(device) == c.device && c.rooms.Fits(host) == c.host,
			"%+v: %v and %v", c.rooms, c.rooms.Fits(device), c.rooms.Fits(host))
	}
}

// classes are the problem classes of the specification, and the ranks of a job that could run them.
var classes = []struct{ scale, ranks int }{{26, 1}, {29, 4}, {32, 64}, {36, 1000}, {39, 1 << 14}, {42, 1 << 17}}

// The plan for a large class covers the arrays of the heaviest rank, computed here one by one, and is less than 3.3
// times their size, without one bin per block of kernel 1. No number overflows.
func TestPlansOfLargeClasses(t *testing.T) {
	for _, c := range classes {
		w := WorkOf(config(c.scale), c.ranks)
		p, plan := w.Params, HostMemory(w)
		labels, ends := float64(p.Vertices())/float64(c.ranks), 2*float64(p.Edges())/float64(c.ranks)
		if c.ranks > 1 {
			ends += p.HighestDegree()
		}
		position, label := 4.0, 4.0
		if c.scale > 31 {
			label = 8
		}
		if c.scale > 33 {
			position = 8
		}
		bits, ghosts := p.Connected(), 0.0
		if c.ranks > 1024 { // on several nodes: 25% of the ends have their own ghost
			ghosts = ends / 4
			bits = min(bits, labels+ghosts)
		}
		bitmaps := 2 * bits / 8
		bins := 208 * labels * float64(c.ranks) / (1 << 16) // of one worker that deals ends
		arrays := position*ends + (8+3*position+label+8+8+8)*labels + 4*ghosts + bitmaps
		engine, building := float64(plan.Engine), float64(plan.Building)
		expect.That(t, engine >= arrays && building >= ends*position && engine+building <= 3.6*arrays+5*bitmaps+bins,
			"scale %d on %d ranks: announced %s and %s, arrays have %s", c.scale, c.ranks, Bytes(plan.Engine),
			Bytes(plan.Building), Bytes(int64(arrays)))
		tuples := 12 * float64(p.Edges()) / float64(c.ranks)
		expect.That(t, float64(plan.Tuples) >= tuples && float64(plan.Validator) >= 6*ends && plan.Total() > 0,
			"scale %d on %d ranks: announced %+v", c.scale, c.ranks, plan)
		share := heaviest(p, c.ranks)
		expect.That(t, plan.Validator == validate.Memory(share) && share.IDs64 == (c.scale > 33),
			"scale %d on %d ranks: the share is %+v", c.scale, c.ranks, share)
		next := int64(0) // shares of tuples have no gaps
		for _, rank := range slices.Compact([]int{0, c.ranks / 2, c.ranks - 1}) {
			first, count := shareOf(p.Edges(), rank, c.ranks)
			after, _ := shareOf(p.Edges(), rank+1, c.ranks)
			expect.That(t, first >= next && first+count == after && count > 0, "scale %d, rank %d of %d: %d tuples from %d on, "+
				"the next rank's from %d on", c.scale, rank, c.ranks, count, first, after)
			next = after
		}
		expect.Equal(t, next, p.Edges(), "scale", c.scale)
	}
}

// memoryWatch bounds the memory of a run from above, without a clock: a step has in use at most the live objects at its
// begin, and all that it allocates.
type memoryWatch struct {
	Watchers
	plan                 Plan
	before               uint64 // live bytes when the run began
	live, allocated, top uint64 // live bytes and allocations when the step began; the largest bound of a step
}

func (w *memoryWatch) Plan(p Plan, _ int) { w.plan = p }

func (w *memoryWatch) Step(string, int64) {
	w.endStep()
	runtime.GC()
	now := memoryNow()
	w.live, w.allocated = now.HeapAlloc, now.TotalAlloc
}

func (w *memoryWatch) endStep() { w.top = max(w.top, w.live+memoryNow().TotalAlloc-w.allocated) }

func memoryNow() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

// The memory that a run has in use is below its plan.
func TestPlanCoversARun(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "seconds")
	for _, kernel := range []record.Kernel{record.BFS, record.Both} {
		runtime.GC()
		now := memoryNow()
		w := &memoryWatch{before: now.HeapAlloc, live: now.HeapAlloc, allocated: now.TotalAlloc}
		s := hybrid(config(17))
		s.Config.Search.Kernel, s.Config.Search.Keys, s.Watch = string(kernel), 2, w
		mustRun(t, 1, s)
		w.endStep()
		used, total := int64(w.top-w.before), w.plan.Total()
		t.Logf("%s: at most %s in use, the plan says %s", kernel, Bytes(used), Bytes(total))
		expect.That(t, used <= total && used >= total/4,
			"%s: at most %s in use, the plan says %s", kernel, Bytes(used), Bytes(total))
	}
}

// The plan for a directed graph has at least the memory that kernel 1 and a search allocate in total, and at most 30%
// more than the plan for an undirected graph.
func TestMemoryOfDirectedGraphs(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "the race detector allocates more")
	p, own := enginetest.Official(16, 0, 1)
	edges, rng := own.Edges, rand.New(rand.NewPCG(1, 1))
	for i, e := range edges {
		if rng.IntN(2) == 0 { // the generator's tuples lead to lower quadrants more often
			edges[i] = graph.NewEdge(e.V(), e.U())
		}
	}
	own.Arcs = true
	more := func(kernels ...record.Kernel) (engine, building int64) { // than in an undirected graph
		w := Work{Params: p, Ranks: 1, Kernels: kernels}
		undirected := HostMemory(w)
		w.Directed = true
		return HostMemory(w).Engine - undirected.Engine, HostMemory(w).Building - undirected.Building
	}
	total := func(engine, building int64) int64 { return engine + building }
	for kernel, c := range map[record.Kernel]struct {
		undirected int64
		search     func(testing.TB, comm.Transport)
	}{
		record.BFS: {total(bfs.HybridMemory(heaviest(p, 1))), func(t testing.TB, tr comm.Transport) {
			e := expect.Value(bfs.NewHybrid(1)(tr, own))(t)
			expect.NoError(t, expect.Err(e.Search(edges[0].U())))
		}},
		record.SSSP: {total(sssp.Memory(heaviest(p, 1), sssp.PruneNone)), func(t testing.TB, tr comm.Transport) {
			e := expect.Value(sssp.NewSearch(1)(tr, own, sssp.PruneNone))(t)
			expect.NoError(t, expect.Err(e.Search(edges[0].U())))
		}},
	} {
		engine, building := more(kernel)
		before := memoryNow()
		enginetest.OnRanks(t, 1, c.search)
		took, most := int64(memoryNow().TotalAlloc-before.TotalAlloc), c.undirected+engine+building
		expect.That(t, took <= most && 10*most <= 13*c.undirected,
			"%s: kernel 1 and a search took %d bytes, the plan has %d, and undirected %d", kernel, took, most, c.undirected)
		both, same := more(record.BFS, record.SSSP)
		expect.Equal(t, [2]int64{both - engine, same}, [2]int64{8 << p.Scale, building}, kernel,
			"a second kernel in a directed graph takes bytes")
	}
}

// The ranks of a node share its memory.
func TestRanksOfANodeShareItsMemory(t *testing.T) {
	total, _ := machine.Here.Memory()
	expect.SkipIf(t, total == 0, "this system does not report its memory")
	const ranks = 16
	expect.NoError(t, comm.Loopback(ranks, func(tr comm.Transport) error {
		budget, err := HostBudget(tr)
		expect.That(t, ranks*budget.Bytes <= total,
			"%d ranks may use %s each, and the node has %s", ranks, Bytes(budget.Bytes), Bytes(total))
		return err
	}))
}

// Ranks 0 and 2 share one device, which is noted; rank 1 has another. A share that is too small is refused.
func TestSharedDevices(t *testing.T) {
	note := "ranks 0, 2 share GPU 0 (abacus) of " + machine.Node() + ", with 1.5 GiB of memory for each: a device for " +
		"each rank searches faster"
	for bytes, want := range map[int64]string{
		3 << 29: "", 1000: "on each of 3 ranks, and GPU 0 (abacus) has 1000 B for each",
	} {
		runs, err := onRanks(context.Background(), 3, func(rank int) Setup {
			s := hybrid(config(6))
			s.Config.Search.IDs64 = true // which has an effect on several ranks
			s.Backend.Budget = func() Budget {
				if rank == 1 {
					return Budget{Bytes: 2 * bytes, Holder: "GPU 1 (abacus)", Sharers: []int{1}}
				}
				return Budget{Bytes: bytes, Holder: "GPU 0 (abacus)", Sharers: []int{0, 2}}
			}
			return s
		})
		if expect.Error(t, err, want); want == "" {
			expect.Equal(t, runs[0].Notes, []string{note})
		}
	}
}

// backendOnDevices has a plan with tuples on a device and one with tuples in host memory. It stores the plan in used.
func backendOnDevices(device, inHost int64, used *Plan) Backend {
	backend := hybrid(config(6)).Backend
	backend.Memory = func(Work) []Plan {
		return []Plan{{Tuples: 1000, Engine: 1000}, {Tuples: 100, Engine: 1000, InHost: inHost}}
	}
	backend.Budget = func() Budget { return Budget{Bytes: device, Holder: "GPU 0 (abacus)", Sharers: []int{0}} }
	backend.Use = func(p Plan) { *used = p }
	return backend
}

// All ranks store tuples in host memory, or generate them, if one rank's device lacks memory, and the run notes it.
func TestPlaceOfTuplesIsSettledByMemory(t *testing.T) {
	const inHost = "edge tuples in host memory: 4 KiB on each rank"
	for short, note := range map[int64]string{ // by the budget of rank 1; the others have enough
		2000: "", 1999: inHost, 1100: inHost, 1099: "edge tuples generated in each pass, inside the clock of kernel 1: " +
			"the specification recommends a list that is stored before it (docs/adr/0091)",
	} {
		used := make([]Plan, 3)
		runs, err := onRanks(context.Background(), 3, func(rank int) Setup {
			budget := int64(1 << 20)
			if rank == 1 {
				budget = short
			}
			backend := backendOnDevices(budget, 4096, &used[rank])
			plans := append(backend.Memory(Work{}), Plan{Tuples: 10, Engine: 1000, EdgeMemory: "generated"})
			backend.Memory = func(Work) []Plan { return plans }
			return Setup{Config: config(6), Backend: backend}
		})
		expect.NoError(t, err)
		for rank, plan := range used {
			expect.Equal(t, plan.Tuples, used[0].Tuples, "rank 1 has", short, "bytes, rank", rank)
		}
		expect.Equal(t, strings.Join(runs[0].Notes, "\n"), note, "rank 1 has", short, "bytes")
	}
}

func TestCoresOfARank(t *testing.T) {
	for _, c := range []struct {
		meaning        string
		cores, sharing int
		quota          float64
		limited, want  int
	}{
		{"alone", 64, 1, 0, 1, 64},
		{"four ranks that are not bound", 64, 4, 0, 4, 16},
		{"one of four ranks that are bound to 16 cores each", 16, 1, 0, 4, 16},
		{"more ranks than cores", 2, 7, 0, 7, 1},
		{"a quota", 64, 1, 3.5, 1, 4},
		{"a quota for four ranks", 64, 4, 6, 4, 2},
		{"a quota above the share", 64, 16, 48, 2, 4},
		{"a quota of less than a core for each rank", 64, 8, 2, 8, 1},
	} {
		expect.Equal(t, coresOfRank(c.cores, c.sharing, c.quota, c.limited), c.want, c.meaning)
	}
}
