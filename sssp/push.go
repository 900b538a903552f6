// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/prefetch"
	"g500/internal/trace"
)

// Parameters of a push, which change no distance.
const (
	landmarks    = 64       // number of vertices with the most edges
	firstShare   = 1.0 / 64 // of the first reach: the first threshold
	approach     = 2.0      // factor between thresholds until a landmark is below
	searchGrowth = 1.4      // factor between reaches
	buckets      = 16       // of equal width, from one threshold to the next
	settledShare = 0.18     // share of vertices below the threshold that ends a push
)

// pusher settles the vertices nearer to the root than a threshold. Vertices relax their edges below the threshold, by
// rising weight, bucket by bucket of distance (delta-stepping: Meyer and Sanders, J. Algorithms 2003). The threshold
// grows until enough vertices are below it: to the nearest landmark, and then by a reach. The reach for a share of the
// vertices hardly depends on the root. Kernel 1 determines it (findReach), and each search begins with it.
//
// A push terminates. In a drain, a vertex is queued again only if its distance decreased, and the number of distances
// is finite. From one drain to the next the threshold rises, at least to the next floating-point number (aboveFloor);
// if it is infinite, no edge leads beyond it.
type pusher struct {
	*common
	threshold float32
	floor     float32  // threshold of the last drain, up to which all nearer vertices have relaxed their edges
	first     float32  // initial reach of a search, from kernel 1
	reach     float32  // distance of the threshold beyond the nearest landmark
	growth    float32  // factor between reaches
	nearest   float32  // smallest known distance of a landmark
	relaxed   []uint32 // by id: bits of the distance at which the vertex last relaxed its edges
	rounds    int      // number of drains in this search
	begun     float32  // lower bound of the first bucket
	perWidth  float32  // buckets per unit of distance
	current   int      // bucket, into which nearer vertices are put too
	long      []span   // parts of long rows
}

const neverRelaxed = math.MaxUint32

// begin resets the state before a search.
func (p *pusher) begin() {
	p.reach, p.floor, p.rounds = p.first, 0, 0
	par.For(p.workers, len(p.relaxed), 1<<14, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			p.relaxed[h] = neverRelaxed
		}
	})
	p.lanes.clear(settled)
	p.lanes.clear(beyond)
}

// settledHere returns the number of this rank's settled vertices.
func (p *pusher) settledHere() int { return p.lanes.count(settled) }

// push settles enough vertices, from a root, or csr.NoID if this rank does not own it. It reports whether there may be
// vertices beyond the threshold.
func (p *pusher) push(from csr.ID) (more bool, err error) {
	p.open(0, p.aboveFloor(p.first*firstShare))
	if from != csr.NoID {
		p.enqueue(p.lanes[0], from, 0)
	}
	for {
		if err := p.checkAdvance(); err != nil {
			return false, err
		}
		p.rounds++
		if err := p.drain(); err != nil {
			return false, err
		}
		enough, more, err := p.enough()
		if err != nil || enough || !more {
			return more, err
		}
		if err := p.grow(); err != nil {
			return false, err
		}
	}
}

// aboveFloor returns the maximum of a threshold and the number after the floor.
func (p *pusher) aboveFloor(threshold float32) float32 {
	return max(threshold, math.Nextafter32(p.floor, infinity))
}

// grow raises the threshold. The settled vertices relax their edges up to it.
func (p *pusher) grow() error {
	before := p.threshold
	p.floor = before
	switch {
	case p.nearest >= before:
		p.open(before, p.aboveFloor(before*approach))
	case p.nearest+p.reach > before:
		p.open(before, p.nearest+p.reach)
	default: // the reach must also grow if it vanishes in the sum
		p.reach = max(p.reach, before-p.nearest) * p.growth
		p.open(before, p.aboveFloor(p.nearest+p.reach))
	}
	p.enqueueAll(beyond)
	p.lanes.clear(beyond)
	p.each(settled, relaxedAtOnce, func(l *lane, vertices []csr.ID) { p.relaxBeyond(l, vertices, before) })
	return p.deliver()
}

