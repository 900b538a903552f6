// SPDX-License-Identifier: Apache-2.0

package color

import "g500/internal/par"

// jonesPlassmann colours one independent set per round: vertices whose random number of this round is larger than the
// numbers of all neighbours without a colour (algorithm 3).
func jonesPlassmann(c *coloring) {
	queue := all(c.g)
	for round := uint32(0); len(queue) > 0; round++ {
		par.For(c.workers, len(queue), grain, func(_, lo, hi int) {
			for _, v := range queue[lo:hi] {
				if c.isMaximum(v, round) {
					c.set(v, round+1)
				}
			}
		})
		queue = c.keep(queue, func(v uint32) bool { return c.of(v) == 0 })
		c.Rounds++
	}
}

// isMaximum reports whether no neighbour without a colour, or coloured in this round, has a larger number than v.
func (c *coloring) isMaximum(v, round uint32) bool {
	own := draw(v, round)
	for _, to := range c.g.Row(v) {
		if color := c.of(to); to == v || color != 0 && color != round+1 {
			continue
		}
		if other := draw(to, round); other > own || other == own && to > v {
			return false
		}
	}
	return true
}

// draw returns the random number of a vertex in a round: the finaliser of MurmurHash3, twice.
func draw(v, round uint32) uint32 {
	x := v + 1 + round*0x9e3779b9
	for range 2 {
		x = (x ^ x>>16) * 0x85ebca6b
		x = (x ^ x>>13) * 0xc2b2ae35
		x ^= x >> 16
	}
	return x
}
