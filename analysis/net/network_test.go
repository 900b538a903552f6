// SPDX-License-Identifier: Apache-2.0

package net

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"g500/comm"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// nodes are the nodes of four simulated ranks. A message takes 1 us inside a node and 4 us between nodes, and its
// bandwidth is bytesPerNanosecond.
var nodes = []string{"a", "a", "b", "b"}

func latencyOf(from, to int) time.Duration {
	if nodes[from] == nodes[to] {
		return time.Microsecond
	}
	return 4 * time.Microsecond
}

func bytesPerNanosecond(from, to int) int {
	switch {
	case from == 1 && to == 2:
		return 1
	case nodes[from] == nodes[to]:
		return 40
	}
	return 10
}

// simulated is a transport that only advances the clock of its rank.
type simulated struct {
	rank, ranks int
	now         time.Duration
	unreachable bool
	fails       error
}

func (m *simulated) Name() string     { return "simulated" }
func (m *simulated) OnDevices() bool  { return m.unreachable }
func (m *simulated) Reaches(int) bool { return !m.unreachable }
func (m *simulated) Close() error     { return nil }

func (m *simulated) Trip(peer, bytes int, leads bool) error {
	if peer == noPeer {
		return m.fails
	}
	m.now += latencyOf(m.rank, peer) + latencyOf(peer, m.rank)
	return m.fails
}

func (m *simulated) Window(peer, bytes, n int, leads bool) error {
	if peer == noPeer {
		return nil
	}
	m.now += time.Duration(n * bytes / bytesPerNanosecond(m.rank, peer))
	return nil
}

// simulatedLevels take 10 us and, on rank 3, 1 us per 80 bytes that the rank receives.
type simulatedLevels struct{ *simulated }

func (l simulatedLevels) Kernels() error { return l.AllGather(0) }

func (l simulatedLevels) AllGather(bytes int) error {
	l.now += 10 * time.Microsecond
	if l.rank == 3 {
		l.now += time.Duration((l.ranks-1)*bytes/80) * time.Microsecond
	}
	return nil
}

func (l simulatedLevels) AllToAll(bytes int) error { return l.AllGather(bytes) }

var plan = Plan{Sizes: []int{80, 80_000}, Repeats: 10}

func measured(t *testing.T, plan Plan, change func(*simulated)) *Figures {
	t.Helper()
	var figures *Figures
	expect.NoError(t, comm.Loopback(4, func(tr comm.Transport) error {
		c := &simulated{rank: tr.Rank(), ranks: 4}
		change(c)
		f, err := Measure(tr, c, nodes, plan, func() time.Duration { return c.now })
		if tr.Rank() == 0 {
			figures = f
		}
		return err
	}))
	return figures
}

// withLevels adds the levels of simulated ranks to the figures.
func withLevels(t *testing.T, f *Figures) *Figures {
	t.Helper()
	f.Groups, f.Unmeasured = 2, []string{"nccl: no library"}
	expect.NoError(t, comm.Loopback(4, func(tr comm.Transport) error {
		c := &simulated{rank: tr.Rank(), ranks: 4}
		all, err := MeasureLevels(tr, simulatedLevels{c}, plan, func() time.Duration { return c.now })
		if tr.Rank() == 0 {
			f.Levels = all
		}
		return err
	}))
	return f
}

// slowOf returns the texts of the faults.
func slowOf(f *Figures, l Limits) (texts []string) {
	f.Find(l)
	for _, fault := range f.Faults {
		texts = append(texts, fault.Text)
	}
	return texts
}

// Limits apply to each link, and a pair inside a node that was not measured has no peer access.
func TestLimits(t *testing.T) {
	f := measured(t, plan, func(*simulated) {})
	for _, c := range []struct {
		limits Limits
		want   int
		says   string
	}{
		{Limits{Slow: 20}, 0, ""},
		{Limits{Slow: 20, Latency: 2e-6}, 8, "rank 0 (a) to rank 2 (b) has a latency of 4.00 us, more than 2.00 us"},
		{Limits{Slow: 20, Bandwidth: 20e9}, 8, "rank 0 (a) to rank 2 (b) has a bandwidth of 10.0 GB/s, less than 20.0 GB/s"},
		{Limits{Slow: 20, Bandwidth: 5e9, Peers: true}, 1, "rank 1 (a) to rank 2 (b) has a bandwidth of 1.00 GB/s"},
	} {
		got := slowOf(f, c.limits)
		expect.Equal(t, len(got), c.want, c.limits)
		expect.Contains(t, strings.Join(got, ""), c.says)
	}
	f.Links = nil
	got := slowOf(f, Limits{Slow: 2, Peers: true})
	expect.Equal(t, len(got), 2, got)
	expect.Equal(t, got[0], "rank 1 (a) to rank 0 (a) has no peer access")
}

