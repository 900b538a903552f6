// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"slices"
	"sort"
	"unsafe"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// lane has the state of one worker. Each lane is allocated apart, because workers that write to one cache line delay
// each other.
type lane struct {
	worker   int
	offers   offers
	long     []span            // parts of long rows, to be relaxed by all workers
	queued   [buckets][]csr.ID // vertices that must relax their edges
	frontier []csr.ID          // the vertices of the current bucket
	settled  []csr.ID          // vertices that have relaxed their edges
	beyond   []csr.ID          // queued vertices that are now beyond the threshold
	open     []csr.ID          // vertices whose paths over vertices beyond the threshold may be shorter
	changed  []csr.ID          // vertices for which that is true
	farthest float32           // the largest distance of an open vertex
}

type lanes []*lane

func newLanes(workers int) lanes {
	all := make(lanes, workers)
	for w := range all {
		all[w] = &lane{worker: w}
	}
	return all
}

func frontier(l *lane) *[]csr.ID { return &l.frontier }
func settled(l *lane) *[]csr.ID  { return &l.settled }
func beyond(l *lane) *[]csr.ID   { return &l.beyond }
func open(l *lane) *[]csr.ID     { return &l.open }
func changed(l *lane) *[]csr.ID  { return &l.changed }

// clear empties a list of all lanes.
func (all lanes) clear(list func(*lane) *[]csr.ID) {
	for _, l := range all {
		*list(l) = (*list(l))[:0]
	}
}

// count returns the number of vertices in a list of all lanes.
func (all lanes) count(list func(*lane) *[]csr.ID) (n int) {
	for _, l := range all {
		n += len(*list(l))
	}
	return n
}

// Bounds of the vertices that a worker takes from a list at a time.
const (
	mostTaken       = 512
	piecesPerWorker = 8
)

// each calls body for the vertices in a list of all lanes, at most atOnce at a time, from several workers, each with
// its own lane. body must not change the list.
func (c *common) each(list func(*lane) *[]csr.ID, atOnce int, body func(l *lane, vertices []csr.ID)) {
	n, ends := 0, make([]int, len(c.lanes))
	for w, l := range c.lanes {
		n += len(*list(l))
		ends[w] = n
	}
	grain := min(n/(piecesPerWorker*c.workers)+1, mostTaken)
	par.For(c.workers, n, grain, func(worker, lo, hi int) {
		for from := sort.SearchInts(ends, lo+1); lo < hi; from++ {
			all := *list(c.lanes[from])
			some := all[len(all)-(ends[from]-lo) : min(len(all), len(all)-(ends[from]-hi))]
			for part := range slices.Chunk(some, atOnce) {
				body(c.lanes[worker], part)
			}
			lo += len(some)
		}
	})
}

const (
	relaxedAtOnce = 32   // vertices that a worker relaxes at a time
	offeredAtOnce = 64   // paths that it offers at a time
	longRow       = 1024 // edges; longer rows are divided, because the rows of hubs are very long
)

// offers are paths of a worker to vertices of this rank. All current distances are read before the first atomic
// operation waits for one of them.
type offers struct {
	n     int
	ids   [offeredAtOnce]csr.ID
	paths [offeredAtOnce]entry
}

// tail is a vertex that edges leave.
type tail struct {
	distance float32
	label    uint32
}

// span is a part of a vertex' row.
type span struct {
	row  []edge
	from tail
}

// addRow adds the paths along a vertex' edges that stay below the threshold. It leaves parts of long rows to relaxLong.
func (p *pusher) addRow(l *lane, row []edge, from tail) {
	for len(row) > longRow && from.distance+row[longRow-1].weight() < p.threshold {
		l.long = append(l.long, span{row[:longRow], from})
		row = row[longRow:]
	}
	p.addSpan(l, row, from)
}

// relaxLong relaxes the parts of long rows.
func (p *pusher) relaxLong() {
	p.long = p.long[:0]
	for _, l := range p.lanes {
		if len(l.long) > 0 {
			p.long, l.long = append(p.long, l.long...), l.long[:0]
		}
	}
	par.For(p.workers, len(p.long), 1, func(worker, at, _ int) {
		p.addSpan(p.lanes[worker], p.long[at].row, p.long[at].from)
		p.flush(p.lanes[worker])
	})
}

// addSpan adds the paths along edges that stay below the threshold. Paths to other ranks' vertices are added to
// messages.
func (p *pusher) addSpan(l *lane, row []edge, from tail) {
	first, stride, o := p.s.first(), p.s.Stride, &l.offers
	for _, e := range row {
		distance := from.distance + e.weight()
		if distance >= p.threshold {
			return
		}
		to, at := entryOf(distance, from.label), e.to()-first
		if int(at) >= stride {
			rank, h := p.s.Vertex(int(e.to()))
			p.post.add(l.worker, rank, h, to)
			continue
		}
		o.ids[o.n], o.paths[o.n] = csr.ID(at), to
		if o.n++; o.n == offeredAtOnce {
			p.flush(l)
		}
	}
}

// flush offers the paths and empties the list.
func (p *pusher) flush(l *lane) {
	var before [offeredAtOnce]entry
	var entries [offeredAtOnce]unsafe.Pointer
	o := &l.offers
	for i, h := range o.ids[:o.n] {
		before[i] = p.d.at(h)
	}
	n := 0
	for i, h := range o.ids[:o.n] {
		if o.paths[i]>>32 < before[i]>>32 {
			o.ids[n], o.paths[n], entries[n] = h, o.paths[i], unsafe.Pointer(&p.d[h])
			n++
		}
	}
	prefetch.Own(entries[:n])
	for i, h := range o.ids[:n] {
		p.offer(l, h, o.paths[i])
	}
	o.n = 0
}

// messageWords is the length of an item: id at the owner, bits of the distance, label of the parent.
const messageWords = 3

// post sends distances to the owners of vertices. Each worker has its own bins.
type post struct {
	t    comm.Transport
	bins [][][]uint32 // by worker, then rank
	send [][]uint32
}

func newPost(t comm.Transport, workers int) *post {
	p := &post{t: t, send: make([][]uint32, t.Size())}
	for range workers {
		p.bins = append(p.bins, make([][]uint32, t.Size()))
	}
	return p
}

func (p *post) add(worker, rank int, h csr.ID, e entry) {
	bin := &p.bins[worker][rank]
	*bin = append(*bin, uint32(h), uint32(e>>32), uint32(e))
}

// deliver exchanges the added items, and calls take with each received one. It is collective.
func (p *post) deliver(take func(h csr.ID, e entry)) error {
	if p.t.Size() == 1 {
		return nil
	}
	for r := range p.send {
		p.send[r] = p.send[r][:0]
		for w := range p.bins {
			p.send[r] = append(p.send[r], p.bins[w][r]...)
			p.bins[w][r] = p.bins[w][r][:0]
		}
	}
	got, err := comm.Exchange(p.t, p.send)
	for _, words := range got {
		for ; len(words) >= messageWords; words = words[messageWords:] {
			take(csr.ID(words[0]), entry(words[1])<<32|entry(words[2]))
		}
	}
	return err
}
