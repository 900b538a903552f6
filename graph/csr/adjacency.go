package csr

import "g500/internal/par"

// Adjacency has the rows of one rank's vertices in degree order, one after the other. An entry of type E has the id of
// a neighbour, and may have a weight.
type Adjacency[E any] struct {
	Rows []int64 // The row of id h is Cols[Rows[h]:Rows[h+1]]; the last element is the number of entries
	Cols []E

	lengths []uint32 // memory for the first Edit, or nil
}

// Row returns the row of an owned vertex.
func (a *Adjacency[E]) Row(h ID) []E { return a.Cols[a.Rows[h]:a.Rows[h+1]] }

// Degree returns the number of entries in the row of an owned vertex.
func (a *Adjacency[E]) Degree(h ID) int64 { return a.Rows[h+1] - a.Rows[h] }

// rowGrain is the number of rows that a goroutine edits at a time. It is small because the first rows are by far the
// longest.
const rowGrain = 32

// Edit calls edit for each row, from several goroutines at a time; worker is the number of the goroutine. edit may
// reorder and change the entries, and returns how many of the first ones remain. Edit then closes the gaps between
// rows.
func (a *Adjacency[E]) Edit(workers int, edit func(worker int, h ID, row []E) int) {
	lengths := a.lengths
	if a.lengths = nil; lengths == nil {
		lengths = make([]uint32, len(a.Rows)-1)
	}
	lengths = lengths[:len(a.Rows)-1]
	par.For(workers, len(lengths), rowGrain, func(worker, lo, hi int) {
		for h := lo; h < hi; h++ {
			lengths[h] = uint32(edit(worker, ID(h), a.Row(ID(h))))
		}
	})
	at := int64(0)
	for h, n := range lengths {
		copy(a.Cols[at:at+int64(n)], a.Cols[a.Rows[h]:])
		a.Rows[h] = at
		at += int64(n)
	}
	a.Rows[len(lengths)] = at
	a.Cols = a.Cols[:at]
}
