package validate

import (
	"math"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// values has the level or distance of each slot, which the rules on edge tuples compare.
type values[T comm.Word] struct {
	at   []T // nil before the first load
	send [][]T
}

// load calls fill to set the values of owned vertices, those from lo on, from several goroutines at a time. It receives
// the values of ghosts from their owners, without labels: both sides have the same order.
func (x *values[T]) load(v *Validator, fill func(values []T, lo int)) error {
	g := &v.ghosts
	if x.at == nil {
		*x = values[T]{at: make([]T, g.slots), send: make([][]T, len(g.of))}
	}
	par.For(v.workers, len(v.climber.up), v.limit.block, func(_, lo, hi int) { fill(x.at[lo:hi], lo) })
	for s := range g.steps {
		par.For(v.workers, len(x.send), 1, func(_, q, _ int) {
			x.send[q] = x.send[q][:0]
			for _, i := range window(g.exported[q], g.window, s) {
				x.send[q] = append(x.send[q], x.at[i])
			}
		})
		got, err := comm.Exchange(v.t, x.send)
		if err != nil {
			return err
		}
		for q := range got {
			section := x.at[g.first[q]:][:len(g.of[q].locals)]
			copy(window(section, g.window, s), got[q])
		}
	}
	return nil
}

// rules are the rules of a kernel on edge tuples.
type rules[T comm.Word] struct {
	at        []T // the value of each slot
	unreached T   // the value of a vertex outside the tree
	check     rowCheck
}

// rowCheck checks the row of a reached vertex and reports faults to the worker's tally. It returns whether the row has
// the slot of the vertex's parent.
type rowCheck func(sum *tally, vertex int, row []uint32, parent uint32) (joined bool)

// tally has the worst finding and the counts of one worker.
type tally struct {
	found   finding
	ends    int64 // ends of tuples in the tree, without self-loops: each tuple has two
	loops   int64
	reached int64
	_       [64]byte // prevents false sharing between workers
}

func (s *tally) report(f finding) { s.found = worse(s.found, f) }

// check applies a kernel's rules and rule 5 to the tuples of all reached vertices, and counts tuples and vertices. It
// is collective.
func check[T comm.Word](v *Validator, rules rules[T], tree tree) (Verdict, error) {
	tallies := make([]tally, v.workers)
	for w := range tallies {
		tallies[w].found = noFault
	}
	par.For(v.workers, len(tree.parents), v.limit.block, func(w, lo, hi int) {
		sum := &tallies[w]
		for i := lo; i < hi; i++ {
			if rules.at[i] == rules.unreached {
				continue
			}
			row := v.rows.of(i)
			sum.ends += int64(len(row))
			sum.reached++
			joined := rules.check(sum, i, row, v.slot(tree.parents[i]))
			if !joined && !v.owns(tree.root, i) {
				sum.report(finding{rule: ruleTreeEdge, vertex: v.climber.label(i), other: tree.parents[i]})
			}
		}
	})
	for _, i := range v.loops {
		if rules.at[i] != rules.unreached {
			tallies[0].loops++
		}
	}
	return v.sum(tallies, tree.deepest)
}

// owns reports whether a packed id is the one of an owned vertex.
func (v *Validator) owns(p packedID, vertex int) bool {
	return p.rank() == v.self && int(p.local()) == vertex
}

// noSlot is the slot of a vertex that is neither owned nor a ghost.
const noSlot = math.MaxUint32

// slot returns the slot of a parent, or noSlot.
func (v *Validator) slot(parent graph.Global) uint32 {
	p := v.ids.pack(parent)
	if p.rank() == v.self {
		return uint32(p.local())
	}
	if slot, known := v.ghosts.slot(p); known {
		return slot
	}
	return noSlot
}

// onTuple returns a finding on the tuple that joins an owned vertex and a slot, whose levels are given. The lower label
// comes first.
func (v *Validator) onTuple(broken rule, vertex int, slot uint32, levels [2]int64) finding {
	own, other := v.climber.label(vertex), v.ids.label(v.ghosts.id(v.self, slot))
	if other < own {
		own, other = other, own
		levels[0], levels[1] = levels[1], levels[0]
	}
	return finding{broken, own, other, levels}
}

// sum returns the verdict of the findings and counts of all workers of all ranks.
func (v *Validator) sum(tallies []tally, deepest int64) (Verdict, error) {
	all, counts := noFault, make([]int64, 3)
	for i := range tallies {
		all = worse(all, tallies[i].found)
		counts[0] += tallies[i].ends
		counts[1] += tallies[i].loops
		counts[2] += tallies[i].reached
	}
	found, err := agree(v.t, all)
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	if err := v.t.AllReduce(counts, comm.Sum); err != nil {
		return Verdict{}, err
	}
	edges := counts[0] / 2
	return Verdict{Edges: edges, EdgesWithLoops: edges + counts[1], Reached: counts[2], Levels: int(deepest) + 1}, nil
}
