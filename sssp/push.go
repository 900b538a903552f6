package sssp

import (
	"g500/graph/csr"
	"math"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// Numbers of a push; none changes a distance.
const (
	landmarks    = 64       // vertices with most edges
	firstShare   = 1.0 / 64 // of the first reach: the first threshold
	approach     = 2.0      // from one threshold to the next, as long as no landmark is below
	searchGrowth = 1.4      // from one reach to the next
	buckets      = 16       // of equal width, from one threshold to the next
	settledShare = 0.18     // of the vertices, which is enough
)

// pusher finds all vertices nearer to the root than a threshold, and their distances. Vertices relax their edges, by
// rising weight, as far as these lead below the threshold, bucket by bucket of distance (delta-stepping: Meyer and
// Sanders, J. Algorithms 2003). The threshold grows until enough vertices are below it: to the nearest landmark, and
// from there on by a reach. In one graph the same reach is enough for about as many vertices, whatever the root.
// Kernel 1 finds it (reach.go), and each search begins with it.
//
// A push ends. In a drain, a vertex is queued again only if its distance fell, and there are finitely many distances.
// From one drain to the next the threshold rises, at least to the next floating-point number (aboveFloor); if it is
// infinite no edge leads beyond it.
type pusher struct {
	*common
	threshold float32
	floor     float32      // the threshold of the last drain: all nearer vertices have relaxed their edges up to it
	first     float32      // reach of a search at its beginning, of kernel 1
	reach     float32      // of the threshold beyond the nearest landmark
	growth    float32      // from one reach to the next
	nearest   float32      // landmark, as far as it is known
	relaxed   []uint32     // by id: bits of the distance at which it has relaxed its edges last
	settled   [][]csr.ID   // vertices that have, by worker
	rounds    int          // drains of this search's push
	begun     float32      // where the first bucket begins
	perWidth  float32      // buckets in a unit of distance
	current   int          // bucket; nearer vertices go into it, too
	queued    [][][]csr.ID // vertices that are to relax their edges, by worker and bucket
	offers    []offers     // by worker
	beyond    [][]csr.ID   // vertices that were queued, and are beyond the threshold now, by worker
}

func newPusher(c *common) pusher {
	p := pusher{common: c, first: 1, growth: searchGrowth, relaxed: hugepage.Make[uint32](c.s.Connected()),
		settled: make([][]csr.ID, c.workers), beyond: make([][]csr.ID, c.workers),
		queued: make([][][]csr.ID, c.workers), offers: make([]offers, c.workers)}
	for w := range p.queued {
		p.queued[w] = make([][]csr.ID, buckets)
	}
	return p
}

const neverRelaxed = math.MaxUint32

// begin resets the state: nothing of the last search is used in this one.
func (p *pusher) begin() {
	p.reach, p.floor, p.rounds = p.first, 0, 0
	par.For(p.workers, len(p.relaxed), 1<<14, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			p.relaxed[h] = neverRelaxed
		}
	})
	for w := range p.settled {
		p.settled[w], p.beyond[w] = p.settled[w][:0], p.beyond[w][:0]
	}
}

// settledHere is the number of this rank's vertices that are settled.
func (p *pusher) settledHere() int {
	n := 0
	for _, settled := range p.settled {
		n += len(settled)
	}
	return n
}

// push settles enough vertices, from one on, or from none of this rank. It reports whether there may be vertices beyond
// the threshold.
func (p *pusher) push(from csr.ID) (more bool, err error) {
	p.open(0, p.aboveFloor(p.first*firstShare))
	if from != csr.NoID {
		p.enqueue(0, from, 0)
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

// aboveFloor returns a threshold, or the number that follows the floor, whichever is farther.
func (p *pusher) aboveFloor(threshold float32) float32 {
	return max(threshold, math.Nextafter32(p.floor, infinity))
}

// grow opens the buckets of a farther threshold. The settled vertices relax their edges up to that.
func (p *pusher) grow() error {
	before := p.threshold
	p.floor = before
	switch {
	case p.nearest >= before:
		p.open(before, p.aboveFloor(before*approach))
	case p.nearest+p.reach > before:
		p.open(before, p.nearest+p.reach)
	default: // a reach that is lost in the sum grows, too
		p.reach = max(p.reach, before-p.nearest) * p.growth
		p.open(before, p.aboveFloor(p.nearest+p.reach))
	}
	for w, found := range p.beyond {
		for _, u := range found {
			p.enqueue(0, u, p.d.at(u).distance())
		}
		p.beyond[w] = found[:0]
	}
	settled := slices.Concat(p.settled...)
	par.For(p.workers, len(settled), 1<<8, func(worker, lo, hi int) {
		for _, u := range settled[lo:hi] {
			p.relaxBeyond(worker, u, before)
		}
	})
	return p.deliver()
}

// deliver takes paths to other ranks' vertices there. It is collective.
func (p *pusher) deliver() error {
	return p.post.deliver(func(h csr.ID, path entry) { p.offer(0, h, path) })
}

// open lays buckets over the distances from one to a threshold. If that is no farther there is one bucket.
func (p *pusher) open(from, threshold float32) {
	p.threshold, p.begun, p.current, p.perWidth = threshold, from, 0, 0
	if threshold > from {
		p.perWidth = min(buckets/(threshold-from), math.MaxFloat32)
	}
}

// enqueue puts a vertex at that distance into its bucket.
func (p *pusher) enqueue(worker int, h csr.ID, distance float32) {
	place := min((distance-p.begun)*p.perWidth, buckets) // infinity fits no integer
	bucket := min(max(int(place), p.current), buckets-1)
	p.queued[worker][bucket] = append(p.queued[worker][bucket], h)
}

// drain relaxes the edges of all queued vertices, and of those that are queued for that, bucket by bucket.
func (p *pusher) drain() error {
	var frontier []csr.ID
	for {
		if err := p.look(); err != nil || p.current == buckets {
			return err
		}
		frontier = p.take(frontier[:0])
		par.For(p.workers, len(frontier), relaxedAtOnce, func(worker, lo, hi int) {
			p.relax(worker, frontier[lo:hi])
		})
		if err := p.deliver(); err != nil {
			return err
		}
	}
}

// look finds the first bucket in which some rank has a vertex, and the nearest landmark of all ranks. If the threshold
// is too far beyond that, it is drawn nearer, but not to the floor, and the buckets with it.
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
		p.draw(threshold)
	}
	return nil
}

