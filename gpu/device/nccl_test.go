// SPDX-License-Identifier: Apache-2.0

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

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/comm/nccl"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/internal/timeout"
	"g500/settings"
)

// faked reports test libraries in place of driver, NCCL and MPI (scripts/test-gpu-transports.sh): no test is skipped.
var faked = os.Getenv("G500_TEST_GPU_TRANSPORTS") == "faked"

// lacks skips a test that needs something that this machine lacks.
func lacks(t *testing.T, missing string) {
	t.Helper()
	expect.Must(t, !faked, "%v", missing)
	t.Skip(missing)
}

// ncclWays are joins with NCCL: between all ranks, between ranks whose numbers are not both even or both odd, or only
// in exchanges between peers.
var ncclWays = []struct {
	name string
	join gputest.Join
}{
	{"nccl", gputest.Chosen(device.NCCLTransport)},
	{"parity", gputest.Mixed("peer+nccl", func(a, b, _ int) bool { return a%2 == b%2 })},
	{"peers", gputest.Chosen("peer+nccl")},
}

// needNCCL skips a test if NCCL is not found. If ranks must share a GPU, NCCL_HOSTID puts each rank on its own
// node, so that it uses the loopback network. This is impossible for ranks of one process.
func needNCCL(t *testing.T, ranks int) {
	t.Helper()
	if _, err := nccl.Find(); err != nil {
		lacks(t, err.Error())
	}
	cards := expect.Value(cuda.Cards())(t)
	switch {
	case ranks <= len(cards):
	case enginetest.World == nil:
		lacks(t, fmt.Sprintf("%d ranks of one process, and %d GPUs", ranks, len(cards)))
	default:
		for name, value := range map[string]string{
			device.NodeVariable: strconv.Itoa(enginetest.World.Rank()), "NCCL_NET": "Socket", "NCCL_SOCKET_IFNAME": "lo",
			"NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "1",
		} {
			t.Setenv(name, value)
		}
	}
}

func testNCCL(t *testing.T, launch bfstest.Launch, ranks int) {
	needNCCL(t, ranks)
	for _, way := range ncclWays {
		t.Run(fmt.Sprintf("ranks=%d/%s", ranks, way.name), func(t *testing.T) {
			gputest.OnRanks(t, launch, ranks, func(host comm.Transport) { conform(host, way.join, device.StagingBytes) })
		})
	}
}

func TestNCCLOnLoopback(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4} {
		t.Run(fmt.Sprintf("ranks=%d", ranks), func(t *testing.T) { testNCCL(t, comm.Loopback, ranks) })
	}
}

func TestNCCLDomains(t *testing.T) {
	expect.SkipIf(t, !faked, "needs the test driver, since there are more ranks than GPUs")
	t.Setenv(device.NodeVariable, "any")
	testDomains(t, "peer+nccl")
}

// A rank alone joins itself, and an all-gather does not change its memory. Any GPU can do this, but the transport of
// one rank does not use NCCL.
func TestNCCLAlone(t *testing.T) {
	defer gputest.Fatal(t)
	needNCCL(t, 1)
	library := gputest.Must(nccl.Find())
	d := gputest.Open(t)
	c := gputest.Must(library.Join(gputest.Must(library.NewID()), 0, 1, timeout.Joining, d))
	defer c.Close()
	words := pattern(0, 0, 1, 1<<20)
	m := copied(d, words)
	gputest.Check(c.AllGather(m.Address(), m.Address(), m.Bytes()), c.Wait(m.Bytes()))
	compare(m.Memory, words, "AllGather")
}

// If a call of NCCL fails on rank 1 during an exchange, every rank ends.
func TestNCCLRankFails(t *testing.T) {
	expect.SkipIf(t, !faked, "needs the test library")
	for _, plan := range []string{"1 ncclSend error", "1 ncclGroupEnd async"} {
		t.Run(plan, func(t *testing.T) {
			reached := make([]error, 3)
			err := gputest.Ranks(comm.Loopback, 3, func(host comm.Transport) {
				d := gputest.Must(cuda.Open(host.Rank()))
				c := gputest.Must(gputest.Chosen(device.NCCLTransport)(host, d, device.StagingBytes))
				expect.That(t, device.GoesByNCCL(c) && strings.HasPrefix(c.Describe(), settings.GPUTransports["nccl"].Text+" 2."),
					"the transport is %s", c.Describe())
				gputest.Check(host.Barrier())
				os.Setenv("FAKE_NCCL_FAULT", plan)
				defer os.Unsetenv("FAKE_NCCL_FAULT")
				w := gputest.Must(c.Open("words", 3*64))
				err := c.AllGatherFront(w, 64, 16)
				reached[host.Rank()] = err
				gputest.Check(err, c.Close(), d.Close())
			})
			expect.That(t, err != nil && !slices.Contains(reached, nil),
				"a rank fails in an exchange: the job ends with %v, the ranks with %v", err, reached)
		})
	}
}

