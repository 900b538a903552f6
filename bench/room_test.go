package bench

import (
	"context"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/internal/machine"
)

// Ranks 0 and 2 share one device, rank 1 has another to itself.
func roomOf(rank int, bytes int64) Room {
	if rank == 1 {
		return Room{Bytes: 2 * bytes, Holder: "GPU 1 (abacus)", Sharers: []int{1}}
	}
	return Room{Bytes: bytes, Holder: "GPU 0 (abacus)", Sharers: []int{0, 2}}
}

// runInRooms runs on three ranks with those rooms.
func runInRooms(t *testing.T, bytes int64) (notes []string, err error) {
	t.Helper()
	err = comm.Loopback(3, func(tr comm.Transport) error {
		s := hybrid(config(6))
		s.Kit.Room = func() Room { return roomOf(tr.Rank(), bytes) }
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
	want := []string{"ranks 0, 2 share GPU 0 (abacus) of " + machine.Host() + ", with 1.5 GiB of memory for each"}
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
