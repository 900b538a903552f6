// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"g500/internal/hugepage"
	"g500/internal/par"
)

// Adjacency has the rows of one rank's vertices in degree order, one after the other. An entry of type E has the id of
// a neighbour, and may have a weight.
type Adjacency[E any] struct {
	Rows []int64 // The row of id h is Cols[Rows[h]:Rows[h+1]]; the last element is the number of entries
	Cols []E
}

// Row returns the row of an owned vertex.
func (a *Adjacency[E]) Row(h ID) []E { return a.Cols[a.Rows[h]:a.Rows[h+1]] }

// Degree returns the number of entries in the row of an owned vertex.
func (a *Adjacency[E]) Degree(h ID) int64 { return a.Rows[h+1] - a.Rows[h] }

// rowGrain is the number of rows that a goroutine edits at a time. It is small because the first rows are by far the
// longest.
const rowGrain = 32

// Edit calls edit for each row, from several goroutines at a time; worker is the number of the goroutine. edit may
// reorder and change the entries, and returns how many of the first ones remain. Edit copies these to new memory.
func (a *Adjacency[E]) Edit(workers int, edit func(worker int, h ID, row []E) int) {
	n := len(a.Rows) - 1
	edited := Adjacency[E]{Rows: hugepage.Make[int64](n + 1)}
	par.For(workers, n, rowGrain, func(worker, lo, hi int) {
		for h := lo; h < hi; h++ {
			edited.Rows[h+1] = int64(edit(worker, ID(h), a.Row(ID(h))))
		}
	})
	par.SumUp(workers, edited.Rows)
	edited.Cols = hugepage.Make[E](int(edited.Rows[n]))
	par.For(workers, n, rowGrain, func(_, lo, hi int) {
		for h := ID(lo); h < ID(hi); h++ {
			copy(edited.Row(h), a.Row(h))
		}
	})
	*a = edited
}
