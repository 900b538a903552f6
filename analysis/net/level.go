// SPDX-License-Identifier: Apache-2.0

package net

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"g500/comm"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

// Level is the figures of a level of a search without vertices: a kernel, an exchange of all ranks, a kernel, and the
// host's poll of its result.
type Level struct {
	Transport string  `json:"transport"`
	Exchange  string  `json:"exchange"`                       // none, all-gather or all-to-all
	Bytes     int     `json:"bytes"`                          // a rank's part, or its messages together, also to itself
	Seconds   float64 `json:"seconds"`                        // of the slowest rank, the median
	Bus       float64 `json:"bus_bandwidth_bytes_per_second"` // received bytes over Seconds
}

// Levels runs levels without vertices, with the exchanges of searches that the host drives level by level.
type Levels interface {
	// Name describes the transport.
	Name() string
	// Kernels runs a level without an exchange. These methods are collective.
	Kernels() error
	// AllGather runs a level in which each rank sends the same bytes to all others.
	AllGather(bytes int) error
	// AllToAll runs a level in which each rank sends that many bytes to each other rank.
	AllToAll(bytes int) error
	Close() error
}

// levelSizes are the bytes of exchanges: a sum, a report of a level, and parts of visited bitmaps.
var levelSizes = []int{64, 16 << 10, 1 << 20, 8 << 20}

const (
	mostGathered = 1 << 30 // limit of all ranks' parts together
	fewestLevels = 20      // repeats with long exchanges
)

// gathered returns the sizes of all-gathers of that many ranks.
func gathered(ranks int) []int {
	return lists.Where(levelSizes, func(bytes int) bool { return bytes*ranks <= mostGathered })
}

// LevelBytes returns the bytes that a rank sends in an exchange and receives in it, whichever are more.
func LevelBytes(ranks int) int64 { return int64(slices.Max(gathered(ranks)) * ranks) }

// MeasureLevels measures levels by one transport. It is collective.
func MeasureLevels(t comm.Transport, l Levels, plan Plan, clock func() time.Duration) (all []Level, err error) {
	n := t.Size()
	m := &meter{t: t, plan: plan, clock: clock}
	// add measures a level in which a rank receives that many bytes from each other rank.
	add := func(exchange string, bytes, each int, run func() error) {
		if err != nil {
			return
		}
		var seconds float64
		seconds, err = m.slowest(max(plan.trips(bytes), min(plan.Repeats, fewestLevels)), run)
		all = append(all, Level{l.Name(), exchange, bytes, seconds, float64(each*(n-1)) / seconds})
	}
	add("none", 0, 0, l.Kernels)
	for _, bytes := range gathered(n) {
		add("all-gather", bytes, bytes, func() error { return l.AllGather(bytes) })
	}
	for _, bytes := range levelSizes {
		each := max(bytes/n/8*8, 8) // whole words
		add("all-to-all", each*n, each, func() error { return l.AllToAll(each) })
	}
	return all, err
}

// writeLevels writes a row per level, and why transports were not measured.
func (f *Figures) writeLevels(b *strings.Builder) {
	if f.Groups == 0 {
		return
	}
	where := "inside a group of peers"
	if f.Groups > 1 {
		where = fmt.Sprintf("between %d groups of peers", f.Groups)
	}
	fmt.Fprintf(b, "\nLevels of a search without vertices, %s: kernel, exchange, kernel, poll\n", where)
	t := output.Table{Head: []string{"transport", "exchange", "bytes", "time", "bus bandwidth"}}
	for _, l := range f.Levels {
		bus := "-"
		if l.Bus > 0 {
			bus = rate(l.Bus)
		}
		t.Row(l.Transport, l.Exchange, l.Bytes, record.FormatSeconds(l.Seconds), bus)
	}
	b.WriteString(t.Text())
	for _, why := range f.Unmeasured {
		fmt.Fprintf(b, "not measured: %s\n", why)
	}
}
