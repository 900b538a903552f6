// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"fmt"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/validate"
)

// owners is the part of a validator that validates trees by messages to the owners of vertices. Its messages are in
// rounds of at most that many tuples or vertices of each rank.
type owners struct {
	on       *cuda.OwnerValidator
	exchange *kernel1.Exchange
	round    int64
}

// prepareOwners allocates the memory. It is collective, and returns an error on all ranks if one fails.
func (v *Validator) prepareOwners() (err error) {
	p, o := &v.parts, &owners{}
	err = v.checkHighest()
	p.Levels = v.buffer("levels", p.Slice*levelBytes, &err)
	p.Joined = v.buffer("tree edges", p.Slice/8, &err)
	if err == nil {
		if o.on, err = v.t.Device().NewOwnerValidator(*p); err == nil {
			v.closers = append(v.closers, o.on.Free)
		}
	}
	if err := comm.Agree(v.t.Host(), err); err != nil {
		return err
	}
	o.round, err = comm.Reduce(v.t.Host(), min(kernel1.RoundTuples, v.tuples.PieceLimit()), comm.Min)
	if err != nil {
		return err
	}
	if o.exchange, err = kernel1.NewExchange(v.t, roundBytes(o.round, p.Ranks)); err != nil {
		return err
	}
	v.closers = append(v.closers, o.exchange.Close)
	v.owners = o
	return nil
}

// checkHighest checks that the labels of all tuples are vertices.
func (v *Validator) checkHighest() error {
	return v.tuples.Each(kernel1.Format{}, func(tuples, _ cuda.Memory) error {
		n, err := v.t.Device().Vertices(tuples)
		if err == nil && n > v.parts.Vertices {
			err = fmt.Errorf("gpu: label %d of an edge tuple is outside the graph; labels are 0 to %d",
				n-1, v.parts.Vertices-1)
		}
		return err
	})
}

// validateByOwners checks the rules of a tree.
func (r *run) validateByOwners(root graph.Global) (validate.Verdict, error) {
	on := r.owners.on
	return r.verdict(
		func() error { return r.note(on.Enter(int64(root), r.result.Parents, r.result.Bits)) },
		r.climb,
		r.sendTuples,
		func() error { return r.note(on.CheckJoined()) },
	)
}

// climb finds the levels: vertices query the levels of their parents until all have got one, or none gets one.
func (r *run) climb() error {
	r.depth = 1
	for waiting := int64(r.all.Reached) - 1; waiting > 0; {
		if err := r.queryParents(r.owners.on.TakeLevels); err != nil {
			return err
		}
		settled, err := comm.Reduce(r.t.Host(), int64(r.found.Sizes[0]), comm.Sum)
		if err != nil {
			return err
		}
		if left := int64(r.all.Reached) - 1 - settled; left < waiting {
			waiting = left
			continue
		}
		return r.queryParents(r.owners.on.TakeStuck)
	}
	deepest, err := comm.Reduce(r.t.Host(), int64(r.found.Sizes[1]), comm.Max)
	r.depth += int(deepest)
	return err
}

// queryParents queries the levels of the parents of all vertices without a level, and takes the replies.
func (r *run) queryParents(take func(replies cuda.Memory) (cuda.Findings, error)) error {
	o, round := r.owners, r.owners.round
	x := o.exchange
	return x.Rounds(0, r.owned, &round, func(first, count int64) ([]int64, error) {
		return o.on.BinParents(x.Bins, first, count, x.Send.Memory)
	}, func(received []int64, bytes int64) error {
		queries := x.Receive[0].Part(0, bytes)
		if err := o.on.ReplyLevels(queries); err != nil {
			return err
		}
		_, bytes, err := x.Run(queries, received, 1)
		if err != nil {
			return err
		}
		return r.note(take(x.Receive[1].Part(0, bytes)))
	})
}

// sendTuples sends the tuples to the owners of their second ends, which forward them to the owners of the first ends.
func (r *run) sendTuples() error {
	o, round := r.owners, r.owners.round
	x := o.exchange
	return x.Rounds(0, r.tuples.Len(), &round, func(first, count int64) ([]int64, error) {
		tuples, err := r.tuples.Piece(first, count)
		if err != nil {
			return nil, err
		}
		return o.on.BinTuples(x.Bins, tuples, x.Send.Memory)
	}, func(_ []int64, bytes int64) error { return r.forwardTuples(x.Receive[0].Part(0, bytes)) })
}

// forwardTuples sends received tuples on. Several ranks may receive more than others.
func (r *run) forwardTuples(received cuda.Memory) error {
	o, round := r.owners, r.owners.round
	x, each := o.exchange, cuda.TupleMessages.Bytes()
	err := o.on.ForwardTuples(received)
	if err := comm.Agree(r.t.Host(), err); err != nil {
		return err
	}
	return x.Rounds(1, received.Bytes()/each, &round, func(first, count int64) ([]int64, error) {
		return o.on.BinForwarded(x.Bins, received.Part(first*each, count*each), x.Send.Memory)
	}, func(_ []int64, bytes int64) error { return r.note(o.on.CheckTuples(x.Receive[1].Part(0, bytes))) })
}
