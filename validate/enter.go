// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"sync/atomic"

	"g500/graph"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// tree is the result of a search whose parents lead to the root.
type tree struct {
	root    packedID
	parents []graph.Global
	deepest int64 // the largest level, on all ranks
	walked  bool  // Validator.levels has the levels
}

// enter checks the parents by the rules that need no tuples, and computes the levels. The fault is the same on all
// ranks. A root outside the graph or a wrong number of parents is an error.
func (v *Validator) enter(root graph.Global, parents []graph.Global) (tree, Fault, error) {
	if !v.ids.valid(root) {
		return tree{}, noFault, fmt.Errorf("validate: the root %d is not a vertex; labels are 0 to %d",
			root, v.ids.vertices-1)
	}
	if len(parents) != v.owned {
		return tree{}, noFault, fmt.Errorf("validate: %d parents for the %d vertices of rank %d",
			len(parents), v.owned, v.self)
	}
	t := tree{root: v.ids.pack(root), parents: parents}
	found, err := agree(v.t, v.enterParents(t.root, parents))
	if found.Rule != noRule || err != nil {
		return t, found, err
	}
	if v.ids.alone {
		if t.deepest, t.walked = v.walk(v.order.place[root]); t.walked {
			return t, noFault, nil
		}
	}
	if v.climber == nil {
		v.climber = newClimber(v)
	}
	t.deepest, found, err = v.climber.climb(t.root, parents)
	return t, found, err
}

// enterParents sets the slots of parents. It finds parents that are no vertices, and a root that is not its own parent.
func (v *Validator) enterParents(root packedID, parents []graph.Global) Fault {
	tallies := newTallies(v.workers)
	par.For(v.workers, v.owned, v.limit.block, func(w, lo, hi int) {
		places, block := v.order.place[lo:hi], parents[lo:hi]
		if !inRange(block, v.ids.vertices) {
			v.reportRange(&tallies[w], root, parents, lo, hi)
		} else if v.ids.alone {
			placeParents(v.parent, places, block, v.order.place)
		} else {
			for i, p := range block {
				v.parent[places[i]] = v.slot(p)
			}
		}
	})
	if root.rank() == v.self {
		if p := parents[root.local()]; p != v.ids.label(root) {
			tallies[0].report(Fault{Rule: ErrRoot, Vertex: v.ids.label(root), Other: p})
		}
	}
	return worstOf(tallies)
}

// inRange reports whether all parents are below vertices or graph.NoParent.
func inRange(parents []graph.Global, vertices graph.Global) bool {
	largest := uint64(0)
	for _, part := range prefetch.Parts(parents) {
		for _, p := range part {
			largest = max(largest, uint64(p+1))
		}
	}
	return largest <= uint64(vertices)
}

// reportRange reports the parents from lo to hi that are no vertices, except the root's.
func (v *Validator) reportRange(sum *tally, root packedID, parents []graph.Global, lo, hi int) {
	for i := lo; i < hi; i++ {
		if !inRange(parents[i:i+1], v.ids.vertices) && !(root.rank() == v.self && int(root.local()) == i) {
			sum.report(Fault{Rule: ErrRange, Vertex: v.labelOf(graph.Local(i)), Other: parents[i]})
		}
	}
}

// placeParents sets the slots of parents on one rank. It has no branch on unreached vertices, which would be
// mispredicted: their slot is the last entry of place.
func placeParents(slots, places []uint32, parents []graph.Global, place []uint32) {
	last := uint64(len(place) - 1)
	for at, part := range prefetch.Parts(parents) {
		prefetch.Ahead(places, at)
		for i, p := range part {
			slots[places[at+i]] = place[min(uint64(p), last)]
		}
	}
}

// slot returns the slot of a parent, or the one after all slots if it is neither owned nor a ghost.
func (v *Validator) slot(parent graph.Global) uint32 {
	none := uint32(v.ghosts.slots)
	if parent == graph.NoParent {
		return none
	}
	p := v.ids.pack(parent)
	if p.rank() == v.self {
		return v.order.place[p.local()]
	}
	if slot, known := v.ghosts.slot(p); known {
		return slot
	}
	return none
}

// labelOf returns the label of an owned vertex by local id, and label by place.
func (v *Validator) labelOf(local graph.Local) graph.Global {
	return v.ids.layout.Global(v.self, local)
}
func (v *Validator) label(place int) graph.Global { return v.labelOf(v.order.local[place]) }

// labelOfSlot returns the label of an owned vertex or a ghost.
func (v *Validator) labelOfSlot(slot uint32) graph.Global {
	if int(slot) < v.owned {
		return v.label(int(slot))
	}
	return v.ids.label(v.ghosts.id(slot))
}

const walkedAtOnce = 1 << 11 // vertices

// walk computes the levels on one rank if they fit into level sets: it follows the parents of each vertex to the root.
// It returns the largest level, and whether all reached vertices have one. If not, the climber finds the fault or the
// levels.
func (v *Validator) walk(root uint32) (deepest int64, all bool) {
	at := v.levels.slots(v)
	var seen atomic.Uint32
	par.For(v.workers, v.owned, walkedAtOnce, func(_, lo, hi int) {
		if levelSet(seen.Load())&lost != 0 {
			return
		}
		var far [walkedAtOnce + 1]uint32
		block, n := v.walkAtOnce(root, lo, hi, &far)
		for _, i := range far[:n] {
			at[i] = v.walkOn(root, i)
			block |= at[i]
		}
		if have := seen.Load(); have|uint32(block) != have {
			seen.Or(uint32(block))
		}
	})
	found := levelSet(seen.Load())
	return found.deepest(), found&lost == 0
}

// lost is the level of a reached vertex from which walk does not find the root.
const lost levelSet = 1 << setLevels

// walkAtOnce computes the levels of vertices from lo to hi, at most walkedAtOnce, without branches on them, which would
// be mispredicted. It returns the set of these levels, and the number of reached vertices in far, which need more
// steps.
func (v *Validator) walkAtOnce(root uint32, lo, hi int, far *[walkedAtOnce + 1]uint32) (seen levelSet, n int) {
	parent, none, at := v.parent, uint32(v.owned), v.levels.at
	for i := lo; i < hi; i++ {
		if i%prefetch.Grain == 0 {
			prefetch.Ahead(parent, i)
			prefetch.Ahead(at, i)
		}
		a := parent[i]
		b := parent[a]
		c := parent[b]
		d := parent[c]
		steps := differ(uint32(i), root) + differ(a, root) + differ(b, root) + differ(c, root)
		level := levelSet(1) << (steps & 7)
		if d != root {
			level = outside
		}
		at[i] = level
		seen |= level
		far[n] = uint32(i)
		n += int(differ(d, root) & differ(a, none))
	}
	return seen, n
}

// differ returns 1 if x and y differ, else 0.
func differ(x, y uint32) uint8 {
	if x != y {
		return 1
	}
	return 0
}

// walkOn returns the level of one vertex, or lost.
func (v *Validator) walkOn(root, vertex uint32) levelSet {
	for level := levelSet(1); level < lost; level <<= 1 {
		if vertex == root {
			return level
		}
		vertex = v.parent[vertex]
	}
	return lost
}
