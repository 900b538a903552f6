package sssp

import "g500/graph/csr"

const (
	relaxedAtOnce = 32 // vertices that a worker relaxes at a time
	offeredAtOnce = 64 // paths that it offers at a time
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

// addRow adds the paths along a vertex' edges that stay below the threshold. Paths to other ranks' vertices are added
// to messages.
func (o *offers) addRow(p *pusher, worker int, row []edge, from tail) {
	first, stride := p.s.first(), p.s.Stride
	for _, e := range row {
		distance := from.distance + e.weight()
		if distance >= p.threshold {
			return
		}
		to, at := entryOf(distance, from.label), e.to()-first
		if int(at) >= stride {
			rank, h := p.s.Vertex(int(e.to()))
			p.post.add(worker, rank, h, to)
			continue
		}
		o.ids[o.n], o.paths[o.n] = csr.ID(at), to
		if o.n++; o.n == offeredAtOnce {
			o.flush(p, worker)
		}
	}
}

// flush offers the paths and empties the list.
func (o *offers) flush(p *pusher, worker int) {
	var before [offeredAtOnce]entry
	for i, h := range o.ids[:o.n] {
		before[i] = p.d.at(h)
	}
	for i, h := range o.ids[:o.n] {
		if o.paths[i]>>32 < before[i]>>32 {
			p.offer(worker, h, o.paths[i])
		}
	}
	o.n = 0
}