// draw lays the buckets anew, from the first that is not empty to a threshold that is nearer.
func (p *pusher) draw(threshold float32) {
	queued := slices.Concat(slices.Concat(p.queued...)...)
	for _, of := range p.queued {
		for i := range of {
			of[i] = of[i][:0]
		}
	}
	from := p.begun
	if p.perWidth > 0 {
		from += float32(p.current) / p.perWidth
	}
	p.open(min(from, p.nearest), threshold)
	for _, u := range queued {
		p.enqueue(0, u, p.d.at(u).distance())
	}
}

// firstQueued is the first bucket that is not empty.
func (p *pusher) firstQueued() int {
	first := buckets
	for _, queued := range p.queued {
		if i := slices.IndexFunc(queued[:first], func(bucket []csr.ID) bool { return len(bucket) > 0 }); i >= 0 {
			first = i
		}
	}
	return first
}

// take empties the current bucket into a frontier.
func (p *pusher) take(into []csr.ID) []csr.ID {
	for w := range p.queued {
		into = append(into, p.queued[w][p.current]...)
		p.queued[w][p.current] = p.queued[w][p.current][:0]
	}
	return into
}

// relax offers the neighbours of vertices their paths through them, as far as these stay below the threshold; of
// relaxedAtOnce vertices at most. If a shorter path to a vertex itself is found meanwhile, it is queued again.
//
// All distances are loaded together, before an atomic operation needs them: atomic operations wait one by one.
func (p *pusher) relax(worker int, vertices []csr.ID) {
	var rows [relaxedAtOnce][]edge
	var tails [relaxedAtOnce]tail
	for i, u := range vertices {
		atomic.LoadUint32(&p.relaxed[u])
		tails[i] = tail{p.d.at(u).distance(), p.s.label(u)}
		rows[i] = p.s.Row(u)
	}
	n := 0
	for i, u := range vertices {
		if distance, begins := p.begins(worker, u); begins {
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
	o := &p.offers[worker]
	for i, row := range rows[:n] {
		if tails[i].distance+lightest[i].weight() < p.threshold {
			o.addRow(p, worker, row, tails[i])
		}
	}
	o.flush(p, worker)
}

// begins reports whether a vertex is to relax its edges, and at which distance. It settles the vertex.
func (p *pusher) begins(worker int, u csr.ID) (distance float32, begins bool) {
	at := p.d.at(u)
	bits, distance := uint32(at>>32), at.distance()
	if distance >= p.threshold {
		p.beyond[worker] = append(p.beyond[worker], u)
		return distance, false
	}
	before := atomic.SwapUint32(&p.relaxed[u], bits)
	if before == neverRelaxed {
		p.settled[worker] = append(p.settled[worker], u)
	}
	return distance, before != bits // else another worker has begun
}

// relaxBeyond relaxes those edges of a settled vertex that lead to a threshold or beyond.
func (p *pusher) relaxBeyond(worker int, u csr.ID, threshold float32) {
	row, distance := p.s.Row(u), p.d.at(u).distance()
	o := &p.offers[worker]
	o.addRow(p, worker, row[beyond(row, distance, threshold):], tail{distance, p.s.label(u)})
	o.flush(p, worker)
}

// beyond is the number of edges of a row that lead below a threshold.
func beyond(row []edge, distance, threshold float32) int {
	low, high := 0, len(row)
	for low < high {
		middle := (low + high) / 2
		if distance+row[middle].weight() < threshold {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// offer takes a path over if it is shorter, and queues the vertex.
func (p *pusher) offer(worker int, h csr.ID, path entry) {
	if p.d.lower(h, path) {
		p.enqueue(worker, h, path.distance())
	}
}

// enough reports whether enough vertices are below the threshold, and whether a settled one has edges that lead beyond
// it.
func (p *pusher) enough() (enough, more bool, err error) {
	sum := []int64{int64(p.settledHere()), 0, int64(p.s.Connected())}
	for _, settled := range p.settled {
		if slices.ContainsFunc(settled, p.leadsBeyond) {
			sum[1]++
		}
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
