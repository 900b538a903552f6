package csr

// Memory is an upper estimate, in bytes per rank, of what Build needs at its highest, the tuples themselves not
// counted. See the package documentation for its parts.
func Memory(tuplesPerRank, verticesPerRank int64) int64 {
	const (
		perTuple  = 2 * 4                  // both ends' entries
		perVertex = 8 + 8 + 4 + 12 + 4 + 8 // row; first neighbour and its label; second; result; degree; cursor
		perPiece  = 5 * 2 * 4              // questions, answers, keys, and two for what comes in
	)
	return perTuple*tuplesPerRank + perVertex*verticesPerRank + perPiece*min(tuplesPerRank, pieceTuples)
}
