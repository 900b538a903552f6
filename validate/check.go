// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/prefetch"
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
	pieces := (g.window + sentAtOnce - 1) / sentAtOnce
	each := func(body func(q, piece int)) {
		par.For(v.workers, len(x.send)*pieces, 1, func(_, i, _ int) { body(i/pieces, i%pieces) })
	}
	for s := range g.steps {
		for q := range x.send {
			n := len(window(g.exported[q], g.window, s))
			x.send[q] = slices.Grow(x.send[q][:0], n)[:n]
		}
		each(func(q, piece int) {
			to := window(x.send[q], sentAtOnce, piece)
			for k, i := range window(window(g.exported[q], g.window, s), sentAtOnce, piece) {
				to[k] = at[i]
			}
		})
		got, err := comm.Exchange(v.t, x.send)
		if err != nil {
			return err
		}
		each(func(q, piece int) {
			section := at[g.first[q]:][:len(g.of[q].locals)]
			copy(window(window(section, g.window, s), sentAtOnce, piece), window(got[q], sentAtOnce, piece))
		})
	}
	return nil
}

// sentAtOnce is the number of values of ghosts that a worker reads or writes at a time.
const sentAtOnce = 1 << 12

// rules are the rules of a kernel on edge tuples.
type rules[T comm.Word] struct {
	at      []T // the value of each slot
	outside T   // the value of a vertex outside the tree
	check   rowCheck
	confirm func(row, vertex uint32) bool // whether a tuple in a parent's rows confirms it as parent of an owned vertex
}

// rowCheck checks the tuples in a vertex' rows and reports faults to the worker's tally. It returns whether one of them
// confirms the vertex' parent.
type rowCheck func(sum *tally, vertex int) (confirmed bool)

