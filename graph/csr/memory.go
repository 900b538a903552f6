package csr

import "g500/graph"

// PosBytes is the size of a position, wide or not.
func PosBytes(wide bool) int64 {
	if wide {
		return posBytes[Pos64]()
	}
	return posBytes[Pos32]()
}

// Ghosts is an upper estimate of a rank's ghosts, and, in bytes, of what it takes to find and keep them. Of official
// graphs from scale 32 on, on up to 1,024 hosts, less than half of the edges lead to vertices that are not replicated
// (model.Graph.Covered), and many of those to the same.
func Ghosts(s graph.Share) (number, bytes int64) {
	number = min(s.Ends/2, s.Positions)
	marks := min(s.Positions/8, int64(marksRoom(int(PosBytes(s.Wide)*s.Ends))))
	return number, 4*number + 8*(s.Ends/bucketEnds+int64(s.Ranks)) + marks
}

// Memory is an upper estimate, in bytes, of the peak of Start and Finish, the tuples themselves not counted. See the
// package documentation for its parts.
func Memory(s graph.Share) int64 {
	pos := PosBytes(s.Wide)
	return FillMemory(s, pos) + (2*pos+8)*s.Vertices // first and second neighbours, labels of the first
}

// FillMemory is an upper estimate, in bytes, of the peak of Start and Fill with entries of entryBytes, the tuples
// themselves not counted.
func FillMemory(s graph.Share, entryBytes int64) int64 {
	const perVertex = 8 + 8 + 4 + 8      // row; orders; degree, later length; cursor
	perPiece := 2 * (2*4 + 3*entryBytes) // queries, replies; entries, and two for what comes in
	return entryBytes*s.Ends + perVertex*s.Vertices + perPiece*min(s.Tuples, pieceTuples)
}
