// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/trace"
)

const pulledAtOnce = 256 // vertices that a worker pulls at a time

// pullRest computes the distances beyond the threshold.
func (e *search) pullRest() error {
	if err := e.pushNearest(); err != nil {
		return err
	}
	if err := e.shareDistances(); err != nil {
		return err
	}
	e.pull()
	if err := e.shareDistances(); err != nil {
		return err
	}
	if err := e.report(trace.PullStep, e.s.Connected()-e.settledHere()); err != nil {
		return err
	}
	farthest := e.pullAgain()
	bound, err := comm.Reduce(e.t, int64(entryOf(farthest, 0)>>32), comm.Max)
	if err != nil {
		return err
	}
	if err := e.report(trace.PullAgainStep, e.lanes.count(open)); err != nil {
		return err
	}
	if err := e.pushRest(entry(bound << 32).distance()); err != nil {
		return err
	}
	return e.report(trace.PushRestStep, e.lanes.count(changed))
}

// pushNearest relaxes all edges of the vertices that are nearer than all landmarks.
func (e *search) pushNearest() error {
	e.low = min(e.nearest, e.threshold)
	threshold := e.threshold
	e.open(threshold, infinity)
	e.each(settled, mostTaken, func(l *lane, vertices []csr.ID) {
		for i, u := range vertices {
			if e.d.at(u).distance() < e.low {
				e.relaxBeyond(l, vertices[i:i+1], threshold)
			}
		}
	})
	err := e.deliver()
	e.threshold = threshold
	e.take() // the vertices do not relax their edges
	return err
}

// pushRest pushes from changed vertices up to a distance.
func (e *search) pushRest(farthest float32) error {
	reach := e.reach
	e.reach = infinity
	e.open(e.threshold, max(e.threshold, farthest))
	e.enqueueAll(changed)
	err := e.drain()
	e.reach = reach
	return err
}

// shareDistances replicates the distances of all vertices.
func (e *search) shareDistances() error {
	if e.view == nil {
		return nil
	}
	return e.share(e.distanceBits, func(p position, bits uint32) { e.view[p] = math.Float32frombits(bits) })
}

// distance returns the distance of any vertex, as of the last shareDistances for other ranks' vertices.
func (e *search) distance(p position) float32 {
	if at := p - e.s.first(); int(at) < e.s.Stride {
		return e.d.at(csr.ID(at)).distance()
	}
	return e.view[p]
}

// pull computes, for each vertex that is not settled, the shortest path over a settled one, and lists the open
// vertices. It reads no distance beyond the threshold, so it writes the results to another array without atomic
// operations.
func (e *search) pull() {
	e.lanes.clear(open)
	par.For(e.workers, e.s.Connected(), pulledAtOnce, func(worker, lo, hi int) {
		l := e.lanes[worker]
		e.readFirstEnds(csr.ID(lo), csr.ID(hi))
		for h := csr.ID(lo); h < csr.ID(hi); h++ {
			found, open := e.pullOne(h)
			if e.found[h] = uint64(found); open {
				l.open = append(l.open, h)
			}
		}
	})
	e.d, e.found = e.found, e.d
}

// readFirstEnds reads the distances at the ends of vertices' first edges, so the cache misses overlap.
func (e *search) readFirstEnds(lo, hi csr.ID) {
	for h := lo; h < hi; h++ {
		if row := e.s.in.Row(h); len(row) > 0 && e.d.at(h).distance() >= e.threshold {
			e.distance(row[0].to())
		}
	}
}

// pullOne is pull for one vertex.
func (e *search) pullOne(h csr.ID) (found entry, open bool) {
	found = e.d.at(h)
	best := found.distance()
	if best < e.threshold {
		return found, false
	}
	for _, from := range e.s.in.Row(h) {
		if e.low+from.weight() >= best {
			break
		}
		distance := e.distance(from.to())
		if distance >= e.threshold {
			open = true
		} else if path := distance + from.weight(); path < best {
			best, found = path, entryOf(path, e.labels[from.to()])
		}
	}
	return found, open && e.canImprove(h, best)
}

// canImprove reports whether a shorter path may lead over a vertex beyond the threshold.
func (e *search) canImprove(h csr.ID, best float32) bool {
	for _, from := range e.s.in.Row(h) {
		if e.threshold+from.weight() >= best {
			break
		}
		if e.distance(from.to()) >= e.threshold {
			return true
		}
	}
	return false
}

// pullAgain searches for shorter paths to open vertices over others beyond the threshold. It lists the changed
// vertices, whose edges must be relaxed, and returns the largest distance of an open vertex: farther vertices are
// final.
func (e *search) pullAgain() (farthest float32) {
	e.lanes.clear(changed)
	for _, l := range e.lanes {
		l.farthest = 0
	}
	e.each(open, mostTaken, func(l *lane, vertices []csr.ID) {
		for _, h := range vertices {
			best, shorter := e.pullOneAgain(h)
			if shorter {
				l.changed = append(l.changed, h)
			}
			l.farthest = max(l.farthest, best)
		}
	})
	for _, l := range e.lanes {
		farthest = max(farthest, l.farthest)
	}
	return farthest
}

// pullOneAgain is pullAgain for one vertex.
func (e *search) pullOneAgain(h csr.ID) (best float32, shorter bool) {
	best, parent := e.d.at(h).distance(), position(0)
	for _, from := range e.s.in.Row(h) {
		if e.threshold+from.weight() >= best {
			break
		}
		if path := e.distance(from.to()) + from.weight(); path < best {
			best, parent, shorter = path, from.to(), true
		}
	}
	if shorter {
		e.d.lower(h, entryOf(best, e.labels[parent]))
	}
	return best, shorter
}
