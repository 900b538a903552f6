// SPDX-License-Identifier: Apache-2.0

package color

import (
	"slices"
	"sync/atomic"

	"g500/internal/par"
	"g500/lab"
)

// coloring is a colouring on CPU cores: colours from 1 on, 0 for none. Goroutines read and write colours concurrently.
type coloring struct {
	g       *lab.Graph
	colors  []uint32
	workers int
	most    int // rounds of speculation; 0 for no limit
	lab.ColoringRun
}

func (c *coloring) of(v uint32) uint32         { return atomic.LoadUint32(&c.colors[v]) }
func (c *coloring) set(v uint32, color uint32) { atomic.StoreUint32(&c.colors[v], color) }

// mask has an entry per colour: one more than the last vertex with a neighbour of this colour (colorMask).
type mask []uint32

func (c *coloring) newMask() mask { return make(mask, maxDegree(c.g)+2) }

// firstFit returns the first colour that no neighbour of v has.
func (c *coloring) firstFit(m mask, v uint32) uint32 {
	for _, to := range c.g.Row(v) {
		if color := c.of(to); to != v && int(color) < len(m) {
			m[color] = v + 1
		}
	}
	free := uint32(1)
	for m[free] == v+1 {
		free++
	}
	return free
}

func maxDegree(g *lab.Graph) (most int64) {
	for v := range g.Vertices() {
		most = max(most, g.Offsets[v+1]-g.Offsets[v])
	}
	return most
}

// serial is the sequential greedy algorithm, without atomics (algorithm 1).
func serial(c *coloring) {
	m := c.newMask()
	for v := range uint32(c.g.Vertices()) {
		for _, to := range c.g.Row(v) {
			m[c.colors[to]] = v + 1
		}
		free := uint32(1)
		for m[free] == v+1 {
			free++
		}
		c.colors[v] = free
	}
}

// speculative colours in parallel until no two neighbours have one colour (algorithm 2). After the most rounds it lets
// one core colour the remaining vertices (3-step GM).
func speculative(c *coloring) {
	left := c.speculate()
	for _, v := range left {
		c.set(v, 0)
	}
	if len(left) > 0 {
		finish(c.g, c.colors)
	}
}

// all returns a queue of all vertices.
func all(g *lab.Graph) []uint32 {
	queue := make([]uint32, g.Vertices())
	for v := range queue {
		queue[v] = uint32(v)
	}
	return queue
}

// grain is the number of vertices that a goroutine takes at a time.
const grain = 1024

// speculate colours all vertices in at most the most rounds. A round colours again each vertex with the colour of a
// neighbour of larger number. It returns the vertices that are still in conflict.
func (c *coloring) speculate() []uint32 {
	queue := all(c.g)
	masks := make([]mask, c.workers)
	for w := range masks {
		masks[w] = c.newMask()
	}
	for len(queue) > 0 && (c.most == 0 || c.Rounds < c.most) {
		par.For(c.workers, len(queue), grain, func(worker, lo, hi int) {
			for _, v := range queue[lo:hi] {
				c.set(v, c.firstFit(masks[worker], v))
			}
		})
		queue = c.keep(queue, c.conflicts)
		c.Rounds++
		c.Conflicts += int64(len(queue))
	}
	return queue
}

// conflicts reports whether a neighbour with a larger number has the colour of v.
func (c *coloring) conflicts(v uint32) bool {
	return slices.ContainsFunc(c.g.Row(v), func(to uint32) bool { return v < to && c.of(v) == c.of(to) })
}

// keep returns the vertices of a queue for which holds returns true.
func (c *coloring) keep(queue []uint32, holds func(v uint32) bool) []uint32 {
	kept := make([]uint32, len(queue))
	var n atomic.Int64
	par.For(c.workers, len(queue), grain, func(_, lo, hi int) {
		var own [grain]uint32
		count := 0
		for _, v := range queue[lo:hi] {
			if holds(v) {
				own[count] = v
				count++
			}
		}
		copy(kept[n.Add(int64(count))-int64(count):], own[:count])
	})
	return kept[:n.Load()]
}

// finish colours the vertices that have no colour, one after the other: the third step of 3-step GM.
func finish(g *lab.Graph, colors []uint32) {
	c := coloring{g: g, colors: colors}
	m := c.newMask()
	for v, color := range colors {
		if color == 0 {
			c.set(uint32(v), c.firstFit(m, uint32(v)))
		}
	}
}
