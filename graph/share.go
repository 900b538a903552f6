package graph

// Share is what one rank has of a graph, at most: what memory is planned by.
type Share struct {
	Ranks     int   // of the job
	Vertices  int64 // labels that the rank owns
	Tuples    int64 // of the edge list
	Ends      int64 // of all ranks' tuples, at vertices that the rank owns
	Positions int64 // of all ranks' vertices with an edge
	Wide      bool  // positions are too many for words of 32 bits
}
