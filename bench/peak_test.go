package bench

import (
	"runtime"
	"testing"

	"g500/record"
)

// memoryWatch bounds the memory of a run from above, without a clock: a step has in use at most the live objects at its
// begin, and all that it allocates.
type memoryWatch struct {
	silent
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
	if testing.Short() {
		t.Skip("seconds")
	}
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
		if used > total || used < total/4 {
			t.Errorf("%s: at most %s in use, the plan says %s", kernel, Bytes(used), Bytes(total))
		}
	}
}
