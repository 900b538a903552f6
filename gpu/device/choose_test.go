// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device_test

import (
	"errors"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/expect"
	"g500/internal/machine"
)

// choiceOf returns the choice of --gpu-transport auto on ranks of pairs of peers, after the conformance tests.
func choiceOf(t *testing.T, ranks int) string {
	t.Helper()
	join := gputest.Mixed(device.AutoTransport, func(a, b, _ int) bool { return a/2 == b/2 })
	choices := make([]string, ranks)
	gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
		conform(host, func(host comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
			c, err := join(host, d, staging)
			if err == nil {
				choices[host.Rank()] = c.Choice()
				if byNCCL := strings.Contains(c.Choice(), "auto: NCCL 2."); byNCCL != device.GoesByNCCL(c) {
					err = errors.New(c.Choice() + ", and the transport is " + c.Describe())
				}
			}
			return c, err
		}, device.StagingBytes)
	})
	for _, other := range choices {
		expect.Equal(t, other, choices[0], "ranks choose", choices)
	}
	return choices[0]
}

// "auto" chooses NCCL between ranks that are no peers if its trial passes, else the staged transport, with the reason.
// A run that names NCCL ends if the trial fails.
func TestAutoChoosesByTrial(t *testing.T) {
	if !faked {
		t.Skip("needs the test library")
	}
	passed := "--gpu-transport auto: NCCL 2.21.5 between 2 groups of peers, because NCCL's trial passed"
	if got := choiceOf(t, 3); !strings.HasPrefix(got, passed) {
		t.Errorf("the choice is %q, want %q", got, passed)
	}
	const staged = "--gpu-transport auto: staged in host memory between 2 groups of peers, because NCCL " +
		"cannot be used: "
	for plan, why := range map[string]string{
		"0 ncclAllGather error": "rank 0: nccl: an all-gather: system error", "1 ncclSend error": "rank 0: nccl: ",
	} {
		t.Run(plan, func(t *testing.T) {
			t.Setenv("FAKE_NCCL_FAULT", plan)
			if got := choiceOf(t, 4); !strings.HasPrefix(got, staged+why) {
				t.Errorf("the choice is %q, want %q", got, staged+why)
			}
			if err := joinNCCL(3); err == nil {
				t.Error("a run that names NCCL goes on without it")
			}
		})
	}
}

// Without NCCL, or if ranks share a GPU, "auto" chooses the staged transport, and names the rank and the reason.
func TestAutoWithoutNCCL(t *testing.T) {
	if !faked {
		t.Skip("needs the test driver")
	}
	ranks, why := 5, "gpu: ranks 0 and 4 share a GPU"
	if _, missing := nccl.Find(); missing != nil {
		ranks, why = 3, missing.Error()
	}
	want := "because NCCL cannot be used: rank 0 on node " + machine.Node() + ": " + why
	expect.Contains(t, choiceOf(t, ranks), want)
}

// Ranks that are all peers, and a named transport, are no choice.
func TestNoChoice(t *testing.T) {
	for _, name := range []string{device.PeerTransport, device.AutoTransport, device.StagedTransport} {
		gputest.OnRanks(t, comm.Loopback, 2, func(host comm.Transport) {
			gputest.Joined(host, name, func(c device.Transport) {
				expect.Equal(t, c.Choice(), "", name)
			})
		})
	}
}

// Levels without vertices run with every exchange, by the staged transport also on ranks that share a GPU, and the
// marks of their messages arrive.
func TestLevels(t *testing.T) {
	if faked {
		t.Skip("needs kernels")
	}
	gputest.OnRanks(t, comm.Loopback, 3, func(host comm.Transport) {
		links := gputest.Must(device.NewLinks(host, device.StagedTransport, 1<<10))
		names := gputest.Must(links.LevelTransports())
		if len(names) != 1 || names[0] != device.StagedTransport || links.Groups() != 3 {
			t.Errorf("transports %v between %d groups", names, links.Groups())
		}
		levels := gputest.Must(links.Levels(names[0], 3<<20))
		for _, bytes := range []int{8, 64, 1 << 20} {
			gputest.Check(levels.Kernels(), levels.AllGather(bytes), levels.AllToAll(bytes))
		}
		gputest.Check(levels.Close(), links.Close())
	})
}
