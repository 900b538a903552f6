package kernel1

// MaxNarrow bounds the labels of all ranks in a narrow graph: a label is a 32-bit word of the structure, whose highest
// value means none, however wide the words of results are. Graphs with more labels, or positions, are wide (ADR 26).
const MaxNarrow = 1<<32 - 2

// Bytes of device memory per item. Vertices are vertices with an edge; N labels have up to N of them, large official
// graphs about half as many.
const (
	colBytes   = 4     // a directed edge: its far end
	RowBytes   = 8 + 4 // a vertex: where its row begins, its label
	HubOfBytes = 4     // an owned label: its hub id
	Spare      = 1 << 29
)

// Share is the largest part of n things that are dealt out to ranks.
func Share(n int64, ranks int) int64 { return (n + int64(ranks) - 1) / int64(ranks) }

// Structure is the size of the searchable graph at most.
func Structure(tuples, vertices int64) int64 {
	return colBytes*2*tuples + (RowBytes+HubOfBytes)*vertices
}

// roundTuples is the number of tuples whose ends each rank sends at a time: half a gigabyte of messages.
const roundTuples = 1 << 25

// roundCapacity is the number of messages that fit into each buffer of a round of so many tuples. On graphs of even
// degrees a rank gets about as many messages as it sends, two a tuple; there is room for a quarter more. The ends of
// one tuple of each rank always fit.
func roundCapacity(tuples int64, ranks int) int64 { return max(tuples*2*5/4, 2*int64(ranks)) }

// RoundBytes is the device memory in which ranks with that many tuples exchange messages of that size.
func RoundBytes(tuples int64, ranks int, message int64) int64 {
	return exchangeBytes(roundCapacity(min(roundTuples, tuples), ranks), message)
}

// exchangeBytes is the device memory of a binned exchange: three buffers for that many messages of that size.
func exchangeBytes(capacity, message int64) int64 { return 3 * message * capacity }
