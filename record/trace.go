// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"g500/internal/lists"
	"g500/internal/output"
	"g500/internal/trace"
)

// MeanLevel is one step of the mean of some searches. Its times, in seconds, are sums over all searches, divided by the
// number of those searches, even if some of them ended before the step. So the steps add up to the mean search.
type MeanLevel struct {
	Name                           string  // "level 3", "result order", a step of shortest paths, or RestOfSearch
	Step                           string  // the step of most searches there, "" for the rest
	Variant                        string  // of most searches; if it has none and Name is no step, the step
	Searches                       int     // number of searches that have the step
	Seconds                        float64 // of the slowest rank
	Computing, Exchanging, Waiting float64 // parts of Seconds, means over ranks; 0 on one rank
	Frontier                       Summary // vertices, over the searches that have the step

	Ranks [][3]float64 // seconds of computing, exchanging and waiting by rank; nil on one rank
	Last  *[2]int      // the rank that is last in more than half of the searches, and in how many; else nil
}

// RestOfSearch names the time of a search outside its steps: launches, and the host's clock.
const RestOfSearch = "rest"

// MeanLevels returns the steps of the mean search: the levels from the root's on, the result order if there is one, and
// the rest. It returns nil without a trace, and for SSSP, whose steps are no levels.
func (k KernelRun) MeanLevels() []MeanLevel {
	traced := k.Traced()
	if k.Kernel != BFS || len(traced) == 0 {
		return nil
	}
	rest := 0.0
	for _, s := range traced {
		rest += s.Seconds
		for _, l := range s.Trace {
			rest -= l.Seconds
		}
	}
	return append(MeanOf(k.Kernel, traced...), cost{seconds: max(rest, 0)}.mean(RestOfSearch, len(traced)))
}

// Traced returns the searches that have a trace.
func (k KernelRun) Traced() []Search {
	return lists.Where(k.Searches, func(s Search) bool { return len(s.Trace) > 0 })
}

// MeanOf returns the steps of the mean of searches of a kernel, the result order after all levels.
func MeanOf(kernel Kernel, searches ...Search) []MeanLevel {
	var sums []stepSum
	for _, s := range searches {
		depth := 0
		for _, l := range s.Trace {
			name := l.Step
			if kernel == BFS && name != trace.ResultOrderStep {
				name = fmt.Sprintf("level %d", depth)
				depth++
			}
			lists.At(&sums, func(sum stepSum) bool { return sum.name == name },
				stepSum{name: name, steps: map[string]int{}, variants: map[string]int{}}).add(l)
		}
	}
	slices.SortStableFunc(sums, func(a, b stepSum) int { return cmp.Compare(a.place(), b.place()) })
	return lists.Of(sums, func(sum stepSum) MeanLevel { return sum.mean(len(searches)) })
}

// stepSum sums up one step of several searches.
type stepSum struct {
	name            string
	steps, variants map[string]int // searches
	cost            cost
	frontier        []float64 // of each search
	last            []int     // by rank, the number of searches in which the others waited for it
}

// place sorts the result order after all levels, which a longer search may add after it.
func (s stepSum) place() int {
	if s.name == trace.ResultOrderStep {
		return 1
	}
	return 0
}

func (s *stepSum) add(l Level) {
	variant := l.Variant
	if l.Step != s.name {
		variant = cmp.Or(l.Variant, l.Step)
	}
	s.variants[variant]++
	s.steps[l.Step]++
	s.frontier = append(s.frontier, float64(l.Frontier))
	s.cost.add(l)
	if l.Ranks == nil {
		return
	}
	if s.last == nil {
		s.last = make([]int, len(l.Ranks.Computing))
	}
	if slices.Max(l.Ranks.Waiting) > 0 {
		s.last[slices.Index(l.Ranks.Waiting, slices.Min(l.Ranks.Waiting))]++
	}
}

// mean divides the sum by the number of searches.
func (s *stepSum) mean(searches int) MeanLevel {
	m := s.cost.mean(s.name, searches)
	m.Step, m.Variant, m.Frontier = commonest(s.steps), commonest(s.variants), SummaryOf(s.frontier)
	m.Searches = len(s.frontier)
	if len(s.last) > 0 && 2*slices.Max(s.last) > m.Searches {
		most := slices.Max(s.last)
		m.Last = &[2]int{slices.Index(s.last, most), most}
	}
	return m
}

// commonest returns the text with the largest number, the first in alphabetical order if there are several.
func commonest(numbers map[string]int) string {
	texts := slices.Sorted(maps.Keys(numbers))
	return slices.MaxFunc(texts, func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) })
}

// mean divides a sum over searches by their number.
func (c cost) mean(name string, searches int) MeanLevel {
	n, means := float64(searches), c.overRanks()
	m := MeanLevel{Name: name, Searches: searches, Seconds: c.seconds / n,
		Computing: means[0] / n, Exchanging: means[1] / n, Waiting: means[2] / n}
	for _, rank := range c.ranks {
		m.Ranks = append(m.Ranks, [3]float64{rank.times[0] / n, rank.times[1] / n, rank.times[2] / n})
	}
	return m
}

// bfsRows are the rows of the tables of breadth-first search, in the order of a search. The last but one has all levels
// after the second bottom-up one.
var bfsRows = []string{"before bottom-up", "first bottom-up", "second bottom-up", "later levels", trace.ResultOrderStep}

// rowsOf returns for each step of a search the row of the tables that counts it: of bfsRows, or its name.
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
	steps    []namedCost
	all      cost // sum of steps
}

// namedCost is the cost of a row.
type namedCost struct {
	name string
	cost
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
		b.steps = lists.Of(bfsRows, func(row string) namedCost { return namedCost{name: row} })
	}
	for _, s := range k.Traced() {
		b.searches++
		b.seconds += s.Seconds
		for i, row := range k.rowsOf(s.Trace) {
			lists.At(&b.steps, func(c namedCost) bool { return c.name == row }, namedCost{name: row}).add(s.Trace[i])
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
	search := b.all
	search.seconds = b.seconds
	rest := namedCost{RestOfSearch, cost{seconds: b.seconds - b.all.seconds}}
	for _, c := range slices.Concat(b.steps, []namedCost{rest, {"whole search", search}}) {
		row := []string{c.name, b.micros(c.seconds), strconv.FormatFloat(100*c.seconds/b.seconds, 'f', 1, 64) + "%"}
		if len(b.all.ranks) > 0 && c.name != RestOfSearch {
			means, imbalance := c.overRanks(), ""
			if means[0] > 0 {
				imbalance = strconv.FormatFloat(c.slowest/means[0], 'f', 2, 64)
			}
			row = append(row, b.micros(means[0]), b.micros(means[1]), b.micros(means[2]), imbalance)
		}
		rows = append(rows, append(row, make([]string, len(rows[0])-len(row))...)) // a short row would end with a sentence
	}
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
	for _, c := range slices.Concat(b.steps, []namedCost{{"whole search", b.all}}) {
		sent := lists.Of(routes, func(of route) string { return b.bytes(c.sent[of]) })
		rows = append(rows, append([]string{c.name}, sent...))
	}
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
