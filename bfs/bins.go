package bfs

import (
	"encoding/binary"
	"errors"

	"g500/graph/csr"
)

// bin has the pairs of one worker for one other rank, or for all ranks of a host, in a top-down level: vertices there
// and vertices of this rank that may be their parents. The vertices of a host are numbered by id, then the rank's place
// (address).
//
// A row is sorted by id, so its pairs come in runs: one parent, and vertices with rising ids. A pair is a varint. Where
// a run begins, it is twice the vertex' id, and the parent's id follows as a varint. Elsewhere, it is twice the number
// of ids between the vertex and the one before, plus one.
type bin struct {
	message        []byte
	parent, vertex csr.ID // of the last pair; parent is NoID before the first
}

// newBins returns empty bins for ranks.
func newBins(ranks int) []bin {
	bins := make([]bin, ranks)
	for r := range bins {
		bins[r].clear()
	}
	return bins
}

func (b *bin) clear() { b.message, b.parent = b.message[:0], csr.NoID }

func (b *bin) add(vertex, parent csr.ID) {
	if parent == b.parent && vertex > b.vertex {
		b.message = binary.AppendUvarint(b.message, uint64(vertex-b.vertex-1)<<1|1)
	} else {
		b.message = binary.AppendUvarint(b.message, uint64(vertex)<<1)
		b.message = binary.AppendUvarint(b.message, uint64(parent))
	}
	b.parent, b.vertex = parent, vertex
}

var errBin = errors.New("bfs: a message of vertices and parents is damaged: ranks run different versions of g500")

// address is how a rank's vertices are named in bins: in which bin, and as which of the ranks that it is for.
type address struct {
	bin          int
	place, ranks csr.ID
}

// ofRanks addresses each rank by itself.
func ofRanks(ranks int) []address {
	to := make([]address, ranks)
	for r := range to {
		to[r] = address{bin: r, ranks: 1}
	}
	return to
}

// ofHosts addresses the ranks of a host together, given the host of each rank.
func ofHosts(hosts []int) []address {
	to, onHost := make([]address, len(hosts)), make([]csr.ID, len(hosts))
	for r, host := range hosts {
		to[r] = address{bin: host, place: onHost[host]}
		onHost[host]++
	}
	for r, host := range hosts {
		to[r].ranks = onHost[host]
	}
	return to
}

// number returns the number of a vertex in the bin.
func (a address) number(id csr.ID) csr.ID { return id*a.ranks + a.place }

// id is the vertex with this number, if it is the rank's.
func (a address) id(number csr.ID) (id csr.ID, is bool) {
	return number / a.ranks, number%a.ranks == a.place
}

// readBin hands on the pairs of a bin in their order. It ends with an error at a vertex that is not below limit.
func readBin(message []byte, limit int, pair func(vertex, parent csr.ID)) error {
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
			if parent, n = binary.Uvarint(message); n <= 0 || parent >= uint64(csr.NoID) {
				return errBin
			}
			message = message[n:]
		}
		if vertex >= uint64(limit) {
			return errBin
		}
		pair(csr.ID(vertex), csr.ID(parent))
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
