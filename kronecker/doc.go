// Package kronecker is the official graph generator of Graph500, version 3, to the bit (specification, section
// "Generating the Edge List").
//
// Edge i is a function of the parameters and i alone, so any split of the edge list over ranks and threads gives
// the same graph. Labels are scrambled; self-loops and duplicate edges are part of the list.
//
// Every edge has a stream of the random number generator to itself (rng.go, matrix.go). The way of one edge is in
// edge.go, level by level; Fill takes four at a time by the shorter way of lanes.go and ends.go, which are held to
// the same bits.
package kronecker
