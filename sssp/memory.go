// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/graph"
	"g500/graph/csr"
)

// Memory returns upper estimates of the bytes that the fast engine takes on one rank, and of those that kernel 1 takes
// and frees in addition.
func Memory(s graph.Share, prune Pruning) (engine, building int64) {
	const (
		edgeBytes     = 8
		vertexBytes   = 2*8 + 4 + 3*4 + 12 // distances, search, result
		positionBytes = 4 + 4 + 4          // labels and distances of all ranks
		pruneBytes    = 4 + 4 + 4          // distances, parents and depths of all ranks
	)
	positions := s.Vertices * int64(s.Ranks)
	all := positions * positionBytes
	if prune == PruneHub {
		all += positions * pruneBytes
	}
	structure, building := csr.FillMemory(s, edgeBytes)
	building += bitmapBytes(positions, max(s.Ends, 2*s.Tuples))
	return structure + s.Vertices*vertexBytes + all, building
}