// tally has the worst fault and the counts of one worker.
type tally struct {
	found   Fault
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

func (s *tally) report(f Fault) { s.found = worse(s.found, f) }

// worstOf returns the worst fault of all workers.
func worstOf(tallies []tally) Fault {
	worst := noFault
	for i := range tallies {
		worst = worse(worst, tallies[i].found)
	}
	return worst
}

// checkTuples applies a kernel's rules and rule 5 to all tuples and counts tuples and vertices of the tree. Collective.
func checkTuples[T comm.Word](v *Validator, rules rules[T], tree tree) (Verdict, error) {
	tallies := newTallies(v.workers)
	root := uint32(v.owned) // its place
	if tree.root.rank() == v.self {
		root = v.order.place[tree.root.local()]
	}
	par.For(v.workers, v.owned, v.limit.block, func(w, lo, hi int) {
		for ; lo < hi; lo += prefetch.Grain {
			v.prefetch(lo + prefetch.Grain)
			for i := lo; i < min(lo+prefetch.Grain, hi); i++ {
				if !checkVertex(v, &rules, &tallies[w], i) && uint32(i) != root {
					tallies[w].report(v.unconfirmed(i, tree.parents))
				}
			}
		}
	})
	for _, i := range v.loops {
		if rules.at[i] != rules.outside {
			tallies[0].loops++
		}
	}
	return v.sum(tallies, tree.deepest)
}

// prefetch begins to load the rows, and the parents, of prefetch.Grain vertices from lo on.
func (v *Validator) prefetch(lo int) {
	lo = min(lo, v.order.connected)
	hi := min(lo+prefetch.Grain, v.order.connected)
	v.near.prefetch(lo, hi)
	v.far.prefetch(lo, hi)
	v.outer.prefetch(lo, hi)
	prefetch.All(v.parent[lo:hi])
}

// checkVertex checks the rows of one vertex. It returns whether a tuple confirms its parent, or it was not reached.
func checkVertex[T comm.Word](v *Validator, rules *rules[T], sum *tally, i int) (confirmed bool) {
	if i < v.order.connected {
		confirmed = rules.check(sum, i)
	}
	if rules.at[i] == rules.outside {
		return true
	}
	if i < v.order.connected {
		sum.ends += int64(endsOf(v, rules, i))
	}
	sum.reached++
	return confirmed || v.inParentsRows(i) && rules.confirm(v.parent[i], uint32(i))
}

// endsOf returns the number of ends on this rank of the tuples in a reached vertex' rows. An arc has both on this rank,
// and counts only if its source was reached.
func endsOf[T comm.Word](v *Validator, rules *rules[T], vertex int) int {
	near, far, outer := v.near.of(vertex), v.far.of(vertex), v.outer.of(vertex)
	if v.directed {
		return 2 * (reachedIn(rules, near) + reachedIn(rules, far) + reachedIn(rules, outer))
	}
	return 2*(len(near)+len(far)) + len(outer)
}

// reachedIn returns the number of reached vertices in a row.
func reachedIn[T comm.Word, S slot](rules *rules[T], row []S) (n int) {
	for _, s := range row {
		if rules.at[s] != rules.outside {
			n++
		}
	}
	return n
}

// inParentsRows reports whether the tuples of an owned vertex and its parent are in the parent's rows: those are the
// shorter ones, so to search them for all vertices takes at most one read per tuple end.
func (v *Validator) inParentsRows(i int) bool {
	parent := int(v.parent[i])
	return parent > i && parent < v.order.connected && !v.directed
}

// unconfirmed returns the fault on a reached vertex whose parent no tuple confirms.
func (v *Validator) unconfirmed(i int, parents []graph.Global) Fault {
	row, other := uint32(i), v.parent[i]
	if v.inParentsRows(i) {
		row, other = other, row
	}
	broken := ErrTreeEdge
	if v.joined(row, other) {
		broken = ErrPathEdge
	}
	return Fault{Rule: broken, Vertex: v.label(i), Other: parents[v.order.local[i]]}
}

// joined reports whether a vertex' rows have a slot.
func (v *Validator) joined(vertex, slot uint32) bool {
	return int(vertex) < v.order.connected && (contains(v.near.of(int(vertex)), slot) ||
		contains(v.far.of(int(vertex)), slot) || contains(v.outer.of(int(vertex)), slot))
}

func contains[S slot](row []S, slot uint32) bool {
	return slices.ContainsFunc(row, func(s S) bool { return uint32(s) == slot })
}

// slotsOf returns the slots in a vertex' rows.
func (v *Validator) slotsOf(vertex int) (all []uint32) {
	if vertex >= v.order.connected {
		return nil
	}
	near, far, outer := v.near.of(vertex), v.far.of(vertex), v.outer.of(vertex)
	all = make([]uint32, len(near), len(near)+len(far)+len(outer))
	for i, s := range near {
		all[i] = uint32(s)
	}
	return append(append(all, far...), outer...)
}

// onTuple returns a fault on the tuple that joins an owned vertex and a slot, whose levels are given. The source of
// an arc comes first, or else the lower label.
func (v *Validator) onTuple(broken Rule, vertex int, slot uint32, levels [2]int64) Fault {
	own, other := v.label(vertex), v.labelOfSlot(slot)
	if v.directed || other < own {
		own, other = other, own
		levels[0], levels[1] = levels[1], levels[0]
	}
	return Fault{broken, own, other, levels}
}

// sum returns the verdict of the faults and counts of all workers of all ranks.
func (v *Validator) sum(tallies []tally, deepest int64) (Verdict, error) {
	counts := make([]int64, 3)
	for i := range tallies {
		counts[0] += tallies[i].ends
		counts[1] += tallies[i].loops
		counts[2] += tallies[i].reached
	}
	found, err := agree(v.t, worstOf(tallies))
	if found.Rule != noRule || err != nil {
		return v.verdict(found), err
	}
	if err := v.t.AllReduce(counts, comm.Sum); err != nil {
		return Verdict{}, err
	}
	edges := counts[0] / 2
	return Verdict{Edges: edges, EdgesWithLoops: edges + counts[1], Reached: counts[2], Levels: int(deepest) + 1}, nil
}
