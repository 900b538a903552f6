// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"context"
	"fmt"
	"sync"

	"g500/graph"
	"g500/internal/par"
)

// Fill sets dst[k] to edge first+k. It uses one core, and is safe for concurrent use.
func (p Params) Fill(first int64, dst []graph.Edge) { p.fill(first, dst, nil) }

// FillWeighted is Fill with the weights of the edges, uniform in [0, 1]: as in the Graph500 reference code, and against
// the specification, one in 34 million is exactly 1. weights has at least the length of dst.
func (p Params) FillWeighted(first int64, dst []graph.Edge, weights []float32) {
	p.fill(first, dst, weights[:len(dst)])
}

// fill draws width edges at a time, and drops the edges after the end of dst.
func (p Params) fill(first int64, dst []graph.Edge, weights []float32) {
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
	src, tgt := ends(h[order : order+g.scale])
	return g.tuple(src, tgt), weight(h[order+g.scale])
}

// chunk is the number of edges between two checks of the context and two reports of progress: a few milliseconds of
// work, and 768 KiB of tuples.
const chunk = 1 << 16

// FillParallel is Fill with several workers, or FillWeighted unless weights is nil. Fewer than one worker count as one.
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
		if weights == nil {
			p.Fill(first+int64(lo), dst[lo:hi])
		} else {
			p.FillWeighted(first+int64(lo), dst[lo:hi], weights[lo:hi])
		}
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
