// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"context"
	"fmt"
	"sync"

	"g500/graph"
	"g500/internal/par"
)

// Fill sets dst[k] to edge first+k and, unless weights is nil, weights[k] to its weight. Weights are uniform in [0, 1]:
// as in the Graph500 reference code, and against the specification, one in 34 million is exactly 1. Fill uses one core,
// and is safe for concurrent use. It draws width edges at a time, and drops the edges after the end of dst.
func (p Params) Fill(first int64, dst []graph.Edge, weights []float32) {
	g := p.generator()
	stride := &transitions()[64]
	var w lanes
	w.start(g.stream(first), stride)
	for at := 0; at < len(dst); at += width {
		accepted := w.draw(g.scale+1) >= tooLow
		for l := range min(width, len(dst)-at) {
			edge, cost := g.drawn(&w[l])
			if !accepted { // one group of four in 7,000 at scale 20
				edge, cost = g.edge(w[l].stream())
			}
			dst[at+l] = edge
			if weights != nil {
				weights[at+l] = cost
			}
		}
		w.advance(stride)
	}
}

// drawn is edge for a stream with the draws in h, all of which must be accepted.
func (g *generator) drawn(h *history) (graph.Edge, float32) {
	return g.tuple(ends(h[order : order+g.scale])), weight(h[order+g.scale])
}

// chunk is the number of edges between two checks of the context and two reports of progress: a few milliseconds of
// work, and 768 KiB of tuples.
const chunk = 1 << 16

// FillParallel is Fill with several workers. Fewer than one worker count as one.
// progress may be nil; else a worker calls it after each chunk with the number of finished edges of dst, one worker at
// a time and with rising numbers. If ctx ends first, the error wraps its cause, and the contents of dst are undefined.
// A worker's panic becomes the caller's.
func (p Params) FillParallel(
	ctx context.Context, first int64, dst []graph.Edge, weights []float32, workers int, progress func(done int64),
) error {
	var mu sync.Mutex
	done := 0
	par.For(max(workers, 1), len(dst), chunk, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		part := graph.HostTuples{Edges: dst, Weights: weights}.Cut(lo, hi)
		p.Fill(first+int64(lo), part.Edges, part.Weights)
		mu.Lock()
		defer mu.Unlock()
		if done += hi - lo; progress != nil {
			progress(int64(done))
		}
	})
	if done < len(dst) {
		return fmt.Errorf("kronecker: generation stopped after %d of %d edges: %w", done, len(dst), context.Cause(ctx))
	}
	return nil
}

// width is the number of streams that are drawn simultaneously. A draw waits about nine cycles for the previous one of
// its stream. Four streams keep a core busy, and their newest draws fit into registers.
const width = 4

// maxDraws is the number of draws of an edge at the largest scale: one per level and one for the weight.
const maxDraws = graph.MaxScale + 1

// history is the start of one stream, oldest word first: the initial state, then the draws.
type history [order + maxDraws]uint64

// lanes has the histories of width consecutive edges.
type lanes [width]history

// start sets lane 0 to the stream of the first edge and the other lanes to the streams of the next edges.
func (w *lanes) start(first rng, stride *matrix) {
	for i, z := range first {
		w[0][order-1-i] = z
	}
	w.fillFrom0(stride)
}

// advance sets the lanes to the streams of the next width edges. stride is the step from one edge to the next.
func (w *lanes) advance(stride *matrix) {
	w.follow(0, width-1, stride)
	w.fillFrom0(stride)
}

func (w *lanes) fillFrom0(stride *matrix) {
	for l := 1; l < width; l++ {
		w.follow(l, l-1, stride)
	}
}

// follow starts lane l one edge after the start of lane prev. It is matrix.apply without a copy of the state, because
// wide loads after 64-bit stores would stall.
func (w *lanes) follow(l, prev int, stride *matrix) {
	from, to := &w[prev], &w[l]
	z1, z2, z3, z4, z5 := from[4], from[3], from[2], from[1], from[0]
	to[4] = dot(&stride[0], z1, z2, z3, z4, z5)
	to[3] = dot(&stride[1], z1, z2, z3, z4, z5)
	to[2] = dot(&stride[2], z1, z2, z3, z4, z5)
	to[1] = dot(&stride[3], z1, z2, z3, z4, z5)
	to[0] = dot(&stride[4], z1, z2, z3, z4, z5)
}

// stream returns the initial state.
func (h *history) stream() rng { return rng{h[4], h[3], h[2], h[1], h[0]} }

// draw draws n words in every lane, n <= maxDraws, and returns the lowest of all.
func (w *lanes) draw(n int) (lowest uint64) {
	a, b, c, d := &w[0], &w[1], &w[2], &w[3]
	za, zb, zc, zd := a[order-1], b[order-1], c[order-1], d[order-1]
	lowest = modulus
	for i := range min(n, maxDraws) { // min removes the bounds checks
		za = canonical(recent*za + old*a[i])
		zb = canonical(recent*zb + old*b[i])
		zc = canonical(recent*zc + old*c[i])
		zd = canonical(recent*zd + old*d[i])
		a[i+order], b[i+order], c[i+order], d[i+order] = za, zb, zc, zd
		lowest = min(lowest, za, zb, zc, zd)
	}
	return lowest
}
