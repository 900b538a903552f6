// SPDX-License-Identifier: Apache-2.0

// Package csr is kernel 1: it makes a searchable structure from edge tuples that are distributed over the ranks
// (specification, section "Kernel 1 - Graph Construction").
//
// The structure has compressed sparse rows in degree order. On each rank
//
//   - isolated vertices, more than half of the labels at scale 26, have no row;
//   - the other vertices are numbered by falling degree, and by label for equal degrees: the id (degree rank);
//   - the last ids, with one tuple end, are leaves: searches set their parents at the end. The other vertices are the
//     non-leaf subgraph (in identifiers: inner). The first id of leaves is the same on all ranks, the highest number
//     of vertices with two tuple ends or more of a rank, so a rank may have leaves in the non-leaf subgraph;
//   - a vertex has a position, a packed global id, which is the same on all ranks: the owner's rank times a stride
//     plus the id. Positions have 32 bits or, if there are too many, 64: structure and searches are generic;
//   - rows contain indices, which are bits in the bitmaps of the rank: positions or, so that bitmaps do not grow with
//     the ranks, numbers of the rank's own vertices, the replicated vertices, and its ghosts;
//   - each row is sorted by id, then rank, so the first neighbour has about the highest degree. Arrays have the first
//     and second neighbours of all vertices. The row of a non-leaf vertex contains no leaf, and may be empty; the row
//     of a leaf contains its neighbour.
//
// Shortest paths have the same degree order and numbering, but no separate leaves (Builder.JoinLeaves), and entries of
// their own type: neighbours with weights (Fill).
//
// A directed graph has two sets of rows, of sources and of targets, made by the same code with the ends of each arc
// exchanged (tuples.go). Both have one numbering, by the number of arcs that leave or enter a vertex, without leaves.
//
// As in the Graph500 reference code, degrees count duplicate tuples and no self-loops. Rows have neither: searches do
// not need them, and the validator counts them in the tuples.
//
// Kernel 1 moves the ends of tuples four times. First it deals them to the owners of their vertices, by blocks of
// vertices whose ends fit into the L2 cache; so a worker counts the degrees of a block alone, and orders its ends by
// vertex. Then it replaces the vertex of each end by its number, and deals it to the other end: the entry of a row. It
// does so in the order of the numbers, so that on one rank entries arrive sorted, and only their rows are to be
// gathered. On several ranks, and with weights, a radix sort of each block orders entries first. Then the rows are
// copied to their places. On one rank no step exchanges messages; on several ranks messages arrive in the memory where
// the next step reads them.
//
// Memory in bytes per rank, for E directed edges (two per tuple except self-loops), V owned non-isolated vertices, L
// owned labels, and positions of p bytes, 4 or 8. Structure: p E rows, 8 V row offsets, 2 p V first and second
// neighbours, 4 L labels of the first ones (8 L beyond 31 bits), 4 V and 4 L conversions between ids and local ids, 4
// per ghost, and on several ranks at most 4 MiB of known labels. During kernel 1 also: 8 L degrees and ends of rows,
// and 2 E + p E for ends, on several ranks or with weights 4 E + p E, as the rows use the memory of earlier ends; with
// labels beyond 32 bits 8 in place of p; with other labels and 8-byte positions 8 E more. Workers together sort up to
// 2^25 ends in memory of their own, 2 + p bytes each; a block with more ends than a worker's share is sorted last, in
// memory that the other blocks have left. The peak is below 3.3 times the structure.
// The two sets of rows of a directed graph together have E entries if E counts both ends of each arc; a directed graph
// takes 8 V more for offsets, and 8 L more for degrees during kernel 1.
// A worker that deals ends has 336 bytes for each block of all ranks, which is one per 2^16 labels from 2^29 labels on.
// Fewer workers deal if these bytes exceed 2 E.
package csr
