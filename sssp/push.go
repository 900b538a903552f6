package sssp

import (
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/hugepage"
	"g500/internal/par"
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
// vertices hardly depends on the root. Kernel 1 determines it (reach.go), and each search begins with it.
//
// A push terminates. In a drain, a vertex is queued again only if its distance decreased, and the number of distances
// is finite. From one drain to the next the threshold rises, at least to the next floating-point number (aboveFloor);
// if it is infinite, no edge leads beyond it.
type pusher struct {
	*common
	threshold float32
	floor     float32      // threshold of the last drain, up to which all nearer vertices have relaxed their edges
	first     float32      // initial reach of a search, from kernel 1
	reach     float32      // distance of the threshold beyond the nearest landmark
	growth    float32      // factor between reaches
	nearest   float32      // smallest known distance of a landmark
	relaxed   []uint32     // by id: bits of the distance at which the vertex last relaxed its edges
	settled   [][]csr.ID   // vertices that have relaxed their edges, by worker
	rounds    int          // number of drains in this search
	begun     float32      // lower bound of the first bucket
	perWidth  float32      // buckets per unit of distance
	current   int          // bucket, into which nearer vertices are put too
	queued    [][][]csr.ID // vertices that must relax their edges, by worker and bucket
	offers    []offers     // by worker
	beyond    [][]csr.ID   // queued vertices that are now beyond the threshold, by worker
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

// begin resets the state before a search.
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

// settledHere returns the number of this rank's settled vertices.
func (p *pusher) settledHere() int {
	n := 0
	for _, settled := range p.settled {
		n += len(settled)
	}
	return n
}

// push settles enough vertices, from a root, or csr.NoID if this rank does not own it. It reports whether there may be
// vertices beyond the threshold.
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

// deliver sends paths to other ranks' vertices. It is collective.
func (p *pusher) deliver() error {
	return p.post.deliver(func(h csr.ID, path entry) { p.offer(0, h, path) })
}

// open divides the distances between from and threshold into buckets; one bucket if threshold is not larger.
func (p *pusher) open(from, threshold float32) {
	p.threshold, p.begun, p.current, p.perWidth = threshold, from, 0, 0
	if threshold > from {
		p.perWidth = min(buckets/(threshold-from), math.MaxFloat32)
	}
}

// enqueue puts a vertex at a distance into its bucket.
func (p *pusher) enqueue(worker int, h csr.ID, distance float32) {
	place := min((distance-p.begun)*p.perWidth, buckets) // infinity does not fit into an integer
	bucket := min(max(int(place), p.current), buckets-1)
	p.queued[worker][bucket] = append(p.queued[worker][bucket], h)
}

// drain relaxes the edges of all queued vertices, bucket by bucket, until no vertex is queued.
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

// firstQueued returns the first bucket that is not empty.
func (p *pusher) firstQueued() int {
	first := buckets
	for _, queued := range p.queued {
		if i := slices.IndexFunc(queued[:first], func(bucket []csr.ID) bool { return len(bucket) > 0 }); i >= 0 {
			first = i
		}
	}
	return first
}

// take moves the current bucket to a frontier.
func (p *pusher) take(into []csr.ID) []csr.ID {
	for w := range p.queued {
		into = append(into, p.queued[w][p.current]...)
		p.queued[w][p.current] = p.queued[w][p.current][:0]
	}
	return into
}

// relax offers paths below the threshold over vertices, at most relaxedAtOnce, to their neighbours. If a shorter path
// to one of the vertices is found meanwhile, it is queued again.
//
// All distances are loaded before atomic operations need them, because atomic operations do not overlap.
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

// begins reports whether a vertex must relax its edges, and at which distance. It settles the vertex.
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
	return distance, before != bits // else another worker relaxes them
}

// relaxBeyond relaxes the edges of a settled vertex that lead to a threshold or beyond it.
func (p *pusher) relaxBeyond(worker int, u csr.ID, threshold float32) {
	row, distance := p.s.Row(u), p.d.at(u).distance()
	o := &p.offers[worker]
	o.addRow(p, worker, row[beyond(row, distance, threshold):], tail{distance, p.s.label(u)})
	o.flush(p, worker)
}

// beyond returns the number of edges of a row that lead below a threshold.
func beyond(row []edge, distance, threshold float32) int {
	return sort.Search(len(row), func(i int) bool { return distance+row[i].weight() >= threshold })
}

// offer replaces the path to a vertex by a shorter one, and queues the vertex.
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
