// Package kronecker is the official graph generator of Graph500, version 3, to the bit (specification, section
// "Generating the Edge List").
//
// Edge i is a function of the parameters and i alone, so any split of the edge list over ranks and threads gives
// the same graph. Labels are scrambled; self-loops and duplicate edges are part of the list.
package kronecker
