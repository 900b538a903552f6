package graph

import "math"

// Global is a vertex label, the same on every rank. Labels are 0 to N-1; the specification asks for at least
// 48 bits.
type Global int64

// Local is the place of a vertex among those that one rank owns, counted in the order of their labels.
type Local uint32

// NoParent stands in the result of a search for a vertex that was not reached.
const NoParent Global = -1

// MaxScale is the largest SCALE whose labels the packed tuple can carry and the official program reads back:
// it extends the sign of the sixteen high bits, so a label must stay below 2^47.
const MaxScale = 47

// MaxLocals is the number of vertices one rank can own.
const MaxLocals = math.MaxUint32
