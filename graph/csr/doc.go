// Package csr is kernel 1: from edge tuples that lie spread over the ranks to a structure that can be searched
// (specification, section "Kernel 1 - Graph Construction").
//
// The structure is a compressed sparse row form in degree order. On each rank
//
//   - vertices without an edge to another vertex get no row: over half of the labels at scale 26;
//   - the others are numbered by falling degree, and by label where degrees are equal: the id;
//   - the last of them, with one tuple end, are leaves: they lead nowhere, and searches settle them at the end. The
//     others are the core. IDs are cut at the same number on all ranks, the highest number of vertices with two
//     tuple ends or more that a rank owns, so that a rank may keep leaves in the core;
//   - a vertex is known on every rank by its position. That of a core vertex is its owner's rank times a stride, plus
//     its id. It is a word of 32 bits or, where the vertices of all ranks are too many, of 64: structure and
//     searches are generic over it;
//   - rows name a vertex by its index on their rank, which is its bit in bitmaps: its position, or, so that bitmaps do
//     not grow with the ranks, a number among the rank's own vertices, the replicated vertices, and its ghosts;
//   - each row is sorted by id, then rank, so that a vertex's first neighbour is about the one of highest
//     degree, and the first and second neighbours of all vertices stand in columns of their own. The row of a core
//     vertex holds no leaf, so it may be empty; the row of a leaf holds its one neighbour.
//
// Shortest paths have the same degree order and numbering, but leaves belong to the core (Builder.JoinLeaves), and rows
// hold whatever Fill puts into them: neighbours with weights.
//
// Degrees count duplicate tuples and leave self-loops out, as the official program's do. Rows hold neither:
// searches do not need them, and the validator counts them on the tuples.
//
// Memory, in bytes per rank, for E directed edges (two per tuple that is no self-loop), V owned vertices with an
// edge, L owned labels, and positions of p bytes, 4 or 8. The finished structure: p E for the columns, 8 V row offsets,
// 2 p V for the first and second neighbours, 8 L for the labels of the first, 4 V and 4 L to bring results to label
// order, and 4 for each ghost. While it is built: 4 L degrees and 8 V cursors, and bounded buffers of 16 + 6 p bytes a
// tuple for one piece of tuples. The peak stays below 2.2 times the structure.
package csr