// deliver relaxes the parts of long rows, and sends paths to other ranks' vertices. It is collective.
func (p *pusher) deliver() error {
	p.relaxLong()
	return p.post.deliver(func(h csr.ID, path entry) { p.offer(p.lanes[0], h, path) })
}

// open divides the distances between from and threshold into buckets; one bucket if threshold is not larger.
func (p *pusher) open(from, threshold float32) {
	p.threshold, p.begun, p.current, p.perWidth = threshold, from, 0, 0
	if threshold > from {
		p.perWidth = min(buckets/(threshold-from), math.MaxFloat32)
	}
}

// enqueue puts a vertex at a distance into its bucket.
func (p *pusher) enqueue(l *lane, h csr.ID, distance float32) {
	place := min((distance-p.begun)*p.perWidth, buckets) // infinity does not fit into an integer
	bucket := min(max(int(place), p.current), buckets-1)
	l.queued[bucket] = append(l.queued[bucket], h)
}

// enqueueAll puts the vertices of a list into their buckets.
func (p *pusher) enqueueAll(list func(*lane) *[]csr.ID) {
	p.each(list, mostTaken, func(l *lane, vertices []csr.ID) {
		for _, u := range vertices {
			p.enqueue(l, u, p.d.at(u).distance())
		}
	})
}

// drain relaxes the edges of all queued vertices, bucket by bucket, until no vertex is queued.
func (p *pusher) drain() error {
	for {
		if err := p.look(); err != nil || p.current == buckets {
			return err
		}
		p.take()
		p.each(frontier, relaxedAtOnce, p.relax)
		if err := p.deliver(); err != nil {
			return err
		}
	}
}

// look finds the first bucket that is not empty on all ranks, and the nearest landmark of all ranks. If the threshold
// is too far beyond the landmark, look reduces it, but not to the floor.
func (p *pusher) look() error {
	nearest := unreached
	for h := range min(landmarks, p.s.Connected()) {
		nearest = min(nearest, p.d.at(csr.ID(h)))
	}
	all := []int64{-int64(p.firstQueued()), -int64(nearest >> 32)}
	err := p.t.AllReduce(all, comm.Max)
	p.current = int(-all[0])
	p.nearest = entry(-all[1] << 32).distance()
	if err != nil {
		return err
	}
	if threshold := p.aboveFloor(p.nearest + p.reach); threshold < p.threshold && p.current < buckets {
		p.lowerThreshold(threshold)
	}
	return nil
}

// lowerThreshold divides the distances up to a smaller threshold into new buckets.
func (p *pusher) lowerThreshold(threshold float32) {
	from := p.begun
	if p.perWidth > 0 {
		from += float32(p.current) / p.perWidth
	}
	par.For(p.workers, len(p.lanes), 1, func(_, w, _ int) {
		l := p.lanes[w]
		l.frontier = l.frontier[:0]
		for b, queued := range l.queued {
			l.frontier = append(l.frontier, queued...)
			l.queued[b] = queued[:0]
		}
	})
	p.open(min(from, p.nearest), threshold)
	p.enqueueAll(frontier)
}

// firstQueued returns the first bucket that is not empty.
func (p *pusher) firstQueued() int {
	first := buckets
	for _, l := range p.lanes {
		for i := p.current; i < first; i++ {
			if len(l.queued[i]) > 0 {
				first = i
			}
		}
	}
	return first
}

// take makes the current bucket the frontier.
func (p *pusher) take() {
	for _, l := range p.lanes {
		if len(l.frontier)+len(l.queued[p.current]) > 0 { // an idle worker's lane stays in its core's cache
			l.frontier, l.queued[p.current] = l.queued[p.current], l.frontier[:0]
		}
	}
}

