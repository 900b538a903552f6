//go:build cuda && cgo

package gpu

import (
	"errors"

	"g500/comm"
	"g500/cuda"
)

// resolverRoom is the number of questions of a rank that are under way at a time: 128 MB of messages.
const resolverRoom = 1 << 24

// resolve sets labels[i] to the label of the vertex at positions[i], for n positions of any ranks' vertices; NoVertex
// stays what it is. The labels may take the places of the positions. It is collective, and n may differ from rank to
// rank.
func resolve(t DeviceTransport, g *cuda.Graph, positions cuda.Memory, n int64, labels cuda.Memory) (err error) {
	most := []int64{n}
	if err := t.Host().AllReduce(most, comm.Max); err != nil {
		return err
	}
	r, err := newResolver(t, min(resolverRoom, most[0]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.resolve(g, positions, n, labels)
}

// resolver asks the owners of positions for labels, with buffers that it keeps.
type resolver struct {
	t    DeviceTransport
	mail *mail // nil where there is nobody to ask
}

// newResolver is collective. room is the number of questions that a rank can ask at a time, the same on all.
func newResolver(t DeviceTransport, room int64) (*resolver, error) {
	ranks := t.Host().Size()
	if ranks == 1 {
		return &resolver{t: t}, nil
	}
	m, err := openMail(t, max(room, int64(ranks))) // a question of each rank always fits
	if err != nil {
		return nil, err
	}
	return &resolver{t, m}, nil
}

// Close gives the buffers back.
func (r *resolver) Close() error {
	if r.mail == nil {
		return nil
	}
	return r.mail.Close()
}

// resolve does what the function of that name does. Where many ask one rank, rounds become smaller until their
// questions fit.
func (r *resolver) resolve(g *cuda.Graph, positions cuda.Memory, n int64, labels cuda.Memory) error {
	if r.mail == nil {
		return g.LookUp(positions, 0, n, labels)
	}
	most := []int64{n}
	if err := r.t.Host().AllReduce(most, comm.Max); err != nil {
		return err
	}
	round := r.mail.room
	for first := int64(0); first < most[0]; {
		mine := min(first, n)
		batch := batch{g, positions, labels, mine, min(round, n-mine)}
		questions, err := r.mail.bins.Questions(g, positions, batch.first, batch.count, r.mail.out.Memory)
		if err != nil {
			return err
		}
		fits, err := r.mail.fits(questions)
		if err != nil {
			return err
		}
		if !fits {
			round = (round + 1) / 2
			continue
		}
		if err := r.ask(batch, questions); err != nil {
			return err
		}
		first += round
	}
	return nil
}

// batch is what is resolved in one round.
type batch struct {
	g                 *cuda.Graph
	positions, labels cuda.Memory
	first, count      int64
}

// ask sends questions, so many bytes for each rank, answers those of others, and takes the answers. This rank's own
// labels are looked up meanwhile; by now nobody needs the positions.
func (r *resolver) ask(b batch, questions []int64) error {
	if err := b.g.LookUp(b.positions, b.first, b.count, b.labels); err != nil {
		return err
	}
	asked, n, err := r.mail.send(r.mail.out.Memory, questions, 0)
	if err != nil {
		return err
	}
	if err := b.g.Answer(r.mail.in[0].Memory, n); err != nil {
		return err
	}
	_, n, err = r.mail.send(r.mail.in[0].Memory, asked, 1)
	if err != nil {
		return err
	}
	return b.g.TakeAnswers(r.mail.in[1].Memory, n, b.labels, b.first)
}
