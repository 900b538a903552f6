// Package graph holds the words every other room shares: what a vertex is and what an edge tuple is.
//
// A vertex has one name machine-wide, its label (Global), and one name at home, its place among the vertices
// that its rank owns (Local). The two never mix without a partition.Layout. An edge tuple is stored in the
// twelve bytes of the official generator, so that a graph in memory and a graph in a file are the same bytes.
//
// Kernel 1, which makes a searchable structure of the tuples, is the package graph/csr.
package graph
