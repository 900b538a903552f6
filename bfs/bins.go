package bfs

import (
	"encoding/binary"
	"errors"

	"g500/graph/csr"
)

// bin is what one worker tells one other rank in a top-down level: which of the rank's vertices may take which of this
// rank's as parent.
//
// A row is sorted by hub id, so its pairs come in runs: one parent, and vertices with rising hub ids. A pair is a
// varint. Where a run begins, it is twice the vertex' hub id, and the parent's hub id follows as a varint. Elsewhere,
// it is twice the number of hub ids between the vertex and the one before, plus one.
type bin struct {
	message        []byte
	parent, vertex csr.Hub // of the last pair; parent is NoHub before the first
}

// newBins are empty bins for so many ranks.
func newBins(ranks int) []bin {
	bins := make([]bin, ranks)
	for r := range bins {
		bins[r].clear()
	}
	return bins
}

func (b *bin) clear() { b.message, b.parent = b.message[:0], csr.NoHub }

func (b *bin) add(vertex, parent csr.Hub) {
	if parent == b.parent && vertex > b.vertex {
		b.message = binary.AppendUvarint(b.message, uint64(vertex-b.vertex-1)<<1|1)
	} else {
		b.message = binary.AppendUvarint(b.message, uint64(vertex)<<1)
		b.message = binary.AppendUvarint(b.message, uint64(parent))
	}
	b.parent, b.vertex = parent, vertex
}

var errBin = errors.New("bfs: a message of vertices and parents is damaged: ranks run different versions of g500")

// readBin hands on the pairs of a bin in their order. It ends with an error at a vertex that is not below limit.
func readBin(message []byte, limit int, pair func(vertex, parent csr.Hub)) error {
	var vertex, parent uint64
	for begun := false; len(message) > 0; begun = true {
		head, n := binary.Uvarint(message)
		if n <= 0 || head&1 == 1 && !begun {
			return errBin
		}
		message = message[n:]
		if head&1 == 1 {
			vertex += head>>1 + 1
		} else {
			vertex = head >> 1
			if parent, n = binary.Uvarint(message); n <= 0 || parent >= uint64(csr.NoHub) {
				return errBin
			}
			message = message[n:]
		}
		if vertex >= uint64(limit) {
			return errBin
		}
		pair(csr.Hub(vertex), csr.Hub(parent))
	}
	return nil
}

// appendPart appends one worker's bin to a message, behind its length.
func appendPart(message, part []byte) []byte {
	if len(part) == 0 {
		return message
	}
	message = binary.AppendUvarint(message, uint64(len(part)))
	return append(message, part...)
}

// part is the bin of one worker of a rank.
type part struct {
	rank    int
	message []byte
}

// partsOf are the bins in the messages of all ranks.
func partsOf(messages [][]byte) (parts []part, err error) {
	for r, message := range messages {
		for len(message) > 0 {
			length, n := binary.Uvarint(message)
			if n <= 0 || length > uint64(len(message)-n) {
				return nil, errBin
			}
			message = message[n:]
			parts = append(parts, part{r, message[:length]})
			message = message[length:]
		}
	}
	return parts, nil
}
