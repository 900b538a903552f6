//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// lookupCapacity is the number of questions of a rank that are under way at a time: 128 MB of messages.
const lookupCapacity = 1 << 24

// LookUpLabels sets labels[i] to the label of the vertex at positions[i], for n positions of any ranks' vertices;
// NoVertex stays what it is. The labels may take the places of the positions' words. It is collective, and n may differ
// from rank to rank.
func LookUpLabels(
	t device.Transport, g *cuda.Graph, positions cuda.Positions, n int64, labels cuda.Memory,
) (err error) {
	most := []int64{n}
	if err := t.Host().AllReduce(most, comm.Max); err != nil {
		return err
	}
	l, err := NewLabelLookup(t, min(lookupCapacity, most[0]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.LookUp(g, positions, n, labels)
}

// LabelLookup asks the owners of positions for labels, with buffers that it keeps.
type LabelLookup struct {
	t        device.Transport
	exchange *Exchange // nil where there is nobody to ask
}

// NewLabelLookup is collective. The capacity is the number of questions that a rank can ask at a time, the same on all.
func NewLabelLookup(t device.Transport, capacity int64) (*LabelLookup, error) {
	ranks := t.Host().Size()
	if ranks == 1 {
		return &LabelLookup{t: t}, nil
	}
	x, err := NewExchange(t, cuda.MessageBytes*max(capacity, int64(ranks)), 2) // a question of each rank always fits
	if err != nil {
		return nil, err
	}
	return &LabelLookup{t, x}, nil
}

// Close frees the buffers. A nil lookup has none.
func (l *LabelLookup) Close() error {
	if l == nil {
		return nil
	}
	return l.exchange.Close()
}

// LookUp does what lookUpLabels does. Where many ask one rank, rounds become smaller until their questions fit.
func (l *LabelLookup) LookUp(g *cuda.Graph, positions cuda.Positions, n int64, labels cuda.Memory) error {
	if l.exchange == nil {
		return g.LookUp(positions, 0, n, labels)
	}
	most := []int64{n}
	if err := l.t.Host().AllReduce(most, comm.Max); err != nil {
		return err
	}
	round := l.exchange.capacity / cuda.MessageBytes
	for first := int64(0); first < most[0]; {
		mine := min(first, n)
		b := batch{g, positions, labels, mine, min(round, n-mine)}
		questions, err := l.exchange.Bins.Questions(g, positions, b.first, b.count, l.exchange.Send.Memory)
		if err != nil {
			return err
		}
		fits, err := l.exchange.fits(questions)
		if err != nil {
			return err
		}
		if !fits {
			round = (round + 1) / 2
			continue
		}
		if err := l.ask(b, questions); err != nil {
			return err
		}
		first += round
	}
	return nil
}

// batch is what is looked up in one round.
type batch struct {
	g            *cuda.Graph
	positions    cuda.Positions
	labels       cuda.Memory
	first, count int64
}

// ask sends questions, so many bytes for each rank, answers those of others, and takes the answers. This rank's own
// labels are looked up meanwhile; by now nobody needs the positions.
func (l *LabelLookup) ask(b batch, questions []int64) error {
	if err := b.g.LookUp(b.positions, b.first, b.count, b.labels); err != nil {
		return err
	}
	x := l.exchange
	asked, bytes, err := x.Run(x.Send.Memory, questions, 0)
	if err != nil {
		return err
	}
	if err := b.g.Answer(x.Receive[0].Memory, bytes/cuda.MessageBytes); err != nil {
		return err
	}
	_, bytes, err = x.Run(x.Receive[0].Memory, asked, 1)
	if err != nil {
		return err
	}
	return b.g.TakeAnswers(x.Receive[1].Memory, bytes/cuda.MessageBytes, b.labels, b.first)
}
