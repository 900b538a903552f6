package validate

import "g500/graph"

// Bytes a rank needs, as doc.go lists them.
const (
	pairBytes     = 8
	slotBytes     = 4
	offsetBytes   = 8  // a vertex: where its row begins
	ancestorBytes = 16 // a vertex
	levelBytes    = 1  // a vertex or ghost
	rosterBytes   = 5  // a ghost: its local, and a share of the index, half a byte at most, rounded up
	lentBytes     = 4  // an owned vertex that is a ghost elsewhere
	recordBytes   = 4 * recordWords
)

// Memory is an upper estimate of the bytes that a Validator takes on one rank at its peak, which is while New runs. The
// tuples handed to New are not in it.
func Memory(s graph.Share) int64 {
	pairs, ghosts, underWay := s.Tuples, int64(0), int64(0)
	if s.Ranks > 1 {
		pairs = s.Ends
		ghosts = min(s.Ends, s.Vertices*int64(s.Ranks-1))
		// Both ends' records, as the workers post them, put together, and received; slices grow by a quarter.
		underWay = 4 * 2 * recordBytes * min(s.Tuples, int64(usual.tuples))
	}
	bins := pairs * pairBytes * 9 / 8
	rows := s.Ends*slotBytes + s.Vertices*offsetBytes
	known := ghosts * (rosterBytes + lentBytes)
	setUp := bins + rows + s.Vertices*offsetBytes + known
	checking := rows + known + s.Vertices*(ancestorBytes+levelBytes) + ghosts*levelBytes +
		min(s.Vertices, int64(usual.vertices))*ancestorBytes
	return max(setUp, checking) + underWay
}
