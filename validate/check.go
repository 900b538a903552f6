package validate

import (
	"math"

	"g500/comm"
	"g500/graph"
)

// values are what the rules on edge tuples compare: the level or distance of each slot, of owned vertices and ghosts.
type values[T comm.Word] struct {
	at   []T
	send [][]T
}

func newValues[T comm.Word](g *ghosts) values[T] {
	return values[T]{at: make([]T, g.slots), send: make([][]T, len(g.of))}
}

// load lets fill set the values of owned vertices, those from lo on, from several goroutines at a time. It receives
// those of ghosts from their owners. No labels travel: both sides have the same order.
func (x *values[T]) load(v *Validator, fill func(values []T, lo int)) error {
	v.crew.blocks(len(v.climber.up), v.limit.block, func(_, lo, hi int) { fill(x.at[lo:hi], lo) })
	g := &v.ghosts
	for s := range g.steps {
		v.crew.blocks(len(x.send), 1, func(_, q, _ int) {
			x.send[q] = x.send[q][:0]
			for _, i := range part(g.lent[q], g.window, s) {
				x.send[q] = append(x.send[q], x.at[i])
			}
		})
		got, err := comm.Exchange(v.t, x.send)
		if err != nil {
			return err
		}
		for q := range got {
			copy(part(section(g, x.at, q), g.window, s), got[q])
		}
	}
	return nil
}

// made returns the values, after it has made them at the first call.
func (x *values[T]) made(g *ghosts) *values[T] {
	if x.at == nil {
		*x = newValues[T](g)
	}
	return x
}

// rules are those of a kernel on edge tuples.
type rules[T comm.Word] struct {
	at        []T // the value of each slot
	unreached T   // the value of a vertex outside the tree
	check     rowCheck
}

// rowCheck checks the row of a reached vertex and reports faults to the worker's tally. It returns whether the slot of
// the vertex's parent is in the row.
type rowCheck func(sum *tally, vertex int, row []uint32, parent uint32) (joined bool)

// tally is what one worker finds and counts.
type tally struct {
	found   finding
	ends    int64 // ends of tuples other than self-loops in the tree: each tuple has two
	loops   int64
	reached int64
	_       [64]byte // keeps workers off each other's cache lines
}

func (s *tally) report(f finding) { s.found = worse(s.found, f) }

// check applies a kernel's rules to the tuples of all reached vertices, and rule 5, and counts tuples and vertices. It
// is collective.
func check[T comm.Word](v *Validator, rules rules[T], tree tree) (Verdict, error) {
	tallies := make([]tally, v.crew)
	for w := range tallies {
		tallies[w].found = nothing
	}
	v.crew.blocks(len(tree.parents), v.limit.block, func(w, lo, hi int) {
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

// owns reports whether a place is that of an owned vertex.
func (v *Validator) owns(p place, vertex int) bool {
	return p.rank() == v.self && int(p.local()) == vertex
}

// noSlot is the slot of a vertex that is neither owned nor a ghost.
const noSlot = math.MaxUint32

// slot returns the slot of a parent, or noSlot.
func (v *Validator) slot(parent graph.Global) uint32 {
	p := v.atlas.place(parent)
	if p.rank() == v.self {
		return uint32(p.local())
	}
	if slot, known := v.ghosts.slot(p); known {
		return slot
	}
	return noSlot
}

// onTuple is a finding on the tuple that joins an owned vertex and a slot. levels are those of the two; the lower label
// comes first.
func (v *Validator) onTuple(broken rule, vertex int, slot uint32, levels [2]int64) finding {
	own, other := v.climber.label(vertex), v.atlas.label(v.ghosts.place(v.self, slot))
	if other < own {
		own, other = other, own
		levels[0], levels[1] = levels[1], levels[0]
	}
	return finding{broken, own, other, levels}
}

// sum makes the verdict of the findings and counts of all workers of all ranks.
func (v *Validator) sum(tallies []tally, deepest int64) (Verdict, error) {
	all := tally{found: nothing}
	for i := range tallies {
		all.found = worse(all.found, tallies[i].found)
		all.ends += tallies[i].ends
		all.loops += tallies[i].loops
		all.reached += tallies[i].reached
	}
	found, err := agree(v.t, all.found)
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	counts := []int64{all.ends, all.loops, all.reached}
	if err := v.t.AllReduce(counts, comm.Sum); err != nil {
		return Verdict{}, err
	}
	edges := counts[0] / 2
	return Verdict{Edges: edges, EdgesWithLoops: edges + counts[1], Reached: counts[2], Levels: int(deepest) + 1}, nil
}
