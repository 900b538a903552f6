package validate

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

// Memory is an upper estimate of the bytes that a Judge takes on one of ranks ranks at its peak, which is while
// New runs. The tuples handed to New are not in it. On several ranks an eighth is added to the tuples, because
// the rank of the greatest hub gets more than its share of their ends.
func Memory(tuplesPerRank, verticesPerRank int64, ranks int) int64 {
	ends, pairs, ghosts, underWay := 2*tuplesPerRank, tuplesPerRank, int64(0), int64(0)
	if ranks > 1 {
		ends += ends / 8
		pairs = ends
		ghosts = min(ends, verticesPerRank*int64(ranks-1))
		// Both ends' records, as the workers post them, put together, and received; slices grow by a quarter.
		underWay = 4 * 2 * recordBytes * min(tuplesPerRank, int64(usual.tuples))
	}
	bins := pairs * pairBytes * 9 / 8
	rows := ends*slotBytes + verticesPerRank*offsetBytes
	known := ghosts * (rosterBytes + lentBytes)
	setUp := bins + rows + verticesPerRank*offsetBytes + known
	judging := rows + known + verticesPerRank*(ancestorBytes+levelBytes) + ghosts*levelBytes +
		min(verticesPerRank, int64(usual.vertices))*ancestorBytes
	return max(setUp, judging) + underWay
}
