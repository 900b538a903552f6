// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// ancestor is the vertex hops steps above another, following parents.
type ancestor struct {
	at   packedID // noVertex if the vertex was not reached
	hops int64
}

// climber computes the level of every vertex from the parents alone, by pointer doubling: each vertex queries its
// ancestor's ancestor, so a tree of L levels takes about log2 L rounds. A vertex whose known path is longer than any
// tree, without reaching the root, leads to a cycle.
//
// Invariant, whenever ranks exchange: up[v].at is the up[v].hops-th ancestor of v. Ancestors may therefore be updated
// in any order, and a round works in place. (On a cycle hops may overflow, and is not used.)
type climber struct {
	*Validator
	steps   int        // of limit.vertices, for the rank with the most vertices
	up      []ancestor // of each owned vertex
	next    []ancestor // of the vertices of this step: the ancestor's ancestor, or the number of the query
	queries []queries  // of each worker
	send    [][]graph.Local
	replies [][]uint64 // two words per reply: packed id and hops
}

func newClimber(v *Validator) *climber {
	layout := v.ids.layout
	most := 0
	for q := range layout.Ranks() {
		most = max(most, layout.Count(q))
	}
	owned := layout.Count(v.self)
	c := &climber{
		Validator: v,
		steps:     (most + v.limit.vertices - 1) / v.limit.vertices,
		up:        make([]ancestor, owned),
		next:      make([]ancestor, min(owned, v.limit.vertices)),
		queries:   make([]queries, v.workers),
		send:      make([][]graph.Local, layout.Ranks()),
		replies:   make([][]uint64, layout.Ranks()),
	}
	for w := range c.queries {
		c.queries[w].to = make([][]graph.Local, layout.Ranks())
		c.queries[w].base = make([]int, layout.Ranks())
	}
	return c
}

// enter sets the first ancestors to the parents.
func (c *climber) enter(root packedID, parents []graph.Global) {
	for w := range c.queries {
		a := &c.queries[w]
		a.found, a.open, a.deepest = noFault, 0, 0
	}
	par.For(c.workers, len(parents), c.limit.block, func(w, lo, hi int) {
		for v := lo; v < hi; v++ {
			switch p := parents[v]; {
			case root.rank() == c.self && int(root.local()) == v:
				c.up[v] = ancestor{root, 0}
			case p == graph.NoParent:
				c.up[v] = ancestor{at: noVertex}
			default:
				c.up[v] = ancestor{c.ids.pack(p), 1}
				c.queries[w].count(c.up[v], root)
			}
		}
	})
}

// open reports whether an owned vertex with this ancestor must climb on.
func (a ancestor) open(root packedID) bool { return a.at != root && a.at != noVertex }

// climb computes the levels, and returns the largest one, on all ranks.
func (c *climber) climb(root packedID, parents []graph.Global) (deepest int64, found finding, err error) {
	c.enter(root, parents)
	if found, err = c.double(root, parents); found.rule == noRule && err == nil {
		deepest, err = c.deepest()
	}
	return deepest, found, err
}

// double doubles paths until every reached vertex has its distance from the root. The first round, in which every
// vertex queries its parent, finds all vertices whose parent was not reached.
func (c *climber) double(root packedID, parents []graph.Global) (finding, error) {
	for known := graph.Global(1); ; known *= 2 {
		own := int64(0)
		for w := range c.queries {
			own += c.queries[w].open
		}
		if open, err := comm.Reduce(c.t, own, comm.Sum); err != nil || open == 0 {
			return noFault, err
		}
		if known >= c.ids.vertices {
			return agree(c.t, c.stuck(root, parents))
		}
		orphan, err := c.round(root, parents)
		if err != nil {
			return noFault, err
		}
		if known > 1 {
			continue
		}
		if found, err := agree(c.t, orphan); found.rule != noRule || err != nil {
			return found, err
		}
	}
}

// stuck returns a finding on the lowest owned vertex that has not reached the root.
func (c *climber) stuck(root packedID, parents []graph.Global) finding {
	for v, a := range c.up {
		if a.open(root) {
			return finding{rule: ruleCycle, vertex: c.labelOf(graph.Local(v)), other: parents[v]}
		}
	}
	return noFault
}

// deepest returns the largest level of the tree, on all ranks.
func (c *climber) deepest() (int64, error) {
	best := int64(0)
	for w := range c.queries {
		best = max(best, c.queries[w].deepest)
	}
	return comm.Reduce(c.t, best, comm.Max)
}
