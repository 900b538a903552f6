package color

import (
	"sync/atomic"

	"g500/internal/par"
	"g500/lab"
)

// coloring is a colouring on cores: colours from 1 on, 0 for none. Several goroutines read and write colours at once.
type coloring struct {
	g       *lab.Graph
	colors  []uint32
	workers int
	Measures
}

func (c *coloring) of(v uint32) uint32         { return atomic.LoadUint32(&c.colors[v]) }
func (c *coloring) set(v uint32, color uint32) { atomic.StoreUint32(&c.colors[v], color) }

// mask says of which vertex a neighbour has a colour (Chen et al., algorithm 1: colorMask).
type mask []uint32

func (c *coloring) newMask() mask { return make(mask, maxDegree(c.g)+2) }

// firstFit is the first colour that no neighbour of v has. The mask grows where there are more colours than a greedy
// algorithm has.
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

// serial is the sequential greedy algorithm. It needs no atomics.
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

// speculative colours in parallel, and queues again who has the colour of a neighbour with a larger number.
func speculative(c *coloring) { c.speculate(all(c.g), 0) }

// threeSteps does so for a few rounds, and lets one core resolve what is left.
func threeSteps(c *coloring) { c.Finish(c.speculate(all(c.g), gmRounds)) }

func all(g *lab.Graph) []uint32 {
	queue := make([]uint32, g.Vertices())
	for v := range queue {
		queue[v] = uint32(v)
	}
	return queue
}

// grain is the number of vertices that a goroutine takes at a time.
const grain = 1024

// speculate colours the vertices of a queue, in so many rounds at most (0 for any number). It returns those that are
// still in conflict.
func (c *coloring) speculate(queue []uint32, rounds int) []uint32 {
	masks := make([]mask, c.workers)
	for w := range masks {
		masks[w] = c.newMask()
	}
	for len(queue) > 0 && (rounds == 0 || c.Rounds < rounds) {
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

// conflicts reports whether a neighbour with a larger number has the vertex' colour.
func (c *coloring) conflicts(v uint32) bool {
	for _, to := range c.g.Row(v) {
		if v < to && c.of(v) == c.of(to) {
			return true
		}
	}
	return false
}

// keep is the vertices of a queue of which something holds.
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

// Finish gives the vertices of a queue other colours, one after the other.
func (c *coloring) Finish(queue []uint32) {
	m := c.newMask()
	for _, v := range queue {
		c.set(v, 0)
	}
	for _, v := range queue {
		c.set(v, c.firstFit(m, v))
	}
}

// Finish colours the vertices that have the colour 0, one after the other: the third step of 3-step GM.
func Finish(g *lab.Graph, colors []uint32) {
	var queue []uint32
	for v, color := range colors {
		if color == 0 {
			queue = append(queue, uint32(v))
		}
	}
	c := coloring{g: g, colors: colors, workers: 1}
	c.Finish(queue)
}
