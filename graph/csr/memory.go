// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"g500/graph"
	"g500/internal/hugepage"
	"g500/partition"
)

// PosBytes returns the size of a position, 8 bytes for 64-bit ids.
func PosBytes(ids64 bool) int64 {
	if ids64 {
		return posBytes[Pos64]()
	}
	return posBytes[Pos32]()
}

// Ghosts returns an upper estimate of the number of a rank's ghosts, and of the bytes that they and their search take.
// In official graphs from scale 32 on, on up to 1,024 nodes, less than half of the edges lead to vertices that are not
// replicated, and many of these edges to the same vertices.
func Ghosts(s graph.Share) (number, bytes int64) {
	number = min(s.Ends/2, s.Positions)
	marks := min(s.Positions/8, int64(marksLimit(int(PosBytes(s.IDs64)*s.Ends))))
	return number, 4*number + 8*(s.Ends/bucketEnds+int64(s.Ranks)) + marks
}

// Memory returns upper estimates, in bytes, of the structure of Start and Finish, and of the memory that they free,
// without the tuples. See the package documentation for the parts.
func Memory(s graph.Share) (structure, building int64) {
	pos := PosBytes(s.IDs64)
	structure, building = FillMemory(s, pos)
	if labels := graph.Global(s.Vertices) * graph.Global(s.Ranks); s.IDs64 && !wideLabels(labels) {
		building += pos * max(s.Ends, 2*s.Tuples) // entries do not fit into the memory of labels
	}
	if s.Ranks == 1 {
		building -= hugepage.Bytes(rowBytes * max(s.Ends, 2*s.Tuples)) // ends arrive sorted, in memory without rows
	}
	first, second := hugepage.Bytes(pos*s.Vertices), hugepage.Bytes(pos*s.Vertices) // neighbours
	labels := hugepage.Bytes(firstLabelBytes(s.Vertices*int64(s.Ranks)) * s.Vertices)
	known := int64(0) // labels of other ranks' vertices
	if s.Ranks > 1 {
		known = 4 * min(int64(sharedLabels), knownPerVertex*s.Vertices)
	}
	return structure + first + second + labels + known, building
}

const rowBytes = rowBits / 8 // of an end

// FillMemory is Memory for Number and Fill with entries of entryBytes.
func FillMemory(s graph.Share, entryBytes int64) (structure, building int64) {
	const (
		startBytes = 8 // of a row
		localBytes = 4 // id; local id; during kernel 1 the degree, and the bound of entries by vertex
	)
	labels := graph.Global(s.Vertices) * graph.Global(s.Ranks)
	if wideLabels(labels) {
		entryBytes = 8 // labels are entries, too, and rows use their memory
	}
	ends := max(s.Ends, 2*s.Tuples)
	sorters := (rowBytes + entryBytes) * min(ends, int64(sorterEnds))
	grid := newGrid(partition.NewCyclic(labels, s.Ranks), ends*int64(s.Ranks))
	bins := dealerBytes * int64(grid.dealers(maxDealers)) * int64(grid.blocks())
	entries, locals := hugepage.Bytes(entryBytes*ends), 2*hugepage.Bytes(localBytes*s.Vertices)
	return entries + hugepage.Bytes(startBytes*s.Vertices) + locals,
		entries + 2*hugepage.Bytes(rowBytes*ends) + locals + sorters + bins
}
