// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"cmp"
	"context"
	"io"

	"g500/internal/panics"
)

// pumpBytes is the length of one read of a pipe.
const pumpBytes = 1 << 18

// pump is a reader that a goroutine fills, so that the end of a context ends the wait for the next bytes.
type pump struct {
	ctx    context.Context
	pieces chan piece
	rest   []byte
	err    error
}

// piece is the result of one read.
type piece struct {
	bytes      []byte
	err, fault error // fault is of a read that panicked
}

// pumped starts to read from in.
func pumped(ctx context.Context, in io.Reader) *pump {
	p := &pump{ctx: ctx, pieces: make(chan piece)}
	go panics.Catch(func() {
		for err := error(nil); err == nil; {
			bytes, n := make([]byte, pumpBytes), 0
			n, err = in.Read(bytes)
			p.pass(piece{bytes: bytes[:n], err: err})
			err = cmp.Or(err, ctx.Err())
		}
	}, func(fault error) {
		if fault != nil {
			p.pass(piece{fault: fault})
		}
	})
	return p
}

// pass waits until the reader takes a piece, or until the context ends.
func (p *pump) pass(next piece) {
	select {
	case p.pieces <- next:
	case <-p.ctx.Done():
	}
}

func (p *pump) Read(into []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		select {
		case next := <-p.pieces:
			panics.Raise(next.fault)
			p.rest, p.err = next.bytes, next.err
		case <-p.ctx.Done():
			return 0, context.Cause(p.ctx)
		}
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
