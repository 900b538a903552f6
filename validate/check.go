package validate

import (
	"g500/comm"
	"g500/graph"
)

// level is how a level is kept while tuples are checked: a byte serves every tree of an official graph.
type level interface{ uint8 | uint32 }

// unreached stands for the level of a vertex that is not in the tree. It is more than one above any level.
func unreached[L level]() L { return ^L(0) }

// deepestOf is the largest level that an L can hold beside unreached.
func deepestOf[L level]() int64 { return int64(unreached[L]()) - 2 }

// levels holds the level of every slot, owned vertices and ghosts.
type levels[L level] struct {
	at   []L
	send [][]L
}

func newLevels[L level](owned int, g *ghosts) levels[L] {
	return levels[L]{at: make([]L, g.slots), send: make([][]L, len(g.of))}
}

// load takes over what the climb has found, and learns the ghosts' levels from their owners. No labels travel:
// both sides know the order.
func (l *levels[L]) load(j *Judge) error {
	j.crew.blocks(len(j.climber.up), j.limit.block, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			if a := j.climber.up[v]; a.at == nowhere {
				l.at[v] = unreached[L]()
			} else {
				l.at[v] = L(a.hops)
			}
		}
	})
	return learn(j, l.at, l.send)
}

// learn fills the slots of ghosts with what their owners have in theirs.
func learn[T comm.Word](j *Judge, at []T, send [][]T) error {
	g := &j.ghosts
	for s := range g.steps {
		j.crew.blocks(len(send), 1, func(_, q, _ int) {
			send[q] = send[q][:0]
			for _, v := range part(g.lent[q], g.window, s) {
				send[q] = append(send[q], at[v])
			}
		})
		got, err := comm.Exchange(j.t, send)
		if err != nil {
			return err
		}
		for q := range got {
			copy(part(section(g, at, q), g.window, s), got[q])
		}
	}
	return nil
}

// tally is what one worker finds and counts.
type tally struct {
	found   finding
	ends    int64 // ends of tuples other than self-loops in the tree: each tuple has two
	loops   int64
	reached int64
	_       [64]byte // keeps workers off each other's cache lines
}

// checkTuples judges the tree against the tuples, and counts.
func checkTuples[L level](j *Judge, l *levels[L], root place, parents []graph.Global, deepest int64) (Verdict, error) {
	if err := l.load(j); err != nil {
		return Verdict{}, err
	}
	tallies := make([]tally, j.crew)
	for w := range tallies {
		tallies[w].found = nothing
	}
	j.crew.blocks(len(parents), j.limit.block, func(w, lo, hi int) {
		for v := lo; v < hi; v++ {
			if l.at[v] != unreached[L]() {
				checkRow(j, l.at, root, v, parents[v], &tallies[w])
			}
		}
	})
	for _, v := range j.loops {
		if l.at[v] != unreached[L]() {
			tallies[0].loops++
		}
	}
	return j.sum(tallies, deepest)
}

// checkRow judges the tuples of a reached vertex v. A tuple that spans too many levels is seen from its end nearer
// to the root, so it is enough to look for levels too far down; unreached is further down than any.
func checkRow[L level](j *Judge, at []L, root place, v int, parent graph.Global, sum *tally) {
	row := j.rows.of(v)
	sum.ends += int64(len(row))
	sum.reached++
	slot, known := j.slot(parent)
	joined := false
	farthest := L(0)
	for _, s := range row {
		farthest = max(farthest, at[s])
		if s == slot {
			joined = true
		}
	}
	if farthest > at[v]+1 {
		sum.found = worse(sum.found, farTuple(j, at, v, row))
	}
	isRoot := root.rank() == j.self && int(root.local()) == v
	if !isRoot && !(known && joined) {
		label := j.climber.label(v)
		sum.found = worse(sum.found, finding{rule: ruleTreeEdge, vertex: label, other: parent})
	}
}

// slot is the slot of a parent, if it is owned or a ghost.
func (j *Judge) slot(parent graph.Global) (slot uint32, known bool) {
	p := j.atlas.place(parent)
	if p.rank() == j.self {
		return uint32(p.local()), true
	}
	return j.ghosts.slot(p)
}

// farTuple puts a name to the worst tuple of v's row.
func farTuple[L level](j *Judge, at []L, v int, row []uint32) finding {
	worst, own := nothing, j.climber.label(v)
	for _, s := range row {
		if at[s] <= at[v]+1 {
			continue
		}
		f := finding{ruleLevels, own, j.atlas.label(j.ghosts.place(j.self, s)), [2]int64{int64(at[v]), int64(at[s])}}
		if at[s] == unreached[L]() {
			f.rule, f.levels[1] = ruleSpan, unreachedLevel
		}
		if f.other < f.vertex {
			f.vertex, f.other = f.other, f.vertex
			f.levels[0], f.levels[1] = f.levels[1], f.levels[0]
		}
		worst = worse(worst, f)
	}
	return worst
}

// sum makes the verdict of what all workers of all ranks have found.
func (j *Judge) sum(tallies []tally, deepest int64) (Verdict, error) {
	all := tally{found: nothing}
	for i := range tallies {
		all.found = worse(all.found, tallies[i].found)
		all.ends += tallies[i].ends
		all.loops += tallies[i].loops
		all.reached += tallies[i].reached
	}
	found, err := agree(j.t, all.found)
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	counts := []int64{all.ends, all.loops, all.reached}
	if err := j.t.AllReduce(counts, comm.Sum); err != nil {
		return Verdict{}, err
	}
	edges := counts[0] / 2
	return Verdict{Edges: edges, EdgesWithLoops: edges + counts[1], Reached: counts[2], Levels: int(deepest) + 1}, nil
}