// joinNCCL returns the error of joining ranks by NCCL.
func joinNCCL(ranks int) error {
	return gputest.Ranks(comm.Loopback, ranks, func(host comm.Transport) {
		gputest.Joined(host, device.NCCLTransport, func(device.Transport) {})
	})
}

// More ranks than GPUs are an error on all ranks.
func TestNCCLRefusesSharedGPU(t *testing.T) {
	defer gputest.Fatal(t)
	needNCCL(t, 1)
	n := len(gputest.Must(cuda.Cards()))
	want := fmt.Sprintf("ranks 0 and %d share a GPU, and NCCL takes one rank a GPU", n)
	expect.Error(t, joinNCCL(n+1), want, n+1, "ranks")
}

// Without NCCL, a job that selects it ends with advice.
func TestNCCLIsMissing(t *testing.T) {
	_, missing := nccl.Find()
	expect.SkipIf(t, missing == nil, "NCCL is found")
	t.Setenv(device.NodeVariable, "any")
	for name, join := range map[string]func() error{
		"remote ranks": func() error { return joinNCCL(2) },
		"peers": func() error {
			return gputest.Ranks(comm.Loopback, 2, func(host comm.Transport) {
				gputest.Joined(host, "peer+nccl", func(c device.Transport) { gputest.Must(c.Exchanges()) })
			})
		},
	} {
		expect.Error(t, join(), missing.Error(), "without NCCL, the job of", name)
	}
	expect.Contains(t, device.DescribeNCCL(), missing.Error())
}

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
	expect.SkipIf(t, !faked, "needs the test library")
	passed := "--gpu-transport auto: NCCL 2.21.5 between 2 groups of peers, because NCCL's trial passed"
	expect.Contains(t, choiceOf(t, 3), passed)
	const staged = "--gpu-transport auto: staged in host memory between 2 groups of peers, because NCCL cannot be used: "
	for plan, why := range map[string]string{
		"0 ncclAllGather error": "rank 0: nccl: an all-gather: system error", "1 ncclSend error": "rank 0: nccl: ",
	} {
		t.Run(plan, func(t *testing.T) {
			t.Setenv("FAKE_NCCL_FAULT", plan)
			expect.Contains(t, choiceOf(t, 4), staged+why)
			expect.Equal(t, joinNCCL(3) != nil, true, "a run that names NCCL ends without it")
		})
	}
}

// Without NCCL, or if ranks share a GPU, "auto" chooses the staged transport, and names the rank and the reason.
func TestAutoWithoutNCCL(t *testing.T) {
	expect.SkipIf(t, !faked, "needs the test driver")
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
			gputest.Joined(host, name, func(c device.Transport) { expect.Equal(t, c.Choice(), "", name) })
		})
	}
}

// Levels without vertices run with every exchange, by the staged transport also on ranks that share a GPU, and the
// marks of their messages arrive.
func TestLevels(t *testing.T) {
	expect.SkipIf(t, faked, "needs kernels")
	gputest.OnRanks(t, comm.Loopback, 3, func(host comm.Transport) {
		links := gputest.Must(device.NewLinks(host, device.StagedTransport, 1<<10))
		names := gputest.Must(links.LevelTransports())
		expect.Equal(t, names, []string{device.StagedTransport})
		expect.Equal(t, links.Groups(), 3, "groups")
		levels := gputest.Must(links.Levels(names[0], 3<<20))
		for _, bytes := range []int{8, 64, 1 << 20} {
			gputest.Check(levels.Kernels(), levels.AllGather(bytes), levels.AllToAll(bytes))
		}
		gputest.Check(levels.Close(), links.Close())
	})
}
