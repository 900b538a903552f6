// SPDX-License-Identifier: Apache-2.0

package graph

import "math"

// Global is a vertex label, the same on every rank, from 0 to N-1. The specification requires at least 48 bits.
type Global int64

// Local is the local id of a vertex: its index among the vertices of its owner, in the order of their labels.
type Local uint32

// NoParent is the parent of an unreached vertex in the result of a search.
const NoParent Global = -1

// MaxScale is the largest SCALE whose labels packed tuples can store: the Graph500 reference code extends the sign of
// the high 16 bits when it reads them, so labels must be below 2^47.
const MaxScale = 47

// MaxLocals is the largest number of vertices of one rank.
const MaxLocals = math.MaxUint32
