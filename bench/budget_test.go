package bench

import (
	"context"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/internal/machine"
	"g500/kronecker"
)

// Ranks 0 and 2 share one device, rank 1 has another to itself.
func roomOf(rank int, bytes int64) Budget {
	if rank == 1 {
		return Budget{Bytes: 2 * bytes, Holder: "GPU 1 (abacus)", Sharers: []int{1}}
	}
	return Budget{Bytes: bytes, Holder: "GPU 0 (abacus)", Sharers: []int{0, 2}}
}

// runInRooms runs on three ranks with those rooms.
func runInRooms(t *testing.T, bytes int64) (notes []string, err error) {
	t.Helper()
	err = comm.Loopback(3, func(tr comm.Transport) error {
		s := hybrid(config(6))
		s.Backend.Budget = func() Budget { return roomOf(tr.Rank(), bytes) }
		run, err := Run(context.Background(), tr, s)
		if tr.Rank() == 0 && run != nil {
			notes = run.Notes
		}
		return err
	})
	return notes, err
}

func TestSharedDevicesAreNoted(t *testing.T) {
	notes, err := runInRooms(t, 3<<29)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ranks 0, 2 share GPU 0 (abacus) of " + machine.Node() + ", with 1.5 GiB of memory for each: " +
		"a device for each rank searches faster"}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

func TestShareOfADeviceThatIsTooSmall(t *testing.T) {
	_, err := runInRooms(t, 1000)
	if err == nil || !strings.Contains(err.Error(), "on each of 3 ranks, and GPU 0 (abacus) has 1000 B for each") {
		t.Errorf("the run ended with %v", err)
	}
}

// backendOnDevices is a backend with tuples on a device, or in host memory; it stores the plan in used.
func backendOnDevices(device, inHost int64, used *Plan) Backend {
	backend := hybrid(config(6)).Backend
	backend.Memory = func(kronecker.Params, int, bool) []Plan {
		return []Plan{{Tuples: 1000, Engine: 1000}, {Tuples: 100, Engine: 1000, InHost: inHost}}
	}
	backend.Budget = func() Budget { return Budget{Bytes: device, Holder: "GPU 0 (abacus)", Sharers: []int{0}} }
	backend.Use = func(p Plan) { *used = p }
	return backend
}

// Tuples lie in host memory only where they do not fit elsewhere; one rank without room is enough. The result says so.
func TestPlaceOfTuplesIsSettledByMemory(t *testing.T) {
	for _, c := range []struct {
		short  int64 // room of rank 1; the others have enough
		inHost bool
	}{{2000, false}, {1999, true}, {1100, true}} {
		used := make([]Plan, 3)
		var notes []string
		err := comm.Loopback(3, func(tr comm.Transport) error {
			room := int64(1 << 20)
			if tr.Rank() == 1 {
				room = c.short
			}
			s := hybrid(config(6))
			s.Backend = backendOnDevices(room, 4096, &used[tr.Rank()])
			run, err := Run(context.Background(), tr, s)
			if tr.Rank() == 0 && err == nil {
				notes = run.Notes
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for rank, plan := range used {
			if (plan.InHost > 0) != c.inHost {
				t.Errorf("rank 1 has %d bytes: rank %d uses %+v", c.short, rank, plan)
			}
		}
		if told := slices.Contains(notes, "edge tuples in host memory: 4 KiB on each rank"); told != c.inHost {
			t.Errorf("rank 1 has %d bytes: notes %q", c.short, notes)
		}
	}
}

// A run that fits in neither way is refused before anything is made, with what each way would take.
func TestRunsThatFitNowhereAreRefused(t *testing.T) {
	for _, c := range []struct {
		device, host int64
		want         string
	}{
		{1099, 4096, "scale 6 needs 1.95 KiB, or 1.07 KiB and 1 GiB of its node's memory on each of 1 ranks, " +
			"and GPU 0 (abacus) has 1.07 KiB for each, "},
		{1999, 1 << 60, "1.95 KiB, or 1.07 KiB and 1 EiB of its node's memory on each of 1 ranks"},
	} {
		err := comm.Loopback(1, func(tr comm.Transport) error {
			s := hybrid(config(6))
			s.Backend = backendOnDevices(c.device, c.host, new(Plan))
			s.Backend.Use = func(Plan) { t.Error("a plan that does not fit is used") }
			_, err := Run(context.Background(), tr, s)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the run ended with %v, want %q", err, c.want)
		}
	}
}
