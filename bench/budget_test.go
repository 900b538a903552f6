package bench

import (
	"context"
	"slices"
	"testing"

	"g500/comm"
	"g500/internal/expect"
	"g500/internal/machine"
)

// The ranks of a node share its memory.
func TestRanksOfANodeShareItsMemory(t *testing.T) {
	total, _ := machine.Memory()
	if total == 0 {
		t.Skip("this system does not report its memory")
	}
	const ranks = 16
	expect.NoError(t, comm.Loopback(ranks, func(tr comm.Transport) error {
		budget, err := HostBudget(tr)
		if ranks*budget.Bytes > total {
			t.Errorf("%d ranks may use %s each, and the node has %s", ranks, Bytes(budget.Bytes), Bytes(total))
		}
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

// All ranks store tuples in host memory if one rank's device lacks memory, and the run notes it.
func TestPlaceOfTuplesIsSettledByMemory(t *testing.T) {
	for _, c := range []struct {
		short  int64 // budget of rank 1; the others have enough
		inHost bool
	}{{2000, false}, {1999, true}, {1100, true}} {
		used := make([]Plan, 3)
		runs, err := onRanks(context.Background(), 3, func(rank int) Setup {
			budget := int64(1 << 20)
			if rank == 1 {
				budget = c.short
			}
			return Setup{Config: config(6), Backend: backendOnDevices(budget, 4096, &used[rank])}
		})
		expect.NoError(t, err)
		for rank, plan := range used {
			if (plan.InHost > 0) != c.inHost {
				t.Errorf("rank 1 has %d bytes: rank %d uses %+v", c.short, rank, plan)
			}
		}
		notes := runs[0].Notes
		if noted := slices.Contains(notes, "edge tuples in host memory: 4 KiB on each rank"); noted != c.inHost {
			t.Errorf("rank 1 has %d bytes: notes %q", c.short, notes)
		}
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
