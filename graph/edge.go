// SPDX-License-Identifier: Apache-2.0

package graph

import "unsafe"

// Edge is one edge tuple <U, V> in the packed form of the official generator: the low 32 bits of both labels,
// then their high 16 bits. On a little-endian machine a slice of Edge is the official edge file.
type Edge struct {
	lowU, lowV uint32
	high       uint32
}

// EdgeBytes is the size of an Edge in memory and in a packed edge file.
const EdgeBytes = int(unsafe.Sizeof(Edge{}))

// NewEdge packs the tuple <u, v>. Labels must be in [0, 2^48).
func NewEdge(u, v Global) Edge {
	return Edge{uint32(u), uint32(v), uint32(u>>32)&0xFFFF | uint32(v>>32)<<16}
}

// U returns the tuple's first label.
func (e Edge) U() Global { return Global(e.lowU) | Global(e.high&0xFFFF)<<32 }

// V returns the tuple's second label.
func (e Edge) V() Global { return Global(e.lowV) | Global(e.high>>16)<<32 }

// SelfLoop reports whether both ends are the same vertex.
func (e Edge) SelfLoop() bool { return e.U() == e.V() }
