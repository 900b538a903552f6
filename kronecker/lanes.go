package kronecker

import "g500/graph"

// width is the number of streams drawn side by side. A draw waits for the one before it in its stream, about
// nine cycles; four streams keep a core busy meanwhile, and their newest draws still fit in registers.
const width = 4

// maxDraws is the number of draws for the largest edge: one for each level and one for the weight.
const maxDraws = graph.MaxScale + 1

// history is the beginning of one stream, oldest word first: the state at its start, then its draws.
type history [order + maxDraws]uint64

// lanes are the histories of width consecutive edges.
type lanes [width]history

// start puts the stream of the first edge in lane 0 and those of the edges after it in the others.
func (w *lanes) start(first rng, stride *matrix) {
	for i, z := range first {
		w[0][order-1-i] = z
	}
	w.fillFrom0(stride)
}

// advance puts the streams of the next width edges in the lanes. stride is the step from one edge to the next.
func (w *lanes) advance(stride *matrix) {
	w.follow(0, width-1, stride)
	w.fillFrom0(stride)
}

func (w *lanes) fillFrom0(stride *matrix) {
	for l := 1; l < width; l++ {
		w.follow(l, l-1, stride)
	}
}

// follow starts lane l one edge after the start of lane prev. It is matrix.apply without a copy of the state:
// 64-bit stores that are read back as wider words would stall.
func (w *lanes) follow(l, prev int, stride *matrix) {
	from, to := &w[prev], &w[l]
	z1, z2, z3, z4, z5 := from[4], from[3], from[2], from[1], from[0]
	to[4] = dot(&stride[0], z1, z2, z3, z4, z5)
	to[3] = dot(&stride[1], z1, z2, z3, z4, z5)
	to[2] = dot(&stride[2], z1, z2, z3, z4, z5)
	to[1] = dot(&stride[3], z1, z2, z3, z4, z5)
	to[0] = dot(&stride[4], z1, z2, z3, z4, z5)
}

// stream is the state at the stream's start.
func (h *history) stream() rng { return rng{h[4], h[3], h[2], h[1], h[0]} }

// draw makes n draws in every lane, n <= maxDraws, and returns the lowest of all.
func (w *lanes) draw(n int) (lowest uint64) {
	a, b, c, d := &w[0], &w[1], &w[2], &w[3]
	za, zb, zc, zd := a[order-1], b[order-1], c[order-1], d[order-1]
	lowest = modulus
	for i := range min(n, maxDraws) { // the bound spares the bounds checks
		za = canonical(recent*za + old*a[i])
		zb = canonical(recent*zb + old*b[i])
		zc = canonical(recent*zc + old*c[i])
		zd = canonical(recent*zd + old*d[i])
		a[i+order], b[i+order], c[i+order], d[i+order] = za, zb, zc, zd
		lowest = min(lowest, za, zb, zc, zd)
	}
	return lowest
}
