// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"slices"

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
	steps    []cost     // by name
	all      cost       // sum of steps
	ranks    []rankCost // empty for one rank
	routes   []route    // of all traffic, sorted
}

// cost is the time and traffic of steps. Parts of the time are means over ranks.
type cost struct {
	seconds                        float64
	computing, exchanging, waiting float64
	slowest                        float64           // computing time of the slowest rank of each step
	sent                           map[route]float64 // bytes, mean over ranks
}

// rankCost is the time and traffic of one rank in all steps.
type rankCost struct {
	computing, exchanging, waiting float64
	sent, received                 float64
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
			b.addRanks(s.Trace[i].Ranks)
		}
	}
	for c := range b.all.sent {
		b.routes = append(b.routes, c)
	}
	slices.SortFunc(b.routes, func(x, y route) int {
		return cmp.Or(cmp.Compare(x.transport, y.transport), cmp.Compare(x.payload, y.payload))
	})
	return b
}

// add adds one step.
func (c *cost) add(l Level) {
	c.seconds += l.Seconds
	if l.Ranks == nil {
		return
	}
	c.computing += meanOf(l.Ranks.Computing)
	c.exchanging += meanOf(l.Ranks.Exchanging)
	c.waiting += meanOf(l.Ranks.Waiting)
	c.slowest += slices.Max(l.Ranks.Computing)
	if c.sent == nil {
		c.sent = map[route]float64{}
	}
	for _, t := range l.Ranks.Traffic {
		for _, bytes := range t.Sent {
			c.sent[route{t.Payload, t.Transport}] += float64(bytes) / float64(len(t.Sent))
		}
	}
}

// addRanks adds one step to the costs by rank.
func (b *breakdown) addRanks(step *RankCosts) {
	if step == nil {
		return
	}
	if b.ranks == nil {
		b.ranks = make([]rankCost, len(step.Computing))
	}
	for r := range b.ranks {
		of := &b.ranks[r]
		of.computing += step.Computing[r]
		of.exchanging += step.Exchanging[r]
		of.waiting += step.Waiting[r]
		for _, t := range step.Traffic {
			of.sent += float64(t.Sent[r])
			of.received += float64(t.Received[r])
		}
	}
}
