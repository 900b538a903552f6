package sssp

// Memory is an upper estimate of the bytes that the fast engine takes on one of ranks ranks, in kernel 1 and in
// searches. On several ranks an eighth is added, because the rank of the greatest hub gets more than its share of the
// edges.
func Memory(tuplesPerRank, verticesPerRank int64, ranks int, prune Pruning) int64 {
	const (
		edgeBytes     = 8
		underWay      = 2 * pieceTuples * (4 + 4 + 4*recordWords) * 2 // questions, answers, records, both ways
		vertexBytes   = 8 + 4 + 4 + 4 + 8 + 4 + 4 + 5 + 12            // rows, orders, degrees, distances, search, result
		positionBytes = 4 + 4 + 4                                     // labels and distances of all ranks
		pruneBytes    = 4 + 4 + 4                                     // distances, parents and depths of all ranks
	)
	positions := verticesPerRank * int64(ranks)
	all := positions * positionBytes
	if prune == PruneHub {
		all += positions * pruneBytes
	}
	edges := 2 * tuplesPerRank
	if ranks > 1 {
		edges += edges / 8
	}
	return edges*edgeBytes + verticesPerRank*(vertexBytes+8) + all + underWay
}
