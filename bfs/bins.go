// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"g500/graph/csr"
)

// bin has the pairs of one worker for one other rank, or for all ranks of a node, in a top-down level: vertices there
// and vertices of this rank that may be their parents. The number of a vertex in the bin depends on the address.
//
// Rows are sorted by id, so pairs have runs of one parent with rising vertices. At the start of a run, a pair is two
// varints: twice the number of the vertex, and the parent's id. The next pairs are one varint: twice the number of
// vertices between this one and the previous one, plus one.
type bin struct {
	message        []byte
	parent, vertex csr.ID // of the last pair; parent is NoID before the first
}

// newBins returns one empty bin per rank.
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

// address determines the numbers of a rank's vertices in bins.
type address struct {
	bin          int
	place, ranks csr.ID // index of the rank among the ranks of the bin, and their number
}

// addressesOf returns addresses with one bin per group of ranks, given the group of each rank.
func addressesOf(groups []int) []address {
	to, inGroup := make([]address, len(groups)), make([]csr.ID, len(groups))
	for r, group := range groups {
		to[r] = address{bin: group, place: inGroup[group]}
		inGroup[group]++
	}
	for r, group := range groups {
		to[r].ranks = inGroup[group]
	}
	return to
}

// number returns the number of a vertex in the bin.
func (a address) number(id csr.ID) csr.ID { return id*a.ranks + a.place }

// id returns the vertex with a number, if the rank owns it.
func (a address) id(number csr.ID) (id csr.ID, is bool) {
	return number / a.ranks, number%a.ranks == a.place
}

// readBin calls pair for the pairs of a bin, in order. A vertex of limit or more is an error.
func readBin(message []byte, limit int, pair func(vertex, parent csr.ID)) error {
	var vertex, parent uint64
	for started := false; len(message) > 0; started = true {
		head, n := binary.Uvarint(message)
		if n <= 0 || head&1 == 1 && !started {
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

// partBytes returns the number of bytes of one worker's bin in a message: none if it is empty.
func partBytes(part []byte) int {
	if len(part) == 0 {
		return 0
	}
	return (bits.Len(uint(len(part)))+6)/7 + len(part)
}

// putPart writes the length of one worker's bin, and the bin, which is not empty, to a message.
func putPart(message, part []byte) {
	copy(message[binary.PutUvarint(message, uint64(len(part))):], part)
}

// part is the bin of one worker of a rank.
type part struct {
	rank    int
	message []byte
}

// partsOf returns the bins in the messages of all ranks.
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
