// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// MostRanks is the largest number of ranks for which messages are binned.
const MostRanks = C.G500_MOST_RANKS

// MessageKind is the layout of messages about vertices of the receiving rank.
type MessageKind int

const (
	Messages32       MessageKind = iota // a vertex and a 32-bit word about it
	WeightedMessages                    // and a weight
	Messages64                          // and a rank: for graphs with 64-bit labels
	TupleMessages                       // a tuple, for OwnerValidator
)

// Bytes returns the size of a message.
func (k MessageKind) Bytes() int64 {
	if k == Messages32 {
		return 8
	}
	return C.sizeof_g500_wide_message
}

// Bins sorts messages by receiving rank. Its methods write them to the front of into, and return the bytes for each
// rank.
type Bins struct {
	Allocated
	c      *C.g500_bins
	counts []C.uint64_t
}

// NewBins returns bins for that many ranks, at most MostRanks.
func (d *Device) NewBins(ranks int) (*Bins, error) {
	if ranks > MostRanks {
		return nil, fmt.Errorf("cuda: %d ranks are too many for messages between GPUs: start at most %d", ranks, MostRanks)
	}
	var c *C.g500_bins
	if err := check("preparing bins", C.g500_bins_create(C.uint32_t(ranks), &c, d.onStream())); err != nil {
		return nil, d.Explain(err)
	}
	return &Bins{d.hold("bins", 0, func() { C.g500_bins_free(c) }), c, make([]C.uint64_t, ranks)}, nil
}

// OneWay makes bins for the rows of a directed graph: from now on Ends makes only the messages for the owners of u, as
// Messages64 only those for the owners of v.
func (b *Bins) OneWay() { C.g500_bins_one_way(b.c) }

// Know sets the local ids of all labels, by rank and number, in slices of that many.
func (b *Bins) Know(localIDs Memory, slice int64, shift int) {
	C.g500_bins_know(b.c, pointer[C.uint32_t](localIDs.address), C.uint64_t(slice), C.uint32_t(shift))
}

// Ends makes two messages for each tuple <u, v> except self-loops: u and v's packed id for the owner of u, v and u's
// packed id for the owner of v. They need Know; Messages64 have labels, and are made without it. The tuples, and the
// weights of WeightedMessages, fill their memory; weights of others are empty.
func (b *Bins) Ends(k MessageKind, tuples, weights, into Memory) (bytes []int64, err error) {
	from, count := edges(tuples)
	to := unsafe.Pointer(array[byte](into, 0, 2*int64(count)*k.Bytes()))
	return b.filled(k, C.g500_bin_ends(b.c, from, weightsOf(count, weights), count, to, &b.counts[0]))
}

// Neighbours makes a message for each of count Messages64 received from Ends: the packed id of this rank's end for the
// owner of the other end. The builder has done AllocateCols.
func (b *Bins) Neighbours(of *Builder, ends Memory, count int64, into Memory) ([]int64, error) {
	from, to := array[C.g500_wide_message](ends, 0, count), array[C.g500_wide_message](into, 0, count)
	return b.filled(Messages64, C.g500_bin_neighbours64(b.c, of.Graph().c, from, C.uint64_t(count), to,
		&b.counts[0]))
}

// IDs is a list of packed global ids: 32-bit words and, of 64-bit ids, 16-bit ranks. Looked-up labels replace the
// words; the ranks, if any, belong to both.
type IDs struct{ Words, Ranks Memory }

// ids returns n ids at these addresses.
func (d *Device) ids(c C.g500_global_ids, n int64) IDs {
	p := IDs{Words: d.At(unsafe.Pointer(c.words), wordBytes*n)}
	if c.ranks != nil {
		p.Ranks = d.At(unsafe.Pointer(c.ranks), rankBytes*n)
	}
	return p
}

// at returns count ids from number first on.
func (p IDs) at(first, count int64) C.g500_global_ids {
	c := C.g500_global_ids{words: array[C.uint32_t](p.Words, first, count)}
	if p.Ranks.Bytes() > 0 {
		c.ranks = array[C.uint16_t](p.Ranks, first, count)
	}
	return c
}

// Queries makes a query for the label of each id from number first to first+count-1 that another rank owns: the labels
// that LookUp omits. Ids that are NoVertex need none.
func (b *Bins) Queries(g *Graph, ids IDs, first, count int64, into Memory) (bytes []int64, err error) {
	to := array[C.uint64_t](into, 0, count)
	code := C.g500_bin_label_queries(b.c, g.c, ids.at(first, count), C.uint64_t(count), to, &b.counts[0])
	return b.filled(Messages32, code)
}

// filled converts counts of messages into bytes.
func (b *Bins) filled(k MessageKind, code C.int) ([]int64, error) {
	bytes := make([]int64, len(b.counts))
	for r, n := range b.counts {
		bytes[r] = k.Bytes() * int64(n)
	}
	return bytes, check("binning messages", code)
}

// LookUp stores the labels of the vertices that this rank owns among count ids, from number first on. The label of
// NoVertex is NoVertex. Labels are 32-bit words with the numbers of the ids, and may replace the words of these.
func (g *Graph) LookUp(ids IDs, first, count int64, labels Memory) error {
	return check("looking up labels", C.g500_look_up(g.c, ids.at(first, count), C.uint64_t(count),
		array[C.uint32_t](labels, first, count), g.device.onStream()))
}

// Reply turns count queries to this rank into replies, in place.
func (g *Graph) Reply(messages Memory, count int64) error {
	queries := array[C.uint64_t](messages, 0, count)
	return check("replying to queries", C.g500_reply_labels(g.c, queries, C.uint64_t(count), g.device.onStream()))
}

// TakeReplies stores the labels of count replies as 32-bit words, each with the number of its query. Query 0 has number
// first of labels.
func (g *Graph) TakeReplies(messages Memory, count int64, labels Memory, first int64) error {
	return check("taking replies", C.g500_take_labels(array[C.uint64_t](messages, 0, count), C.uint64_t(count),
		array[C.uint32_t](labels, first, 0), g.device.onStream()))
}
