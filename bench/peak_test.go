package bench

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"g500/record"
)

// planWatch keeps the plan of a run.
type planWatch struct {
	silent
	plan Plan
}

func (w *planWatch) Plan(p Plan, _ int) { w.plan = p }

// The memory that a run has in use, sampled from its begin to its end, is below its plan.
func TestPlanCoversARun(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(5)) // little garbage
	for _, kernel := range []record.Kernel{record.BFS, record.Both} {
		runtime.GC()
		before, most := inUse(), int64(0)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for tick := time.Tick(time.Millisecond); ; {
				select {
				case <-tick:
					most = max(most, inUse())
				case <-stop:
					return
				}
			}
		}()
		var watch planWatch
		s := hybrid(config(17))
		s.Config.Search.Kernel, s.Config.Search.Keys, s.Watch = string(kernel), 2, &watch
		mustRun(t, 1, s)
		close(stop)
		<-stopped
		peak := most - before
		t.Logf("%s: %s in use, the plan says %s", kernel, Bytes(peak), Bytes(watch.plan.Total()))
		if total := watch.plan.Total(); peak > total+total/20 || peak < total/4 {
			t.Errorf("%s: %s in use, the plan says %s", kernel, Bytes(peak), Bytes(total))
		}
	}
}

// inUse returns the bytes of objects in memory, garbage included.
func inUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
