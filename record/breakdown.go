package record

import (
	"cmp"
	"slices"

	"g500/internal/trace"
)

// kind is a kind of step, in the order of a search.
type kind int

const (
	beforeBottomUp kind = iota // top-down levels before the first bottom-up one
	firstBottomUp
	secondBottomUp
	laterLevels // all others, the tail
	labelOrder
	kinds // how many there are
)

var kindNames = [kinds]string{"before bottom-up", "first bottom-up", "second bottom-up", "later levels",
	trace.ResultOrderStep}

// kinds returns the names of the kinds of steps: for BFS kindNames, for other kernels all steps in their order.
func (k KernelRun) kinds() (names []string) {
	if k.Kernel == BFS {
		return kindNames[:]
	}
	for _, s := range k.Searches {
		for _, l := range s.Trace {
			if !slices.Contains(names, l.Step) {
				names = append(names, l.Step)
			}
		}
	}
	return names
}

// placesOf returns for each step of a search the place of its kind in names.
func (k KernelRun) placesOf(levels []Level, names []string) (places []int) {
	if k.Kernel == BFS {
		for _, of := range kindsOf(levels) {
			places = append(places, int(of))
		}
		return places
	}
	for _, l := range levels {
		places = append(places, slices.Index(names, l.Step))
	}
	return places
}

// kindsOf returns the kind of each step of a breadth-first search.
func kindsOf(levels []Level) []kind {
	of := make([]kind, len(levels))
	sweeps := 0
	for i, l := range levels {
		bottomUp := l.Step == trace.BottomUpStep
		if bottomUp {
			sweeps++
		}
		switch {
		case l.Step == trace.ResultOrderStep:
			of[i] = labelOrder
		case sweeps == 0:
			of[i] = beforeBottomUp
		case bottomUp && sweeps == 1:
			of[i] = firstBottomUp
		case bottomUp && sweeps == 2:
			of[i] = secondBottomUp
		default:
			of[i] = laterLevels
		}
	}
	return of
}

// breakdown is where the time of the traced searches of a kernel went. All figures are sums over searches.
type breakdown struct {
	searches int
	seconds  float64 // of the searches, on the clock of the benchmark
	names    []string
	steps    []cost     // by name
	ranks    []rankCost // empty for one rank
	ways     []way      // on which something was sent, sorted
}

// cost is what the steps of one kind cost. Parts of the time are means over ranks.
type cost struct {
	seconds                        float64
	computing, exchanging, waiting float64
	slowest                        float64         // computing, of the slowest rank of each step
	sent                           map[way]float64 // bytes, mean over ranks
}

// rankCost is what all steps cost one rank.
type rankCost struct {
	computing, exchanging, waiting float64
	sent, received                 float64
}

// way is how bytes go from rank to rank.
type way struct{ payload, transport string }

// MeanSteps are the steps of the mean search put together by kind, in the order of a search, and the rest. A kernel
// without a trace has none.
func (k KernelRun) MeanSteps() []MeanLevel {
	b := k.breakDown()
	if b.searches == 0 {
		return nil
	}
	var steps []MeanLevel
	for i, c := range b.steps {
		steps = append(steps, c.mean(b.names[i], float64(b.searches)))
	}
	return append(steps, restOf(b.searches, b.seconds-b.whole().seconds))
}

// breakDown sums up the searches that have a trace.
func (k KernelRun) breakDown() breakdown {
	var b breakdown
	b.names = k.kinds()
	b.steps = make([]cost, len(b.names))
	for i := range b.steps {
		b.steps[i].sent = map[way]float64{}
	}
	for _, s := range k.Searches {
		if len(s.Trace) == 0 {
			continue
		}
		b.searches++
		b.seconds += s.Seconds
		for i, of := range k.placesOf(s.Trace, b.names) {
			b.steps[of].seconds += s.Trace[i].Seconds
			if s.Trace[i].Ranks != nil {
				b.add(*s.Trace[i].Ranks, &b.steps[of])
			}
		}
	}
	slices.SortFunc(b.ways, func(x, y way) int {
		return cmp.Or(cmp.Compare(x.transport, y.transport), cmp.Compare(x.payload, y.payload))
	})
	return b
}

// add counts one step.
func (b *breakdown) add(step RankCosts, into *cost) {
	into.computing += meanOf(step.Computing)
	into.exchanging += meanOf(step.Exchanging)
	into.waiting += meanOf(step.Waiting)
	into.slowest += slices.Max(step.Computing)
	for len(b.ranks) < len(step.Computing) {
		b.ranks = append(b.ranks, rankCost{})
	}
	for r := range step.Computing {
		b.ranks[r].computing += step.Computing[r]
		b.ranks[r].exchanging += step.Exchanging[r]
		b.ranks[r].waiting += step.Waiting[r]
	}
	for _, t := range step.Traffic {
		w := way{t.Payload, t.Transport}
		if !slices.Contains(b.ways, w) {
			b.ways = append(b.ways, w)
		}
		for r := range t.Sent {
			into.sent[w] += float64(t.Sent[r]) / float64(len(t.Sent))
			b.ranks[r].sent += float64(t.Sent[r])
			b.ranks[r].received += float64(t.Received[r])
		}
	}
}

// whole is the sum of all steps.
func (b *breakdown) whole() cost {
	sum := cost{sent: map[way]float64{}}
	for _, c := range b.steps {
		sum.seconds += c.seconds
		sum.computing += c.computing
		sum.exchanging += c.exchanging
		sum.waiting += c.waiting
		sum.slowest += c.slowest
		for w, bytes := range c.sent {
			sum.sent[w] += bytes
		}
	}
	return sum
}
