package validate

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// values has the level or distance of each slot, which the rules on edge tuples compare.
type values[T comm.Word] struct {
	at   []T // nil before the first load
	send [][]T
}

// slots returns the values of all slots, to be set.
func (x *values[T]) slots(v *Validator) []T {
	if x.at == nil {
		*x = values[T]{at: hugepage.Make[T](v.ghosts.slots), send: make([][]T, len(v.ghosts.of))}
	}
	return x.at
}

// load calls fill to set the values of owned vertices, those from lo on, from several goroutines at a time. It receives
// the values of ghosts from their owners, without labels: both sides have the same order.
func (x *values[T]) load(v *Validator, fill func(values []T, lo int)) error {
	g, at := &v.ghosts, x.slots(v)
	par.For(v.workers, v.owned, v.limit.block, func(_, lo, hi int) { fill(at[lo:hi], lo) })
	for s := range g.steps {
		par.For(v.workers, len(x.send), 1, func(_, q, _ int) {
			x.send[q] = x.send[q][:0]
			for _, i := range window(g.exported[q], g.window, s) {
				x.send[q] = append(x.send[q], at[i])
			}
		})
		got, err := comm.Exchange(v.t, x.send)
		if err != nil {
			return err
		}
		for q := range got {
			section := at[g.first[q]:][:len(g.of[q].locals)]
			copy(window(section, g.window, s), got[q])
		}
	}
	return nil
}

// rules are the rules of a kernel on edge tuples.
type rules[T comm.Word] struct {
	at      []T // the value of each slot
	outside T   // the value of a vertex outside the tree
	check   rowCheck
}

// rowCheck checks the tuples in a vertex' rows and reports faults to the worker's tally. It returns whether one of them
// confirms the vertex' parent, and the number of the tuples' ends on this rank. It confirms the owned vertices in the
// rows that have the vertex as parent.
type rowCheck func(sum *tally, vertex int) (confirmed bool, ends int)

// tally has the worst finding and the counts of one worker.
type tally struct {
	found   finding
	ends    int64 // ends of tuples in the tree, without self-loops: each tuple has two
	loops   int64
	reached int64
	_       [64]byte // prevents false sharing between workers
}

func newTallies(workers int) []tally {
	tallies := make([]tally, workers)
	for w := range tallies {
		tallies[w].found = noFault
	}
	return tallies
}

func (s *tally) report(f finding) { s.found = worse(s.found, f) }

// worstOf returns the worst finding of all workers.
func worstOf(tallies []tally) finding {
	worst := noFault
	for i := range tallies {
		worst = worse(worst, tallies[i].found)
	}
	return worst
}

// check applies a kernel's rules and rule 5 to all tuples, and counts tuples and vertices of the tree. It is
// collective.
func check[T comm.Word](v *Validator, rules rules[T], tree tree) (Verdict, error) {
	tallies := newTallies(v.workers)
	clear(v.confirmed)
	if tree.root.rank() == v.self {
		v.confirm(v.order.place[tree.root.local()])
	}
	par.For(v.workers, len(v.confirmed), max(1, v.limit.block/64), func(w, lo, hi int) {
		for word := lo; word < hi; word++ {
			found := uint64(0)
			for i := 64 * word; i < min(64*word+64, v.owned); i++ {
				if checkVertex(v, &rules, &tallies[w], i) {
					found |= 1 << (i % 64)
				}
			}
			atomic.OrUint64(&v.confirmed[word], found)
		}
	})
	v.findUnconfirmed(&tallies[0], tree.parents)
	for _, i := range v.loops {
		if rules.at[i] != rules.outside {
			tallies[0].loops++
		}
	}
	return v.sum(tallies, tree.deepest)
}

// checkVertex checks the rows of one vertex. It returns whether they confirm its parent, or it has none.
func checkVertex[T comm.Word](v *Validator, rules *rules[T], sum *tally, i int) (confirmed bool) {
	reached := rules.at[i] != rules.outside
	ends := 0
	if i < v.order.connected {
		confirmed, ends = rules.check(sum, i)
	}
	if !reached {
		return true
	}
	sum.ends += int64(ends)
	sum.reached++
	return confirmed
}

// confirm notes that a tuple confirms the parent of an owned vertex.
func (v *Validator) confirm(vertex uint32) {
	if word, bit := &v.confirmed[vertex/64], uint64(1)<<(vertex%64); atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}

// findUnconfirmed reports the reached vertices whose parents no tuple confirms.
func (v *Validator) findUnconfirmed(sum *tally, parents []graph.Global) {
	for word, confirmed := range v.confirmed {
		for missing := ^confirmed; missing != 0; missing &= missing - 1 {
			if i := 64*word + bits.TrailingZeros64(missing); i < v.owned {
				broken := ruleTreeEdge
				switch {
				case v.joined(uint32(i)):
					broken = rulePathEdge
				case v.directed:
					broken = ruleArcTree
				}
				sum.report(finding{rule: broken, vertex: v.label(i), other: parents[v.order.local[i]]})
			}
		}
	}
}

// joined reports whether a tuple joins a vertex and its parent. If the rank owns both, the tuple is in the row of the
// one with the higher place, which is the shorter row; an arc is in the row of its target.
func (v *Validator) joined(vertex uint32) bool {
	row, other := vertex, v.parent[vertex]
	if int(other) < v.owned && !v.directed {
		row, other = max(row, other), min(row, other)
	}
	return slices.Contains(v.slotsOf(int(row)), other)
}

// slotsOf returns the slots in a vertex' rows.
func (v *Validator) slotsOf(vertex int) (all []uint32) {
	if vertex >= v.order.connected {
		return nil
	}
	for _, s := range v.near.of(vertex) {
		all = append(all, uint32(s))
	}
	return append(append(all, v.far.of(vertex)...), v.outer.of(vertex)...)
}

// onTuple returns a finding on the tuple that joins an owned vertex and a slot, whose levels are given. The lower label
// comes first.
func (v *Validator) onTuple(broken rule, vertex int, slot uint32, levels [2]int64) finding {
	own, other := v.label(vertex), v.labelOfSlot(slot)
	if other < own {
		own, other = other, own
		levels[0], levels[1] = levels[1], levels[0]
	}
	return finding{broken, own, other, levels}
}

// sum returns the verdict of the findings and counts of all workers of all ranks.
func (v *Validator) sum(tallies []tally, deepest int64) (Verdict, error) {
	counts := make([]int64, 3)
	for i := range tallies {
		counts[0] += tallies[i].ends
		counts[1] += tallies[i].loops
		counts[2] += tallies[i].reached
	}
	found, err := agree(v.t, worstOf(tallies))
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	if err := v.t.AllReduce(counts, comm.Sum); err != nil {
		return Verdict{}, err
	}
	edges := counts[0] / 2
	return Verdict{Edges: edges, EdgesWithLoops: edges + counts[1], Reached: counts[2], Levels: int(deepest) + 1}, nil
}
