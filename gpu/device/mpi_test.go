// SPDX-License-Identifier: Apache-2.0

//go:build cuda && mpi && cgo

package device_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/machine"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func TestTransportOnMPI(t *testing.T) {
	enginetest.UnderMpirun(t, func(t *testing.T) { testTransport(t, enginetest.InWorld, enginetest.World.Size()) }, 2, 4)
}

func TestNCCLOnMPI(t *testing.T) {
	enginetest.UnderMpirun(t, func(t *testing.T) { testNCCL(t, enginetest.InWorld, enginetest.World.Size()) }, 2, 4)
}

// Ranks 0 and 1 use one GPU and rank 2 another one. Therefore only the first two are peers.
func TestHiddenGPUs(t *testing.T) {
	if enginetest.World == nil {
		if cards, err := cuda.Cards(); err != nil || len(cards) < 2 {
			t.Skip("needs two GPUs")
		}
		self := []string{os.Args[0], "-test.run=^TestHiddenGPUs$"}
		first := []string{"env", "CUDA_VISIBLE_DEVICES=0"}
		second := []string{":", "-n", "1", "env", "CUDA_VISIBLE_DEVICES=1"}
		enginetest.Mpirun(t, 2, slices.Concat(first, self, second, self)...)
		return
	}
	gputest.OnRanks(t, enginetest.InWorld, 3, func(host comm.Transport) {
		conform(host, checked(device.AutoTransport, func(a, b int) bool { return a < 2 && b < 2 }), 1000)
		d := gputest.Must(cuda.Open(0))
		_, err := gputest.Chosen(device.PeerTransport)(host, d, device.StagingBytes)
		const want = "rank 0: gpu: rank 2 is not a peer of this one: cuda: the GPU "
		expect.Error(t, err, want)
		gputest.Check(d.Close())
	})
}

// If a rank has no NCCL, or another version, "auto" chooses the staged transport on all ranks, with the reason; a run
// that names NCCL ends on all ranks.
func TestNCCLOfRanksDiffers(t *testing.T) {
	expect.SkipIf(t, !faked, "needs the test libraries")
	if enginetest.World == nil {
		const versions = "the ranks differ: the NCCL library is NCCL 2.21.5 on rank 0 and NCCL 2.28.3 on rank 2: "
		self := []string{os.Args[0], "-test.run=^TestNCCLOfRanksDiffers$"}
		for _, c := range [][3]string{
			{device.AutoTransport, nccl.FileVariable + "=/none", "used: rank 2 on node " + machine.Node() + ": nccl: "},
			{device.AutoTransport, "FAKE_NCCL_VERSION=22803", "used: " + versions},
			{device.NCCLTransport, nccl.FileVariable + "=/none", "rank 2: nccl: NCCL is not found "},
			{device.NCCLTransport, "FAKE_NCCL_VERSION=22803", versions},
		} {
			t.Setenv("TRANSPORT", c[0])
			t.Setenv("WANTED", c[2])
			enginetest.Mpirun(t, 2, slices.Concat(self, []string{":", "-n", "1", "env", c[1]}, self)...)
		}
		return
	}
	gputest.OnRanks(t, enginetest.InWorld, 3, func(host comm.Transport) {
		d := gputest.Must(cuda.Open(host.Rank()))
		c, err := gputest.Chosen(os.Getenv("TRANSPORT"))(host, d, device.StagingBytes)
		got := fmt.Sprint(err)
		if err == nil {
			got = c.Choice()
			gputest.Check(c.Close())
		}
		want := os.Getenv("WANTED")
		gputest.That(strings.Contains(got, want), "the transport is %q, want %q", got, want)
		gputest.Check(d.Close())
	})
}

// A CUDA-aware MPI moves data from device memory, unless the transport is staged.
func TestFromDeviceOnMPI(t *testing.T) {
	enginetest.UnderMpirun(t, func(t *testing.T) {
		if !comm.CUDAAware() {
			lacks(t, "the MPI library is not CUDA-aware")
		}
		for _, name := range []string{device.MPITransport, device.StagedTransport} {
			join := func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
				c, err := gputest.Chosen(name)(t, d, staging)
				if err == nil && device.GoesFromDevice(c) != (name == device.MPITransport) {
					err = fmt.Errorf("the transport %s is %s", name, c.Describe())
				}
				return c, err
			}
			gputest.OnRanks(t, enginetest.InWorld, enginetest.World.Size(), func(host comm.Transport) {
				conform(host, join, device.StagingBytes)
			})
		}
	}, 2, 4)
}
