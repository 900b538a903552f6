// SPDX-License-Identifier: Apache-2.0

// Package kronecker generates the official graph of Graph500, version 3, bit by bit (specification, section "Generating
// the Edge List").
//
// Edge i is a function of the parameters and i, so the graph does not depend on the distribution of the edge list over
// ranks and threads. Labels are scrambled; self-loops and duplicate edges are part of the list.
//
// Every edge has its own stream of the random number generator (rng.go). The method edge is the reference: it draws one
// edge, level by level. Fill draws four edges at a time with faster code (lanes, and the function ends).
package kronecker
