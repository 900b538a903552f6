// SPDX-License-Identifier: Apache-2.0

package kronecker

import "g500/graph"

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
