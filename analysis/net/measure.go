// SPDX-License-Identifier: Apache-2.0

package net

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"g500/comm"
	"g500/internal/lists"
)

// Figures are the measured figures, the same on every rank except Links, Faults and Limits: those are on rank 0.
type Figures struct {
	Transport string   `json:"transport"`
	OnDevices bool     `json:"on_devices"`
	Nodes     []string `json:"nodes"`                // of each rank
	Links     []Link   `json:"links"`                // by size, then by ranks
	Groups    int      `json:"gpu_groups,omitempty"` // groups of peers; 0 between host memories
	Levels    []Level  `json:"levels,omitempty"`     // by transport; none between host memories
	// Transports whose levels were not measured, each with the reason.
	Unmeasured []string `json:"unmeasured_transports,omitempty"`
	Limits     Limits   `json:"limits"`
	Faults     []Fault  `json:"faults"` // links that exceed a limit
}

// Link is the figures of messages of one size from one rank to another.
type Link struct {
	From      int     `json:"from"`
	To        int     `json:"to"`
	SameNode  bool    `json:"same_node"`
	Bytes     int     `json:"bytes"`
	Latency   float64 `json:"latency_seconds"`            // half a round trip, the median
	Bandwidth float64 `json:"bandwidth_bytes_per_second"` // of a window, the median
}

// meter measures on one rank.
type meter struct {
	t     comm.Transport
	c     Transport
	plan  Plan
	clock func() time.Duration
	// By size and peer that this rank leads: half a round trip in picoseconds, and bytes per second; 0 if not measured.
	cells []int64
	calls int64 // timed calls of Trip and Window
}

// Measure measures all pairs and all sizes, with nodes[r] as the node of rank r. It is collective.
func Measure(t comm.Transport, c Transport, nodes []string, plan Plan, clock func() time.Duration) (*Figures, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	n := t.Size()
	if n < 2 {
		return nil, errors.New("net: one rank has no peer: start several, by mpirun -n 2 or --ranks 2")
	}
	m := &meter{t: t, c: c, plan: plan, clock: clock, cells: make([]int64, 2*n*len(plan.Sizes))}
	if err := m.pairs(); err != nil {
		return nil, err
	}
	f := &Figures{Transport: c.Name(), OnDevices: c.OnDevices(), Nodes: slices.Clone(nodes)}
	send := make([][]int64, n)
	send[0] = m.cells
	all, err := comm.Exchange(t, send)
	if err != nil {
		return nil, err
	}
	if t.Rank() == 0 {
		f.Links = m.links(nodes, all)
	}
	return f, nil
}

// pairs measures all pairs. A rank without a peer in a round makes the calls of the others, without messages, because
// the watchdog compares the exchanges that ranks have entered.
func (m *meter) pairs() error {
	for round := range rounds(m.t.Size()) {
		if err := m.t.Barrier(); err != nil {
			return err
		}
		peer, leads := noPeer, false
		for _, pair := range round {
			at := slices.Index(pair[:], m.t.Rank()) // 0 if this rank leads, -1 if it has no part
			if at >= 0 && m.c.Reaches(pair[1-at]) {
				peer, leads = pair[1-at], at == 0
			}
		}
		if err := m.pair(peer, leads); err != nil {
			return err
		}
	}
	return nil
}

// pair measures this rank and a peer, for each size.
func (m *meter) pair(peer int, leads bool) error {
	for s, bytes := range m.plan.Sizes {
		trip, err := m.median(m.plan.trips(bytes), func() error { return m.c.Trip(peer, bytes, leads) })
		if err != nil {
			return err
		}
		n := window(bytes)
		repeats := min(m.plan.Repeats, max(fewest, m.plan.Repeats/10))
		all, err := m.median(repeats, func() error { return m.c.Window(peer, bytes, n, leads) })
		if err != nil {
			return err
		}
		if leads {
			cell := m.cells[2*(s*m.t.Size()+peer):]
			cell[0] = int64(math.Round(trip.Seconds() / 2 * 1e12))
			cell[1] = int64(math.Round(float64(n*bytes) / all.Seconds()))
		}
	}
	return nil
}

// median returns the median time of n calls, after a trial.
func (m *meter) median(n int, call func() error) (time.Duration, error) {
	times := make([]time.Duration, n)
	if err := call(); err != nil {
		return 0, err
	}
	for i := range times {
		m.calls++
		comm.Advance(m.t, m.calls, 0)
		began := m.clock()
		if err := call(); err != nil {
			return 0, err
		}
		times[i] = max(m.clock()-began, 1) // avoids an infinite rate if the clock has not moved
	}
	return middle(times), nil
}

