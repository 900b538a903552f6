package bench

import (
	"fmt"
	"strings"
	"testing"

	"g500/record"
	"g500/settings"
	"g500/sssp"
)

func TestLargestScaleFitsAndTheNextDoesNot(t *testing.T) {
	backend := onCPU()
	p := settings.Default().Params()
	for _, ranks := range []int{1, 3, 64} {
		for _, bytes := range []int64{1 << 30, 20 << 30, 1 << 40} {
			p.Scale = LargestScale(backend, p, ranks, true, Budgets{Backend: bytes})
			fits := NewPlan(p, ranks, true).Total()
			p.Scale++
			if next := NewPlan(p, ranks, true).Total(); fits > bytes || next <= bytes && p.Scale <= backend.MaxScale {
				t.Errorf("%d ranks, %d bytes: scale %d needs %d, the next %d", ranks, bytes, p.Scale-1, fits, next)
			}
		}
	}
}

// The error for shortest paths has the largest scale that fits with them, which is smaller than without them.
func TestRefusalNamesAScaleOfShortestPaths(t *testing.T) {
	s := hybrid(config(30))
	s.Config.Search.Kernel = string(record.Both)
	s.Backend.Budget = func() Budget { return Budget{Holder: "this test", Bytes: 1 << 30} }
	_, err := run(t.Context(), 1, s)
	p := s.Config.Params()
	without := LargestScale(s.Backend, p, 1, true, Budgets{Backend: 1 << 30})
	fits := LargestScale(s.Backend.planningPaths(sssp.PruneNone), p, 1, true, Budgets{Backend: 1 << 30})
	want := fmt.Sprintf("the largest scale that fits is %d:", fits)
	if err == nil || !strings.Contains(err.Error(), want) || fits >= without {
		t.Errorf("got %v, want %q; without shortest paths it is %d", err, want, without)
	}
}

// The largest scale is limited by the vertex numbers of the engine.
func TestLargestScaleEndsWithTheVertexNumbers(t *testing.T) {
	backend := onCPU()
	got := LargestScale(backend, settings.Default().Params(), 1<<20, true, Budgets{Backend: 1 << 60})
	if got != backend.MaxScale || got != 42 {
		t.Errorf("scale %d, want %d, which is 42, class huge", got, backend.MaxScale)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536 << 20: "1.5 GiB",
		1000 << 20: "1000 MiB", 12345678: "11.8 MiB", 1 << 62: "4 EiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
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
		if c.rooms.Fits(device) != c.device || c.rooms.Fits(host) != c.host {
			t.Errorf("%+v: %v and %v", c.rooms, c.rooms.Fits(device), c.rooms.Fits(host))
		}
	}
}
