package validate

import (
	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// ancestor says that the vertex at is hops steps above, following parents.
type ancestor struct {
	at   place // nowhere if the vertex was not reached
	hops int64
}

// climber finds the level of every vertex from the parents alone, by pointer doubling: each vertex asks its
// ancestor for that one's ancestor, so that a tree of L levels takes about log2 L rounds. What has not come to
// the root when the known path is longer than any tree can be goes round in a cycle.
//
// Invariant, whenever ranks exchange: up[v].at is the up[v].hops-th ancestor of v. Ancestors may be updated in any
// order, therefore, and a round works in place. (On a cycle hops may overflow; there it means nothing.)
type climber struct {
	t     comm.Transport
	self  int
	atlas atlas
	crew  crew
	limit limits
	steps int // of limit.vertices, that the rank with the most vertices needs

	up     []ancestor // of each owned vertex
	next   []ancestor // of the vertices of this step: the ancestor's ancestor, or the number of the question
	askers []asker
	send   [][]graph.Local
	reply  [][]uint64 // two words an answer: place and hops
}

func newClimber(v *Validator, layout partition.Layout) climber {
	most := 0
	for q := range layout.Ranks() {
		most = max(most, layout.Count(q))
	}
	owned := layout.Count(v.self)
	c := climber{
		t: v.t, self: v.self, atlas: v.atlas, crew: v.crew, limit: v.limit,
		steps:  (most + v.limit.vertices - 1) / v.limit.vertices,
		up:     make([]ancestor, owned),
		next:   make([]ancestor, min(owned, v.limit.vertices)),
		askers: make([]asker, v.crew),
		send:   make([][]graph.Local, layout.Ranks()),
		reply:  make([][]uint64, layout.Ranks()),
	}
	for w := range c.askers {
		c.askers[w].want = make([][]graph.Local, layout.Ranks())
		c.askers[w].base = make([]int, layout.Ranks())
	}
	return c
}

// enter takes over the parents as first ancestors, and finds labels out of range and a root without itself.
func (c *climber) enter(root place, parents []graph.Global) finding {
	here := -1 // the root's local, if it is owned
	if root.rank() == c.self {
		here = int(root.local())
	}
	for w := range c.askers {
		a := &c.askers[w]
		a.found, a.open, a.deepest = nothing, 0, 0
	}
	c.crew.blocks(len(parents), c.limit.block, func(w, lo, hi int) {
		a := &c.askers[w]
		for v := lo; v < hi; v++ {
			switch p := parents[v]; {
			case v == here:
				c.up[v] = ancestor{root, 0}
				if p != c.label(v) {
					a.report(finding{rule: ruleRoot, vertex: c.label(v), other: p})
				}
			case p == graph.NoParent:
				c.up[v] = ancestor{at: nowhere}
			case c.atlas.holds(p):
				c.up[v] = ancestor{c.atlas.place(p), 1}
				a.count(c.up[v], root)
			default:
				a.report(finding{rule: ruleRange, vertex: c.label(v), other: p})
			}
		}
	})
	return c.found()
}

// label is the label of an owned vertex.
func (c *climber) label(v int) graph.Global { return c.atlas.layout.Global(c.self, graph.Local(v)) }

// open reports whether the climb from an owned vertex has not come to its end.
func (a ancestor) open(root place) bool { return a.at != root && a.at != nowhere }

// climb doubles until every reached vertex knows its distance from the root. After the first round, in which
// everyone asks its parent, it knows of all vertices whose parent was not reached.
func (c *climber) climb(root place, parents []graph.Global) (finding, error) {
	for known := graph.Global(1); ; known *= 2 {
		own := int64(0)
		for w := range c.askers {
			own += c.askers[w].open
		}
		if open, err := comm.Reduce(c.t, own, comm.Sum); err != nil || open == 0 {
			return nothing, err
		}
		if known >= c.atlas.vertices {
			return agree(c.t, c.stuck(root, parents))
		}
		orphan, err := c.round(root, parents)
		if err != nil {
			return nothing, err
		}
		if known > 1 {
			continue
		}
		if found, err := agree(c.t, orphan); found.rule != noRule || err != nil {
			return found, err
		}
	}
}

// stuck is the lowest owned vertex whose climb is open.
func (c *climber) stuck(root place, parents []graph.Global) finding {
	for v, a := range c.up {
		if a.open(root) {
			return finding{rule: ruleCycle, vertex: c.label(v), other: parents[v]}
		}
	}
	return nothing
}

// deepest is the largest level of the tree, on all ranks.
func (c *climber) deepest() (int64, error) {
	best := int64(0)
	for w := range c.askers {
		best = max(best, c.askers[w].deepest)
	}
	return comm.Reduce(c.t, best, comm.Max)
}
