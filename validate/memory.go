package validate

import "g500/graph"

// Bytes that a rank needs, as doc.go lists them.
const (
	pairBytes     = 8
	slotBytes     = 4
	offsetBytes   = 8  // per vertex: the begin of its row
	ancestorBytes = 16 // per vertex
	levelBytes    = 1  // per vertex or ghost
	ghostBytes    = 5  // per ghost: its local id, and at most half a byte of the index, rounded up
	exportedBytes = 4  // per owned vertex that is a ghost elsewhere
	recordBytes   = 4 * recordWords
)

// Memory returns an upper estimate of the bytes that a Validator takes on one rank at its peak, which is during New,
// without the tuples.
func Memory(s graph.Share) int64 {
	pairs, ghosts, messages := s.Tuples, int64(0), int64(0)
	if s.Ranks > 1 {
		pairs = s.Ends
		ghosts = min(s.Ends, s.Vertices*int64(s.Ranks-1))
		// Records of both ends, per worker, concatenated, and received; slices grow by 25%.
		messages = 4 * 2 * recordBytes * min(s.Tuples, int64(usual.tuples))
	}
	bins := pairs * pairBytes * 9 / 8
	rows := s.Ends*slotBytes + s.Vertices*offsetBytes
	lists := ghosts * (ghostBytes + exportedBytes)
	setUp := bins + rows + s.Vertices*offsetBytes + lists
	checking := rows + lists + s.Vertices*(ancestorBytes+levelBytes) + ghosts*levelBytes +
		min(s.Vertices, int64(usual.vertices))*ancestorBytes
	return max(setUp, checking) + messages
}
