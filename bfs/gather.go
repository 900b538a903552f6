package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/trace"
)

// gatherer replicates the ranks' parts of the visited bitmap.
//
// Ranks all-gather the words of their parts. If a host would receive many bytes from others, a rank sends only the bits
// that are new since its last message, in the shorter of two forms: the gaps between the new bits, or all words. If it
// would receive very many, only the bits of the first ids are replicated (open.go). Messages go in tiers, over the
// network once to each host (comm.TwoLevel).
type gatherer[P csr.Pos] struct {
	t       comm.Transport
	g       *csr.Graph[P]
	workers int
	tiers   *comm.TwoLevel
	sent    bitmap // own part as sent to the others; nil if words are all-gathered
	message []byte
	toHosts [][]byte
	news    []bitmap // of each worker: bits of another rank, some of ghosts
}

func newGatherer[P csr.Pos](t comm.Transport, g *csr.Graph[P], tiers *comm.TwoLevel, workers int) *gatherer[P] {
	x := &gatherer[P]{t: t, g: g, workers: workers, tiers: tiers, news: make([]bitmap, workers)}
	if tiers.Several() && tiers.Incoming(g.Stride/8) >= bounds.TiersFrom {
		x.sent = make(bitmap, g.Stride/csr.WordBits)
		x.toHosts = make([][]byte, tiers.Nodes())
	}
	return x
}

// start forgets the last search.
func (x *gatherer[P]) start() { clear(x.sent) }

// gather replicates the bits of the replicated ids of all ranks.
func (x *gatherer[P]) gather(visited bitmap) error {
	if x.sent == nil {
		return x.t.AllGather(visited[:x.g.Positions()/csr.WordBits])
	}
	return x.gatherIDs(visited, 0, x.g.Replicated)
}

// replicatesAll reports whether gather replicates all bits.
func (x *gatherer[P]) replicatesAll() bool { return x.g.Replicated == x.g.Stride }

// gatherRest replicates the bits that gather leaves out, of ghosts.
func (x *gatherer[P]) gatherRest(visited bitmap) error {
	return x.gatherIDs(visited, x.g.Replicated, x.g.Stride)
}

// restBytes is about the number of bytes that all ranks together would send to other hosts in gatherRest, as words.
func (x *gatherer[P]) restBytes() int64 {
	return int64(x.tiers.Nodes()-1) * int64(x.t.Size()) * int64(x.g.Stride-x.g.Replicated) / 8
}

// gatherIDs replicates the new bits of ids [from, to) of each rank, which are whole words, in exchanges of at most
// bounds.GatherRoom bytes.
func (x *gatherer[P]) gatherIDs(visited bitmap, from, to int) error {
	words := max(bounds.GatherRoom/(8*x.t.Size()), 1)
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
	faults := make([]error, x.workers) // not one a rank: all ranks together would have the square of them
	par.For(x.workers, len(messages), 1, func(w, r, _ int) {
		var err error
		switch {
		case r == x.g.Rank || len(messages[r]) == 0:
		case from < x.g.Replicated/csr.WordBits:
			err = addNew(x.part(visited, r)[from:to], messages[r])
		default:
			err = x.addGhosts(visited, r, x.newsOf(w, to-from), from, messages[r])
		}
		if err != nil {
			faults[w] = err
		}
	})
	return errors.Join(faults...)
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

// addGhosts sets the bits of a rank's ghosts by a message about its part from some word on. Ghosts of several ranks
// share words.
func (x *gatherer[P]) addGhosts(visited bitmap, rank int, news bitmap, word int, message []byte) error {
	if err := addNew(news, message); err != nil {
		return err
	}
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
	return nil
}

// exchange brings the message of every rank to all ranks, none of which is much longer than most bytes: where they are
// short, in one message between two hosts.
func (x *gatherer[P]) exchange(most int) ([][]byte, error) {
	defer comm.CarryForm(x.t, trace.BitmapPayload)()
	if most > bounds.ShortMessage || !x.tiers.Save() {
		return x.tiers.AllGather(x.message)
	}
	for host := range x.toHosts {
		x.toHosts[host] = x.message
	}
	return x.tiers.ToNodes(x.toHosts)
}

// carryOver copies the bits of other ranks' vertices into an older bitmap. All-gathered words need no copy.
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

// part is a rank's part of a bitmap over the core.
func (x *gatherer[P]) part(b bitmap, rank int) bitmap {
	from, to := x.g.Part(rank)
	return b[from/csr.WordBits : to/csr.WordBits]
}

// The forms of a message, by its first byte.
const (
	gapsForm  = iota // for each new bit a varint: the number of bits between it and the one before
	wordsForm        // all words
)

// appendNew appends a message of the bits that are in now and not in sent, at most one byte longer than their words;
// nothing if there are none.
func appendNew(message []byte, now, sent bitmap) []byte {
	begin, longest := len(message), len(message)+1+8*len(now)
	message = append(message, gapsForm)
	next := 0 // the bit after the last one
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
	message = append(message, wordsForm)
	for _, word := range words {
		message = binary.LittleEndian.AppendUint64(message, word)
	}
	return message
}

var errMessage = errors.New("bfs: a message about visited vertices is cut off: ranks run different versions of g500")

// addNew sets the bits of a message.
func addNew(part bitmap, message []byte) error {
	if len(message) == 0 {
		return nil
	}
	form, message := message[0], message[1:]
	if form == wordsForm {
		if len(message) != 8*len(part) {
			return errMessage
		}
		for i := range part {
			part[i] |= binary.LittleEndian.Uint64(message[8*i:])
		}
		return nil
	}
	for next := uint64(0); len(message) > 0; next++ {
		gap, n := binary.Uvarint(message)
		if next += gap; n <= 0 || next >= uint64(len(part)*csr.WordBits) {
			return errMessage
		}
		part.set(next)
		message = message[n:]
	}
	return nil
}
