package csr

// Gaps lets tests leave positions free.
var Gaps = &gaps

// MarksRoom lets tests have small graphs go through their columns several times.
var MarksRoom = &marksRoom

// DegreeOrder lets tests number vertices of degrees that no graph of theirs has.
var DegreeOrder = degreeOrder

// CountEnds has a Builder have counted so many more ends of tuples.
func (b *Builder) CountEnds(n int64) { b.ends += n }

// OrderOf is the order of a rank of a graph that is not there, with so many positions of leaves, where all
// vertices are replicated.
func OrderOf(o Order, tail int) Order {
	o.tail, o.Replicated = tail, o.Stride
	return o
}
