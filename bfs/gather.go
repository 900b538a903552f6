// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/trace"
)

// gatherer replicates the ranks' parts of the visited bitmap.
//
// Ranks all-gather the words of their parts. If a node would receive many bytes from others, a rank sends only the bits
// that are new since its last message, in the shorter of two encodings: the gaps between the new bits, or all words. If
// it would receive very many, only the bits of the first ids are replicated (queries.go). A two-level collective sends
// each message to each node once (comm.TwoLevel).
type gatherer[P csr.Pos] struct {
	t        comm.Transport
	g        *csr.Graph[P]
	workers  int
	twoLevel *comm.TwoLevel
	sent     bitmap // own part as sent to the others; nil if words are all-gathered
	message  []byte
	toNodes  [][]byte
	news     []bitmap // of each worker: bits of another rank, some of ghosts
}

func newGatherer[P csr.Pos](t comm.Transport, g *csr.Graph[P], twoLevel *comm.TwoLevel, workers int) *gatherer[P] {
	x := &gatherer[P]{t: t, g: g, workers: workers, twoLevel: twoLevel, news: make([]bitmap, workers)}
	if twoLevel.Several() && twoLevel.Incoming(g.Stride/8) >= bounds.TwoLevelFrom {
		x.sent = make(bitmap, g.Stride/csr.WordBits)
		x.toNodes = make([][]byte, twoLevel.Nodes())
	}
	return x
}

// gather replicates the bits of the replicated ids of all ranks.
func (x *gatherer[P]) gather(visited bitmap) error {
	if x.sent == nil {
		return x.t.AllGather(visited[:x.g.Positions()/csr.WordBits])
	}
	return x.gatherIDs(visited, 0, x.g.Replicated)
}

// replicatesAll reports whether gather replicates all bits.
func (x *gatherer[P]) replicatesAll() bool { return x.g.Replicated == x.g.Stride }

// gatherIDs replicates the new bits of ids [from, to) of each rank, which are multiples of WordBits, in exchanges of at
// most bounds.GatherBytes bytes.
func (x *gatherer[P]) gatherIDs(visited bitmap, from, to int) error {
	words := max(bounds.GatherBytes/(8*x.t.Size()), 1)
	for from /= csr.WordBits; from < to/csr.WordBits; from += words {
		if err := x.gatherWords(visited, from, min(from+words, to/csr.WordBits)); err != nil {
			return err
		}
	}
	return nil
}

// gatherWords replicates the new bits in words [from, to) of each rank's part.
func (x *gatherer[P]) gatherWords(visited bitmap, from, to int) error {
	own := x.part(visited, x.g.Rank)[from:to]
	x.message = appendNew(x.message[:0], own, x.sent[from:to])
	copy(x.sent[from:to], own)
	messages, err := x.exchange(8 * (to - from))
	if err != nil {
		return err
	}
	par.For(x.workers, len(messages), 1, func(w, r, _ int) {
		switch {
		case r == x.g.Rank || len(messages[r]) == 0:
		case from < x.g.Replicated/csr.WordBits:
			addNew(x.part(visited, r)[from:to], messages[r])
		default:
			x.addGhosts(visited, r, x.newsOf(w, to-from), from, messages[r])
		}
	})
	return nil
}

// newsOf returns an empty bitmap of a worker.
func (x *gatherer[P]) newsOf(worker, words int) bitmap {
	if len(x.news[worker]) < words {
		x.news[worker] = make(bitmap, words)
	}
	news := x.news[worker][:words]
	clear(news)
	return news
}

// addGhosts sets the bits of a rank's ghosts from a message with the bits of its part, from a word on. Ghosts of
// several ranks share words.
func (x *gatherer[P]) addGhosts(visited bitmap, rank int, news bitmap, word int, message []byte) {
	addNew(news, message)
	ids, first := x.g.Ghosts(rank)
	base := csr.ID(word * csr.WordBits)
	begin, _ := slices.BinarySearch(ids, base)
	for i, id := range ids[begin:] {
		if int(id-base) >= len(news)*csr.WordBits {
			break
		}
		if news.has(uint64(id - base)) {
			visited.claim(uint64(first) + uint64(begin+i))
		}
	}
}

// exchange sends the message of every rank to all ranks. most is about the largest length of a message; short messages
// are merged into one message between two nodes.
func (x *gatherer[P]) exchange(most int) ([][]byte, error) {
	defer comm.CountAs(x.t, trace.BitmapPayload)()
	if most > bounds.ShortMessage || !x.twoLevel.Save() {
		return x.twoLevel.AllGather(x.message)
	}
	for node := range x.toNodes {
		x.toNodes[node] = x.message
	}
	return x.twoLevel.ToNodes(x.toNodes)
}

// carryOver copies the bits of other ranks' vertices into an older bitmap, unless words are all-gathered.
func (x *gatherer[P]) carryOver(into, from bitmap) {
	if x.sent == nil {
		return
	}
	own, end := x.g.Part(x.g.Rank)
	own, end = own/csr.WordBits, end/csr.WordBits
	par.For(x.workers, len(into), copyGrain, func(_, lo, hi int) {
		if lo < own {
			copy(into[lo:min(hi, own)], from[lo:])
		}
		if hi > end {
			copy(into[max(lo, end):hi], from[max(lo, end):])
		}
	})
}

// part returns a rank's part of a bitmap.
func (x *gatherer[P]) part(b bitmap, rank int) bitmap {
	from, to := x.g.Part(rank)
	return b[from/csr.WordBits : to/csr.WordBits]
}

// Encodings of a message, in its first byte.
const (
	gapsCode  = iota // one varint per new bit: the number of bits between it and the previous one
	wordsCode        // all words
)

// appendNew appends a message with the bits that are in now and not in sent, at most one byte longer than the words of
// now. It appends nothing if there are none.
func appendNew(message []byte, now, sent bitmap) []byte {
	begin, longest := len(message), len(message)+1+8*len(now)
	message = append(message, gapsCode)
	next := 0 // the bit after the previous one
	for i, word := range now {
		for fresh := word &^ sent[i]; fresh != 0; fresh &= fresh - 1 {
			b := i*csr.WordBits + bits.TrailingZeros64(fresh)
			message = binary.AppendUvarint(message, uint64(b-next))
			next = b + 1
		}
		if len(message) >= longest {
			return appendWords(message[:begin], now)
		}
	}
	if next == 0 {
		return message[:begin]
	}
	return message
}

func appendWords(message []byte, words bitmap) []byte {
	message = append(message, wordsCode)
	for _, word := range words {
		message = binary.LittleEndian.AppendUint64(message, word)
	}
	return message
}

// addNew sets the bits of a message.
func addNew(part bitmap, message []byte) {
	if len(message) == 0 {
		return
	}
	code, message := message[0], message[1:]
	if code == wordsCode {
		for i := range part {
			part[i] |= binary.LittleEndian.Uint64(message[8*i:])
		}
		return
	}
	for next := uint64(0); len(message) > 0; next++ {
		var gap uint64
		gap, message = varint(message)
		next += gap
		part.set(next)
	}
}
