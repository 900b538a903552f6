// Package csr is kernel 1: from edge tuples that lie spread over the ranks to a structure that can be searched
// (specification, section "Kernel 1 - Graph Construction").
//
// The structure is a compressed sparse row form in hub order. On each rank
//
//   - vertices without an edge to another vertex get no row: over half of the labels at scale 26;
//   - the others are numbered by falling degree, and by label where degrees are equal: the hub id;
//   - the last of them, with one tuple end, are leaves: they lead nowhere, and searches settle them at the end. The
//     others are the core. Hub ids are cut at the same number on all ranks, the highest number of vertices with two
//     tuple ends or more that a rank owns, so that a rank may keep leaves in the core;
//   - a vertex is known on every rank by its position. That of a core vertex is its owner's rank times a stride, plus
//     its hub id: its bit in a bitmap over the core, in which each rank's part is one run of words;
//   - each row is sorted by hub id, then rank, so that a vertex's first neighbour is about the one of highest
//     degree, and the first and second neighbours of all vertices stand in columns of their own. The row of a core
//     vertex holds no leaf, so it may be empty; the row of a leaf holds its one neighbour.
//
// Degrees count duplicate tuples and leave self-loops out, as the official program's do. Rows hold neither:
// searches do not need them, and the validator counts them on the tuples.
//
// Memory, in bytes per rank, for E directed edges (two per tuple that is no self-loop), V owned vertices with an
// edge and L owned labels. The finished structure: 4 E for the columns, 8 V row offsets, 8 V for the first
// neighbours and labels, 4 V for the second neighbours, 12 L to bring results to label order. While it is built: 4 L
// degrees and 8 V cursors, and bounded buffers of 40 bytes a tuple for one piece of tuples. The peak stays below 2.2
// times the structure.
package csr
