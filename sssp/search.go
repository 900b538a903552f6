package sssp

import (
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// Limits of the search; none changes a distance.
const (
	firstThreshold = 1.0 / 4096 // of distance, for a start
	approach       = 2.0        // from one threshold to the next, as long as no landmark is below
	firstReach     = 1.0 / 1024 // of the threshold beyond the nearest landmark
	growth         = 1.4        // from one reach to the next
	settledShare   = 0.18       // of the vertices: push until so many are below the threshold
	landmarks      = 64         // vertices with most edges: the nearest bounds from below what rows look for
)

// search is the fast engine. It works in three steps:
//
//  1. Push. All vertices nearer to the root than a threshold are found, and their distances: they relax their edges,
//     by rising weight, as far as these lead below the threshold. The threshold grows until they are many: to
//     the nearest landmark, and from there on by its distance from that. Few vertices are as near as the first
//     landmark, and most are a little farther.
//  2. Pull. Each other vertex goes through its own edges by rising weight, and stops where no vertex below the
//     threshold can help any more.
//  3. Pull again. Those whose path could be shorter by way of another vertex beyond the threshold look at these, too.
//     Where that finds a shorter path, it is pushed on as in the first step.
type search struct {
	*common
	threshold float32
	reach     float32          // the threshold is no farther than that beyond the nearest landmark
	nearest   float32          // landmark, as far as it is known
	low       float32          // vertices nearer than this have pushed all their edges
	settled   []hub            // vertices that were found below a threshold
	listed    []bool           // by hub: it is among them
	cursor    []int32          // of a settled vertex: edges of its row that it has relaxed
	due       []float32        // of a settled vertex: the path along the next of them
	pending   []uint32         // by hub: in the next frontier already
	next      [][]hub          // frontier, by worker
	view      []float32        // distances by position, where there are other ranks
	ended     func(Step) error // is told of steps, or nil
}

// OnStep has ended told of each step.
func (e *search) OnStep(ended func(Step) error) { e.ended = ended }

// tell tells that a step has ended that looked at so many vertices of this rank.
func (e *search) tell(step string, vertices int) error {
	if e.ended == nil {
		return nil
	}
	all := []int64{int64(vertices)}
	if err := e.t.AllReduce(all, comm.Sum); err != nil {
		return err
	}
	return e.ended(Step{Name: step, Vertices: all[0]})
}

// NewSearch returns kernel 1 of the fast engine with that many goroutines a rank.
func NewSearch(workers int) New {
	return func(t comm.Transport, tuples graph.WeightedTuples, prune Pruning) (Engine, error) {
		s, err := build(t, tuples, workers)
		if err != nil {
			return nil, err
		}
		e := &search{common: newCommon(t, s, workers), cursor: make([]int32, s.hubs()), pending: make([]uint32, s.hubs()),
			listed: make([]bool, s.hubs()), due: make([]float32, s.hubs()), next: make([][]hub, workers)}
		if t.Size() > 1 {
			e.view = make([]float32, s.stride*t.Size())
		}
		if prune == PruneHub {
			err = e.prune(e.SSSP)
		}
		return e, err
	}
}

// SSSP searches from root.
func (e *search) SSSP(root graph.Global) (Paths, error) {
	if err := checkRoot(root, e.s.layout); err != nil {
		return nil, err
	}
	h := e.start(root)
	e.settled = e.settled[:0]
	clear(e.cursor)
	clear(e.listed)
	var frontier []hub
	if h != noHub {
		frontier = append(frontier, h)
		e.settle(frontier)
	}
	more, err := e.push(frontier)
	if err == nil {
		err = e.tell(PushStep, len(e.settled))
	}
	if err == nil && more {
		err = e.pullRest()
	}
	if err != nil {
		return nil, err
	}
	found := e.finish(root)
	return found, e.tell(ResultStep, int(e.s.layout.Count(e.t.Rank())))
}

// push grows the threshold until enough vertices are below it. It reports whether there may be vertices
// beyond it.
func (e *search) push(frontier []hub) (bool, error) {
	e.threshold, e.reach = firstThreshold, firstReach
	for {
		if err := e.pushBelow(frontier); err != nil {
			return false, err
		}
		enough, more, err := e.enough()
		if err != nil || enough || !more {
			return more, err
		}
		if e.nearest < e.threshold {
			e.reach *= growth
			e.threshold = e.nearest + e.reach
		} else {
			e.threshold *= approach
		}
		frontier = e.dueBelow(frontier[:0])
	}
}

// look finds the nearest landmark of all ranks, draws the threshold to it where that is too far, and reports whether
// some rank has a frontier.
func (e *search) look(frontier []hub) (more bool, err error) {
	nearest := unreached
	for h := range min(landmarks, e.s.hubs()) {
		nearest = min(nearest, e.d.at(hub(h)))
	}
	all := []int64{int64(len(frontier)), -int64(nearest >> 32)}
	err = e.t.AllReduce(all, comm.Max)
	e.nearest = entry(-all[1] << 32).distance()
	e.threshold = min(e.threshold, e.nearest+e.reach)
	return all[0] > 0, err
}

// settle takes vertices that were found below the threshold into the list of those, once.
func (e *search) settle(found []hub) {
	for _, h := range found {
		if !e.listed[h] {
			e.listed[h] = true
			e.settled = append(e.settled, h)
		}
	}
}

// dueBelow lists the settled vertices that have an edge to relax below the threshold: they go on from their cursors.
func (e *search) dueBelow(into []hub) []hub {
	lists := make([][]hub, e.workers)
	par.For(e.workers, len(e.settled), 1<<10, func(worker, lo, hi int) {
		for _, h := range e.settled[lo:hi] {
			if e.due[h] < e.threshold {
				lists[worker] = append(lists[worker], h)
			}
		}
	})
	for _, list := range lists {
		into = append(into, list...)
	}
	return into
}

// pushBelow finds all vertices below the threshold.
func (e *search) pushBelow(frontier []hub) error {
	for {
		more, err := e.look(frontier)
		if err != nil || !more {
			return err
		}
		par.For(e.workers, len(frontier), 16, func(worker, lo, hi int) {
			for _, u := range frontier[lo:hi] {
				e.relax(worker, u)
			}
		})
		if err := e.post.deliver(func(h hub, to entry) { e.offer(0, h, to) }); err != nil {
			return err
		}
		frontier = frontier[:0]
		for w := range e.next {
			frontier = append(frontier, e.next[w]...)
			e.next[w] = e.next[w][:0]
		}
		for _, h := range frontier {
			e.pending[h] = 0
		}
		e.settle(frontier)
	}
}

// relax offers the neighbours of a vertex below the threshold their paths through it, as far as these stay below the
// threshold. If a shorter path to the vertex itself is found meanwhile, it begins anew in the next round.
func (e *search) relax(worker int, u hub) {
	row, distance, label := e.s.row(u), e.d.at(u).distance(), e.s.label(u)
	i := int(atomic.LoadInt32(&e.cursor[u]))
	for ; i < len(row); i++ {
		path := distance + row[i].weight()
		if path >= e.threshold {
			break
		}
		e.send(worker, row[i].to(), entryOf(path, label))
	}
	atomic.StoreInt32(&e.cursor[u], int32(i))
	e.due[u] = infinity
	if i < len(row) {
		e.due[u] = distance + row[i].weight()
	}
	if e.d.at(u).distance() < distance {
		atomic.StoreInt32(&e.cursor[u], 0)
	}
}

// send takes a path to the owner of a vertex.
func (e *search) send(worker int, to position, path entry) {
	if at := to - e.s.first(); int(at) < e.s.stride {
		e.offer(worker, hub(at), path)
		return
	}
	rank, h := e.s.owner(to)
	e.post.add(worker, rank, h, path)
}

// offer takes a path over if it is shorter, and lets the vertex relax its edges anew.
func (e *search) offer(worker int, h hub, path entry) {
	if !e.d.lower(h, path) {
		return
	}
	atomic.StoreInt32(&e.cursor[h], 0)
	if atomic.SwapUint32(&e.pending[h], 1) == 0 {
		e.next[worker] = append(e.next[worker], h)
	}
}

// enough reports whether enough vertices are below the threshold, and whether a settled one has edges that lead beyond
// it.
func (e *search) enough() (enough, more bool, err error) {
	sums := make([][2]int64, e.workers)
	par.For(e.workers, len(e.settled), 1<<10, func(worker, lo, hi int) {
		for _, h := range e.settled[lo:hi] {
			if e.d.at(h).distance() < e.threshold {
				sums[worker][0]++
			}
			if e.due[h] < infinity {
				sums[worker][1]++
			}
		}
	})
	sum := []int64{0, 0, int64(e.s.hubs())}
	for _, s := range sums {
		sum[0], sum[1] = sum[0]+s[0], sum[1]+s[1]
	}
	if err := e.t.AllReduce(sum, comm.Sum); err != nil {
		return false, false, err
	}
	return float64(sum[0]) >= settledShare*float64(sum[2]), sum[1] > 0, nil
}