// Only pairs of one kind are compared, because messages between nodes are slower.
func TestSlowPairsAreNamed(t *testing.T) {
	slow := slowOf(measured(t, plan, func(*simulated) {}), DefaultLimits())
	want := "rank 1 (a) to rank 2 (b) has a bandwidth of 1.00 GB/s, 0.10 of the median between nodes (10.0 GB/s)"
	expect.Equal(t, slow, []string{want})
	f := &Figures{Nodes: []string{"a", "a", "a"}}
	for from := range 3 {
		for to := range 3 {
			if from != to {
				f.Links = append(f.Links, Link{from, to, true, 8, 1e-6, 1e9})
			}
		}
	}
	expect.Equal(t, slowOf(f, DefaultLimits()), nil, "equal pairs")
	f.Links[5].Latency = 3e-6
	late := "rank 2 (a) to rank 1 (a) has a latency of 3.00 us, 3.0 times the median inside nodes (1.00 us)"
	expect.Equal(t, slowOf(f, DefaultLimits()), []string{late})
}

// Each two ranks are a pair once per direction, and no rank has two peers at once.
func TestRounds(t *testing.T) {
	for n := 2; n <= 17; n++ {
		seen, count := map[[2]int]bool{}, 0
		for round := range rounds(n) {
			count++
			busy := map[int]bool{}
			for _, pair := range round {
				expect.Must(t, pair[0] != pair[1] && max(pair[0], pair[1]) < n && !seen[pair] && !busy[pair[0]] && !busy[pair[1]],
					"%d ranks: round %v", n, round)
				seen[pair], busy[pair[0]], busy[pair[1]] = true, true, true
			}
		}
		expect.Equal(t, []int{len(seen), count}, []int{n * (n - 1), 2 * (n - 1 + n%2)}, n, "ranks: pairs and rounds")
	}
}

// The files in testdata have every output of measured links and levels, with a slow link. Links have the latency and
// the bandwidth of the simulation: half a round trip, and the bytes of a window over its time. The time of a level is
// the slowest rank's: 624 us if that rank receives 3 * 16 KiB. Its bus bandwidth counts the bytes that a rank receives
// from others: three parts of an all-gather, 3/4 of an all-to-all.
func TestGolden(t *testing.T) {
	expect.Equal(t, []int64{LevelBytes(4), LevelBytes(1000)}, []int64{32 << 20, 1000 << 20}, "buffers of levels")
	f := withLevels(t, measured(t, plan, func(*simulated) {}))
	f.Find(DefaultLimits())
	for form, write := range map[string]func(io.Writer) error{"txt": f.WriteText, "csv": f.WriteCSV, "json": f.WriteJSON} {
		expect.Golden(t, "testdata/slow."+form, expect.Written(t, write))
	}
}

func TestOverHosts(t *testing.T) {
	plan := Plan{Sizes: []int{8, 1000, 100_000}, Repeats: 3}
	for _, n := range []int{2, 3, 5} {
		exchanges, calls := make([]atomic.Int64, n), make([]int64, n)
		enginetest.OnRanks(t, n, func(t testing.TB, tr comm.Transport) {
			tr = comm.Advancing(comm.Counted(tr, &exchanges[tr.Rank()]), func(done, _ int64) { calls[tr.Rank()] = done })
			c := OverHostMemory(tr, "host memory", plan.BufferBytes()).(*hostMemory)
			ticks := time.Duration(0)
			clock := func() time.Duration { ticks += time.Microsecond; return ticks }
			f := expect.Value(Measure(tr, c, make([]string, n), plan, clock))(t)
			want := 0 // rank 0 has all links, and no other rank any
			if tr.Rank() == 0 {
				want = 3 * n * (n - 1)
			}
			same := bytes.Equal(c.recv[:100_000], c.send[:100_000])
			expect.That(t, len(f.Links) == want && same, "%d links; received %v", len(f.Links), c.recv[:8])
		})
		for rank := range n { // the watchdog names the rank with the fewest
			expect.Equal(t, exchanges[rank].Load(), exchanges[0].Load(), "exchanges of rank", rank, "of", n)
			expect.Equal(t, calls[rank], int64(2*(n-1+n%2)*3*2*3), "calls that rank", rank, "of", n, "reports")
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, p := range []Plan{
		{}, {Sizes: []int{4}, Repeats: 1}, {Sizes: []int{64, 8}, Repeats: 1}, {Sizes: []int{8, 1 << 31}, Repeats: 1},
		{Sizes: []int{8}}, {Sizes: []int{8}, Repeats: -1},
	} {
		expect.Error(t, p.Check(), "cannot be measured: ", p)
	}
	alone := comm.Loopback(1, func(tr comm.Transport) error {
		return expect.Err(Measure(tr, &simulated{}, nodes[:1], plan, nil))
	})
	expect.Error(t, alone, "mpirun -n 2", "one rank")
	gone := errors.New("cable removed")
	err := comm.Loopback(4, func(tr comm.Transport) error {
		c := &simulated{rank: tr.Rank(), ranks: 4}
		if tr.Rank() == 2 {
			c.fails = gone
		}
		return expect.Err(Measure(tr, c, nodes, plan, func() time.Duration { return c.now }))
	})
	expect.Equal(t, errors.Is(err, gone), true, "a link that fails:", err)
}
