//go:build cuda && mpi && cgo

package device_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestTransportOnMPI(t *testing.T) {
	gputest.UnderMpirun(t, func(t *testing.T) { testTransport(t, gputest.InWorld, gputest.World.Size()) })
}

// Ranks 0 and 1 see one GPU and rank 2 another one: the first two are peers, and the last is nobody's.
func TestHiddenGPUs(t *testing.T) {
	if gputest.World == nil {
		if cards, err := cuda.Cards(); err != nil || len(cards) < 2 {
			t.Skip("needs two GPUs")
		}
		self := []string{os.Args[0], "-test.run=^TestHiddenGPUs$"}
		first := []string{"env", "CUDA_VISIBLE_DEVICES=0"}
		second := []string{":", "-n", "1", "env", "CUDA_VISIBLE_DEVICES=1"}
		gputest.Mpirun(t, 2, slices.Concat(first, self, second, self)...)
		return
	}
	check := func(tr comm.Transport) error {
		err := checkTransport(tr, hidden, 1000)
		if err != nil {
			return err
		}
		d, err := cuda.Open(0)
		if err != nil {
			return err
		}
		_, err = gputest.Chosen(device.PeerTransport)(tr, d, device.StagingBytes)
		const want = "rank 0: gpu: rank 2 is not a peer of this one: cuda: the GPU at "
		if err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("the transport peer gives %v", err)
		}
		return d.Close()
	}
	if err := gputest.InWorld(3, check); err != nil {
		t.Error(err)
	}
}

func hidden(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
	c, err := gputest.Chosen(device.AutoTransport)(t, d, staging)
	if err != nil {
		return nil, err
	}
	for r := range t.Size() {
		if want := r != t.Rank() && r < 2 && t.Rank() < 2; c.Peer(r) != want {
			return nil, fmt.Errorf("rank %d is a peer of rank %d: %v", r, t.Rank(), !want)
		}
	}
	return c, nil
}

func TestSharedWindowsOnMPI(t *testing.T) {
	gputest.UnderMpirun(t, func(t *testing.T) {
		err := gputest.InWorld(gputest.World.Size(), func(host comm.Transport) error {
			return gputest.Joined(host, device.MPITransport, checkSharedWindows)
		})
		if err != nil {
			t.Error(err)
		}
	})
}
