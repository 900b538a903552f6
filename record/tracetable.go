// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"g500/internal/output"
	"g500/internal/trace"
)

// bfsRows are the rows of the tables of breadth-first search, in the order of a search. The last but one has all levels
// after the second bottom-up one.
var bfsRows = []string{"before bottom-up", "first bottom-up", "second bottom-up", "later levels", trace.ResultOrderStep}

// rowsOf returns for each step of a search the row of the tables that counts it: one of bfsRows, or for shortest paths
// the step's name.
func (k KernelRun) rowsOf(levels []Level) (rows []string) {
	sweeps := 0
	for _, l := range levels {
		row := l.Step
		if k.Kernel == BFS && row != trace.ResultOrderStep {
			at := min(sweeps+1, 3)
			if row == trace.BottomUpStep {
				sweeps++
			} else if at = 3; sweeps == 0 {
				at = 0
			}
			row = bfsRows[at]
		}
		rows = append(rows, row)
	}
	return rows
}

// breakdown is the time of the traced searches of a kernel by row. All figures are sums over searches.
type breakdown struct {
	searches int
	seconds  float64 // of the searches, by the benchmark's clock
	names    []string
	steps    []cost // by name
	all      cost   // sum of steps
}

// cost is the time and traffic of steps.
type cost struct {
	seconds float64
	slowest float64           // computing time of the slowest rank of each step
	sent    map[route]float64 // bytes, mean over ranks
	ranks   []rankCost        // empty for one rank
}

// rankCost is the time and traffic of one rank.
type rankCost struct {
	times          [3]float64 // seconds of computing, exchanging and waiting
	sent, received float64    // bytes
}

// route is a column of the traffic table.
type route struct{ payload, transport string }

// breakDown sums up the searches that have a trace.
func (k KernelRun) breakDown() (b breakdown) {
	if k.Kernel == BFS {
		b.names, b.steps = slices.Clone(bfsRows), make([]cost, len(bfsRows))
	}
	for _, s := range k.Traced() {
		b.searches++
		b.seconds += s.Seconds
		for i, row := range k.rowsOf(s.Trace) {
			if !slices.Contains(b.names, row) {
				b.names, b.steps = append(b.names, row), append(b.steps, cost{})
			}
			b.steps[slices.Index(b.names, row)].add(s.Trace[i])
			b.all.add(s.Trace[i])
		}
	}
	return b
}

// add adds one step.
func (c *cost) add(l Level) {
	c.seconds += l.Seconds
	if l.Ranks == nil {
		return
	}
	if c.ranks == nil {
		c.ranks, c.sent = make([]rankCost, len(l.Ranks.Computing)), map[route]float64{}
	}
	c.slowest += slices.Max(l.Ranks.Computing)
	for r := range c.ranks {
		rank := &c.ranks[r]
		for part, seconds := range [][]float64{l.Ranks.Computing, l.Ranks.Exchanging, l.Ranks.Waiting} {
			rank.times[part] += seconds[r]
		}
		for _, t := range l.Ranks.Traffic {
			rank.sent += float64(t.Sent[r])
			rank.received += float64(t.Received[r])
			c.sent[route{t.Payload, t.Transport}] += float64(t.Sent[r]) / float64(len(c.ranks))
		}
	}
}

// overRanks returns the means over ranks of the seconds of computing, exchanging and waiting, 0 for one rank.
func (c cost) overRanks() (means [3]float64) {
	for _, rank := range c.ranks {
		for part, seconds := range rank.times {
			means[part] += seconds / float64(len(c.ranks))
		}
	}
	return means
}

// traceTable returns the tables of one kernel, at most 100 columns wide, "" without a trace.
func (k KernelRun) traceTable() string {
	b := k.breakDown()
	if b.searches == 0 {
		return ""
	}
	tables := []string{b.timeTable(fmt.Sprintf("mean of %d searches%s, us", b.searches, k.Kernel.Of()))}
	if len(b.all.ranks) > 0 {
		tables[0] += "imbalance: the time that the slowest rank of each level computes, over the mean of all ranks\n"
		if len(b.all.sent) > 0 {
			tables = append(tables, b.trafficTable())
		}
		tables = append(tables, b.rankTable())
	}
	return strings.Join(tables, "\n")
}

// timeTable has a row for each kind of step, in microseconds of the mean search.
func (b *breakdown) timeTable(title string) string {
	rows := [][]string{{title, "time", "share"}}
	if len(b.all.ranks) > 0 {
		rows[0] = append(rows[0], "computing", "exchanging", "waiting", "imbalance")
	}
	add := func(name string, c cost) {
		row := []string{name, b.micros(c.seconds), strconv.FormatFloat(100*c.seconds/b.seconds, 'f', 1, 64) + "%"}
		if len(b.all.ranks) > 0 && name != RestOfSearch {
			means, imbalance := c.overRanks(), ""
			if means[0] > 0 {
				imbalance = strconv.FormatFloat(c.slowest/means[0], 'f', 2, 64)
			}
			row = append(row, b.micros(means[0]), b.micros(means[1]), b.micros(means[2]), imbalance)
		}
		rows = append(rows, append(row, make([]string, len(rows[0])-len(row))...)) // a short row would end with a sentence
	}
	for i, c := range b.steps {
		add(b.names[i], c)
	}
	add(RestOfSearch, cost{seconds: b.seconds - b.all.seconds})
	search := b.all
	search.seconds = b.seconds
	add("whole search", search)
	return output.Aligned(rows, 1)
}

// trafficTable has a column for each payload and transport.
func (b *breakdown) trafficTable() string {
	rows := [][]string{{"sent by a rank"}}
	routes := slices.SortedFunc(maps.Keys(b.all.sent), func(x, y route) int {
		return cmp.Or(cmp.Compare(x.transport, y.transport), cmp.Compare(x.payload, y.payload))
	})
	for _, c := range routes {
		rows[0] = append(rows[0], c.payload+"/"+c.transport)
	}
	add := func(name string, c cost) {
		row := []string{name}
		for _, route := range routes {
			row = append(row, b.bytes(c.sent[route]))
		}
		rows = append(rows, row)
	}
	for i, c := range b.steps {
		add(b.names[i], c)
	}
	add("whole search", b.all)
	return output.Aligned(rows, 1)
}

// rankTable has a row for each rank.
func (b *breakdown) rankTable() string {
	rows := [][]string{{"all steps, us", "computing", "exchanging", "waiting", "sent", "received"}}
	for r, c := range b.all.ranks {
		rows = append(rows, []string{fmt.Sprintf("rank %d", r),
			b.micros(c.times[0]), b.micros(c.times[1]), b.micros(c.times[2]), b.bytes(c.sent), b.bytes(c.received)})
	}
	return output.Aligned(rows, 1)
}

// micros returns the mean over searches of a time, in microseconds.
func (b *breakdown) micros(seconds float64) string {
	return strconv.FormatFloat(seconds/float64(b.searches)*1e6, 'f', 1, 64)
}

// bytes returns the mean over searches of an amount of data.
func (b *breakdown) bytes(n float64) string {
	if n == 0 {
		return "0"
	}
	return FormatBytes(n / float64(b.searches))
}
