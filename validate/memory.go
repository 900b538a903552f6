// SPDX-License-Identifier: Apache-2.0

package validate

import "g500/graph"

// Bytes that a rank needs, as doc.go lists them.
const (
	pairBytes     = 8
	slotBytes     = 4
	offsetBytes   = 8  // per vertex and kind of row: the begin of its row
	orderBytes    = 8  // per vertex: its place, and its local id at the place
	countBytes    = 4  // per vertex: the number of its tuples
	parentBytes   = 4  // per vertex: its parent's slot
	ancestorBytes = 16 // per vertex
	levelBytes    = 2  // per vertex or ghost
	ghostBytes    = 5  // per ghost: its local id, and at most half a byte of the index, rounded up
	exportedBytes = 4  // per owned vertex that is a ghost elsewhere
	recordBytes   = 4 * recordWords
)

// Memory returns an upper estimate of the bytes that a Validator takes on one rank at its peak, which is during New,
// without the tuples.
func Memory(s graph.Share) int64 {
	pairs, kinds, ghosts, messages := s.Tuples, int64(2), int64(0), int64(0)
	if s.Ranks > 1 {
		pairs, kinds = s.Ends, 3
		ghosts = min(s.Ends, s.Vertices*int64(s.Ranks-1))
		// Records of both ends, per worker, concatenated, and received; slices grow by 25%.
		messages = 4 * 2 * recordBytes * min(s.Tuples, int64(usual.tuples))
	}
	bins := pairs * pairBytes * 9 / 8
	lists := pairs*slotBytes + s.Vertices*(kinds*offsetBytes+orderBytes) + ghosts*(ghostBytes+exportedBytes)
	setUp := bins + lists + s.Vertices*(kinds*offsetBytes+countBytes)
	checking := lists + s.Vertices*(parentBytes+levelBytes+ancestorBytes) + ghosts*levelBytes +
		min(s.Vertices, int64(usual.vertices))*ancestorBytes
	return max(setUp, checking) + messages
}
