// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"sync/atomic"

	"g500/internal/par"
	"g500/internal/prefetch"
)

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
