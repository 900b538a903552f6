// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/cuda"
)

// Order is the degree order of a run's tuples, which the graphs of two kernels share. The first Build with an Order
// counts the degrees and keeps the order, until the second one, which needs weights, takes it. The zero value is empty.
type Order struct {
	// Spare is the device memory in bytes that the run does not need for anything else. On one rank alone the entries
	// of all rows stay there for the second graph, if they fit.
	Spare int64

	builder *cuda.Builder // of the second graph; nil unless an order is kept
	given   *Tuples       // its tuples

	// Of all ranks, unless one rank is alone:
	vertices int64 // the highest label plus one
	most     int64 // largest number of tuples of a rank
}

// has reports whether the order of these tuples is kept. A nil Order keeps none.
func (o *Order) has(given *Tuples) bool { return o != nil && o.builder != nil && o.given == given }

// keep keeps a copy of the order of a construction, in place of another one. A nil Order keeps none.
func (o *Order) keep(c *construction) (err error) {
	if o == nil {
		return nil
	}
	dropped := cuda.Free(o.builder)
	o.given, o.vertices, o.most = c.given, c.vertices, c.most
	o.builder, err = c.builder.CopyOrder()
	return errors.Join(dropped, err)
}

// fits reports whether the entries of a construction may stay for the second graph.
func (o *Order) fits(c *construction) bool {
	return !c.Weighted && !c.Packed && o.has(c.given) && c.given.Weighted && o.builder.EntryBytes() <= o.Spare
}
