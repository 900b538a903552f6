//go:build cuda && cgo

package device_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

// faked reports whether test libraries replace the driver, NCCL and MPI (scripts/test-gpu-transports.sh). Then no test
// may be skipped.
var faked = os.Getenv("G500_TEST_GPU_TRANSPORTS") == "faked"

// lacks skips a test for what this machine lacks.
func lacks(t *testing.T, what string) {
	t.Helper()
	if faked {
		t.Fatal(what)
	}
	t.Skip(what)
}

// ncclWays are those with NCCL: between all ranks, and between those whose numbers are not both even or both odd.
var ncclWays = []struct {
	name string
	join gputest.Join
}{
	{"nccl", gputest.Chosen(device.NCCLTransport)},
	{"parity", gputest.Mixed("peer+nccl", func(a, b, _ int) bool { return a%2 == b%2 })},
}

// needNCCL skips a test where NCCL is not found. Where ranks have to share a GPU it is a trial: each is told that its
// host is one of its own, so that words go by the network of that host. Ranks of one process cannot do so.
func needNCCL(t *testing.T, ranks int) {
	t.Helper()
	if _, err := nccl.Find(); err != nil {
		lacks(t, err.Error())
	}
	cards, err := cuda.Cards()
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case ranks <= len(cards):
	case gputest.World == nil:
		lacks(t, fmt.Sprintf("%d ranks of one process, and %d GPUs", ranks, len(cards)))
	default:
		for name, value := range map[string]string{
			device.NodeVariable: strconv.Itoa(gputest.World.Rank()), "NCCL_NET": "Socket", "NCCL_SOCKET_IFNAME": "lo",
			"NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "1",
		} {
			t.Setenv(name, value)
		}
	}
}

func testNCCL(t *testing.T, launch func(int, func(comm.Transport) error) error, ranks int) {
	needNCCL(t, ranks)
	for _, way := range ncclWays {
		t.Run(fmt.Sprintf("ranks=%d/%s", ranks, way.name), func(t *testing.T) {
			err := launch(ranks, func(tr comm.Transport) error { return checkTransport(tr, way.join, device.StagingBytes) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNCCLOnLoopback(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4} {
		t.Run(fmt.Sprintf("ranks=%d", ranks), func(t *testing.T) { testNCCL(t, comm.Loopback, ranks) })
	}
}

// A rank alone joins itself, and leaves its memory as it is: that much of NCCL any GPU can show. Transports of one rank
// need no NCCL.
func TestNCCLAlone(t *testing.T) {
	needNCCL(t, 1)
	library, err := nccl.Find()
	if err != nil {
		t.Fatal(err)
	}
	d := gputest.Open(t)
	id, err := library.NewID()
	if err != nil {
		t.Fatal(err)
	}
	c, err := library.Join(id, 0, 1, device.NCCLWait)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	copies, err := d.NewCopyStream()
	if err != nil {
		t.Fatal(err)
	}
	words := pattern(0, 0, 1, 1<<20)
	m, err := made(d, words)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Synchronize(), c.AllGather(m.Foreign(), copies), compare(m.Memory, words)); err != nil {
		t.Error(err)
	}
}

// ncclTransport is a transport of which NCCL is all.
func ncclTransport(t comm.Transport, d *cuda.Device) (device.Transport, error) {
	c, err := gputest.Chosen(device.NCCLTransport)(t, d, device.StagingBytes)
	if err != nil {
		return nil, err
	}
	if !device.GoesByNCCL(c) || !strings.HasPrefix(c.Describe(), "NCCL 2.") {
		return nil, fmt.Errorf("the transport is %s", c.Describe())
	}
	return c, nil
}

// In an exchange of NCCL's, after the ranks have joined, a call goes wrong on rank 1: every rank ends.
func TestNCCLRankFails(t *testing.T) {
	if !faked {
		t.Skip("the library is NVIDIA's, and does not fail when told")
	}
	for _, plan := range []string{"1 ncclSend error", "1 ncclGroupEnd async"} {
		t.Run(plan, func(t *testing.T) {
			reached := make([]error, 3)
			err := comm.Loopback(3, func(host comm.Transport) error {
				d, err := cuda.Open(host.Rank())
				if err != nil {
					return err
				}
				c, err := ncclTransport(host, d)
				if err != nil {
					return err
				}
				if err := host.Barrier(); err != nil {
					return err
				}
				os.Setenv("FAKE_NCCL_FAULT", plan)
				defer os.Unsetenv("FAKE_NCCL_FAULT")
				w, err := c.Open("words", 3*64)
				if err != nil {
					return err
				}
				err = c.AllGatherSlice(w, 64, 0, 16)
				reached[host.Rank()] = err
				return errors.Join(err, c.Close(), d.Close())
			})
			if err == nil || slices.Contains(reached, nil) {
				t.Errorf("a rank fails in an exchange: the job ends with %v, the ranks with %v", err, reached)
			}
		})
	}
}

// More ranks than GPUs are refused before NCCL is asked, on all ranks alike.
func TestNCCLRefusesSharedGPU(t *testing.T) {
	needNCCL(t, 1)
	cards, err := cuda.Cards()
	if err != nil {
		t.Fatal(err)
	}
	err = comm.Loopback(len(cards)+1, func(host comm.Transport) error {
		return gputest.Joined(host, device.NCCLTransport, func(device.Transport) error { return nil })
	})
	want := fmt.Sprintf("ranks 0 and %d share a GPU, and NCCL takes one rank a GPU", len(cards))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%d ranks on %d GPUs end with %v, want %q", len(cards)+1, len(cards), err, want)
	}
}

// Where NCCL is not found, a job that asks for it ends with what to do.
func TestNCCLIsMissing(t *testing.T) {
	_, missing := nccl.Find()
	if missing == nil {
		t.Skip("NCCL is found")
	}
	t.Setenv(device.NodeVariable, "any")
	err := comm.Loopback(2, func(host comm.Transport) error {
		return gputest.Joined(host, device.NCCLTransport, func(device.Transport) error { return nil })
	})
	if err == nil || !strings.Contains(err.Error(), missing.Error()) {
		t.Errorf("without NCCL the job ends with %v, want %q", err, missing)
	}
	if line := device.DescribeNCCL(); !strings.Contains(line, missing.Error()) {
		t.Errorf("the doctor says %q", line)
	}
}
