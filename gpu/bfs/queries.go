package bfs

import (
	"encoding/binary"

	"g500/bfs"
	"g500/comm"
)

// bounds has the thresholds of the exchange between nodes, as on CPUs. Tests change them.
var bounds = bfs.DefaultBounds()

// queryBits is the size of a query and its reply.
const queryBits = 32 + 1

// replicatedHubs returns the number of each rank's vertices whose bits all ranks receive, if ranks have parts of stride
// vertices: stride, or less in query mode. There, most is the largest number of queries of all ranks in a level,
// because more queries would be larger than the bits of all vertices.
func replicatedHubs(t comm.Transport, stride int64) (hubs, most int64) {
	nodes := comm.NewTwoLevel(t)
	if !bounds.UseQueries(int(stride), nodes) {
		return stride, 0
	}
	// Queries are twice the size of CPU queries.
	hubs = min(2*int64(bounds.ReplicatedIDs(int(stride), nodes.Nodes())), stride)
	bits := int64(nodes.Nodes()-1) * int64(t.Size()) * (stride - hubs) // of all other vertices, to each other node
	return hubs, bits / queryBits
}

// exchangeWords sends words to all ranks, in the order of ranks: counts[r] words to rank r. It returns the words
// received, got[r] of them from rank r, and the largest count of any rank. It is collective.
func exchangeWords(
	t comm.Transport, counts []int64, words []uint64,
) (got []int64, all []uint64, most int64, err error) {
	send := make([][]byte, t.Size())
	for r, n := range counts {
		send[r] = make([]byte, 0, 8*n)
		for _, word := range words[:n] {
			send[r] = binary.LittleEndian.AppendUint64(send[r], word)
		}
		words = words[n:]
		most = max(most, n)
	}
	messages, err := t.AllToAll(send)
	if err != nil {
		return nil, nil, 0, err
	}
	got = make([]int64, t.Size())
	for r, message := range messages {
		got[r] = int64(len(message) / 8)
		for ; len(message) >= 8; message = message[8:] {
			all = append(all, binary.LittleEndian.Uint64(message))
		}
	}
	most, err = comm.Reduce(t, most, comm.Max)
	return got, all, most, err
}

// meanDegrees returns the mean degree of each class in sixteenths, rounded, from its numbers of vertices and edges. It
// is 0 for a class without vertices.
func meanDegrees(vertices, edges []int64) []uint32 {
	mean := make([]uint32, len(vertices))
	for class, n := range vertices {
		if n > 0 {
			mean[class] = uint32((16*edges[class] + n/2) / n)
		}
	}
	return mean
}
