package csr

// Gaps lets tests leave positions free.
var Gaps = &gaps

// OrderOf is the order of a rank of a graph that is not there, with so many positions of core vertices and of leaves.
func OrderOf(o Order, tail int) Order {
	o.tail = tail
	return o
}