// slowest returns the median time in seconds of n calls of all ranks, after a trial. A time is the slowest rank's.
func (m *meter) slowest(n int, call func() error) (float64, error) {
	times := make([]int64, n)
	for i := -1; i < len(times); i++ {
		if err := m.t.Barrier(); err != nil {
			return 0, err
		}
		began := m.clock()
		if err := call(); err != nil {
			return 0, err
		}
		if i >= 0 {
			times[i] = max(int64(m.clock()-began), 1)
		}
	}
	err := m.t.AllReduce(times, comm.Max)
	return time.Duration(middle(times)).Seconds(), err
}

// links returns the figures of all pairs that were measured, of the cells of each rank.
func (m *meter) links(nodes []string, cells [][]int64) (links []Link) {
	for s, bytes := range m.plan.Sizes {
		for from := range nodes {
			for to := range nodes {
				if c := cells[from][2*(s*len(nodes)+to):]; c[0] > 0 {
					links = append(links, Link{From: from, To: to, SameNode: nodes[from] == nodes[to], Bytes: bytes,
						Latency: float64(c[0]) * 1e-12, Bandwidth: float64(c[1])})
				}
			}
		}
	}
	return links
}

// middle returns the median, the mean of the middle two if their number is even.
func middle[T int64 | time.Duration | float64](x []T) T {
	sorted := slices.Sorted(slices.Values(x))
	return (sorted[(len(x)-1)/2] + sorted[len(x)/2]) / 2
}

// Plan is the sizes and numbers of messages to measure.
type Plan struct {
	Sizes   []int // of messages, in bytes, from small to large
	Repeats int   // round trips of small messages; 10% as many windows
}

// DefaultPlan returns sizes from a word to more than a cache holds.
func DefaultPlan() Plan {
	return Plan{Sizes: []int{8, 1 << 10, 1 << 16, 1 << 20, 1 << 23}, Repeats: 100}
}

const (
	largest     = 1 << 30
	windowBytes = 32 << 20 // of a window's messages together
	windowMost  = 64       // messages of a window
	fewest      = 5        // repeats of long messages
	longBytes   = 1 << 16  // size from which the time grows with the size
)

// Check returns an error that names an invalid setting.
func (p Plan) Check() error {
	if len(p.Sizes) == 0 || !slices.IsSorted(p.Sizes) || p.Sizes[0] < 8 || p.Sizes[len(p.Sizes)-1] > largest {
		return fmt.Errorf("net: the sizes %v cannot be measured: give them from small to large, from 8 to %d bytes",
			p.Sizes, largest)
	}
	if p.Repeats < 1 || p.Repeats > 1e6 {
		return fmt.Errorf("net: %d repeats cannot be measured: choose 1 to 1000000", p.Repeats)
	}
	return nil
}

// BufferBytes returns the bytes of the messages that a rank sends at once; it needs as many to receive.
func (p Plan) BufferBytes() int64 {
	sizes := lists.Of(p.Sizes, func(bytes int) int64 { return int64(bytes) * int64(window(bytes)) })
	return slices.Max(append(sizes, 0))
}

// window returns the number of messages in flight together.
func window(bytes int) int { return min(max(windowBytes/bytes, 1), windowMost) }

// trips returns the number of repeats for messages of a length, fewer for long ones.
func (p Plan) trips(bytes int) int {
	return min(p.Repeats, max(fewest, p.Repeats*longBytes/max(bytes, longBytes)))
}

// rounds returns the pairs in the order of measurement, the rank that leads first. Pairs of one round are measured at
// the same time, and have no common rank. A round exists only while it is measured: there are as many pairs as the
// square of the number of ranks.
func rounds(ranks int) iter.Seq[[][2]int] {
	return func(yield func([][2]int) bool) {
		last := ranks - 1 + ranks%2 // if the number of ranks is odd, one that does not exist
		for sum := range last {
			round := tournament(ranks, last, sum)
			back := make([][2]int, len(round))
			for i, pair := range round {
				back[i] = [2]int{pair[1], pair[0]}
			}
			if !yield(round) || !yield(back) {
				return
			}
		}
	}
}

// tournament returns one round, in which no rank has two peers, of rounds that pair each two ranks once: ranks except
// the last one are on a circle, and two are a pair in the round whose number is their sum modulo the circle. A rank
// without a peer is paired with the last one.
func tournament(ranks, last, sum int) (round [][2]int) {
	for a := range last {
		b := (sum - a + last) % last
		if a == b {
			b = last
		}
		if a < b && b < ranks {
			round = append(round, [2]int{a, b})
		}
	}
	return round
}
