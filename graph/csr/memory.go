package csr

import "g500/graph"

// PosBytes is the size of a position, wide or not.
func PosBytes(wide bool) int64 {
	if wide {
		return posBytes[Pos64]()
	}
	return posBytes[Pos32]()
}

// Memory is an upper estimate, in bytes, of what Start and Finish need at their highest, the tuples themselves not
// counted. See the package documentation for its parts.
func Memory(s graph.Share) int64 {
	pos := PosBytes(s.Wide)
	perVertex := 8 + 2*pos + 8 + 8 + 4 + 8 // row; first, second neighbour; label of the first; orders; degree; cursor
	perPiece := 2 * (2*4 + 3*pos)          // questions, answers; keys, and two for what comes in
	return pos*s.Ends + perVertex*s.Vertices + perPiece*min(s.Tuples, pieceTuples)
}