// relax offers paths below the threshold over vertices, at most relaxedAtOnce, to their neighbours. If a shorter path
// to one of the vertices is found meanwhile, it is queued again.
//
// All distances are loaded before atomic operations need them, because atomic operations do not overlap.
func (p *pusher) relax(l *lane, vertices []csr.ID) {
	var rows [relaxedAtOnce][]edge
	var tails [relaxedAtOnce]tail
	var relaxed [relaxedAtOnce]unsafe.Pointer
	for i, u := range vertices {
		relaxed[i] = unsafe.Pointer(&p.relaxed[u])
	}
	prefetch.Own(relaxed[:len(vertices)])
	for i, u := range vertices {
		tails[i] = tail{p.d.at(u).distance(), p.s.label(u)}
		rows[i] = p.s.Row(u)
	}
	n := 0
	for i, u := range vertices {
		if distance, begins := p.begins(l, u); begins {
			rows[n], tails[n] = rows[i], tail{distance, tails[i].label}
			n++
		}
	}
	var lightest [relaxedAtOnce]edge
	for i, row := range rows[:n] {
		if len(row) > 0 {
			lightest[i] = row[0]
		}
	}
	for i, row := range rows[:n] {
		if tails[i].distance+lightest[i].weight() < p.threshold {
			p.addRow(l, row, tails[i])
		}
	}
	p.flush(l)
}

// begins reports whether a vertex must relax its edges, and at which distance. It settles the vertex.
func (p *pusher) begins(l *lane, u csr.ID) (distance float32, begins bool) {
	at := p.d.at(u)
	bits, distance := uint32(at>>32), at.distance()
	if distance >= p.threshold {
		l.beyond = append(l.beyond, u)
		return distance, false
	}
	before := atomic.SwapUint32(&p.relaxed[u], bits)
	if before == neverRelaxed {
		l.settled = append(l.settled, u)
	}
	return distance, before != bits // else another worker relaxes them
}

// relaxBeyond relaxes the edges of settled vertices that lead to a threshold or beyond it.
func (p *pusher) relaxBeyond(l *lane, vertices []csr.ID, threshold float32) {
	for _, u := range vertices {
		row, distance := p.s.Row(u), p.d.at(u).distance()
		at := sort.Search(len(row), func(i int) bool { return distance+row[i].weight() >= threshold })
		p.addRow(l, row[at:], tail{distance, p.s.label(u)})
	}
	p.flush(l)
}

// offer replaces the path to a vertex by a shorter one, and queues the vertex.
func (p *pusher) offer(l *lane, h csr.ID, path entry) {
	if p.d.lower(h, path) {
		p.enqueue(l, h, path.distance())
	}
}

// enough reports whether enough vertices are below the threshold, and whether a settled one has edges beyond it.
func (p *pusher) enough() (enough, more bool, err error) {
	sum := []int64{int64(p.settledHere()), 0, int64(p.s.Connected())}
	if slices.ContainsFunc(p.lanes, func(l *lane) bool { return slices.ContainsFunc(l.settled, p.leadsBeyond) }) {
		sum[1]++
	}
	if err := p.t.AllReduce(sum, comm.Sum); err != nil {
		return false, false, err
	}
	return float64(sum[0]) >= settledShare*float64(sum[2]), sum[1] > 0, nil
}

// leadsBeyond reports whether an edge of a settled vertex leads beyond the threshold.
func (p *pusher) leadsBeyond(u csr.ID) bool {
	row := p.s.Row(u)
	if len(row) == 0 {
		return false
	}
	farthest := p.d.at(u).distance() + row[len(row)-1].weight()
	return farthest >= p.threshold && farthest < infinity
}

// checkAdvance returns an error, the same on all ranks, if the threshold has not grown, so the push would not
// terminate. This happens only if a weight is not a number. It is collective in this case.
func (p *pusher) checkAdvance() error {
	if p.threshold > p.floor {
		return nil
	}
	all := []int64{int64(p.settledHere()), int64(p.s.Connected())}
	if err := p.t.AllReduce(all, comm.Sum); err != nil {
		return err
	}
	return comm.Agree(p.t, fmt.Errorf("shortest paths make no progress in step %q: after %d rounds the window from %g "+
		"on ends at %g, with the nearest landmark at %g and a reach of %g; %d of %d vertices are settled: check that all "+
		"weights are numbers from 0 on", trace.PushStep, p.rounds, p.floor, p.threshold, p.nearest, p.reach, all[0], all[1]))
}
