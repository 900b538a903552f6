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

// gatherer brings ranks' parts of the visited bitmap to all ranks.
//
// Ranks all-gather the words of their parts. Where that would bring much from other hosts, a rank tells what is new in
// its part since it told last, in the shorter of two forms: the gaps between the new bits, or all words; where it would
// bring very much, only of its first ids (ask.go). Messages go in tiers, over the network once to each host
// (comm.Tiers).
type gatherer[P csr.Pos] struct {
	t       comm.Transport
	g       *csr.Graph[P]
	workers int
	tiers   *comm.Tiers
	told    bitmap // own part, as the others know it; nil where words are all-gathered
	message []byte
	toHosts [][]byte
	news    []bitmap // of each worker: what another rank tells of vertices some of which are ghosts
}

func newGatherer[P csr.Pos](t comm.Transport, g *csr.Graph[P], tiers *comm.Tiers, workers int) *gatherer[P] {
	x := &gatherer[P]{t: t, g: g, workers: workers, tiers: tiers, news: make([]bitmap, workers)}
	if tiers.Several() && tiers.Incoming(g.Stride/8) >= bounds.TiersFrom {
		x.told = make(bitmap, g.Stride/csr.WordBits)
		x.toHosts = make([][]byte, tiers.Hosts())
	}
	return x
}

// start forgets the last search.
func (x *gatherer[P]) start() { clear(x.told) }

// gather brings all parts of the bitmap to all ranks, as far as they are told.
func (x *gatherer[P]) gather(visited bitmap) error {
	if x.told == nil {
		return x.t.AllGather(visited[:x.g.Positions()/csr.WordBits])
	}
	return x.tell(visited, 0, x.g.Told)
}

// tellsAll reports whether gather brings all bits.
func (x *gatherer[P]) tellsAll() bool { return x.g.Told == x.g.Stride }

// tellRest brings what gather leaves out: the bits of ghosts.
func (x *gatherer[P]) tellRest(visited bitmap) error { return x.tell(visited, x.g.Told, x.g.Stride) }

// untoldBytes is about what tellRest would send to other hosts, of all ranks together, as words.
func (x *gatherer[P]) untoldBytes() int64 {
	return int64(x.tiers.Hosts()-1) * int64(x.t.Size()) * int64(x.g.Stride-x.g.Told) / 8
}

// tell brings what is new of ids [from, to) of each rank, which are whole words, as many at a time as there is room
// for.
func (x *gatherer[P]) tell(visited bitmap, from, to int) error {
	words := max(bounds.GatherRoom/(8*x.t.Size()), 1)
	for from /= csr.WordBits; from < to/csr.WordBits; from += words {
		if err := x.tellWords(visited, from, min(from+words, to/csr.WordBits)); err != nil {
			return err
		}
	}
	return nil
}

// tellWords brings what is new in words [from, to) of each rank's part.
func (x *gatherer[P]) tellWords(visited bitmap, from, to int) error {
	own := x.part(visited, x.g.Rank)[from:to]
	x.message = appendNew(x.message[:0], own, x.told[from:to])
	copy(x.told[from:to], own)
	messages, err := x.exchange(8 * (to - from))
	if err != nil {
		return err
	}
	faults := make([]error, x.workers) // not one a rank: all ranks together would have the square of them
	par.For(x.workers, len(messages), 1, func(w, r, _ int) {
		var err error
		switch {
		case r == x.g.Rank || len(messages[r]) == 0:
		case from < x.g.Told/csr.WordBits:
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

// newsOf is a bitmap of so many words for a worker, without a bit.
func (x *gatherer[P]) newsOf(worker, words int) bitmap {
	if len(x.news[worker]) < words {
		x.news[worker] = make(bitmap, words)
	}
	news := x.news[worker][:words]
	clear(news)
	return news
}

// addGhosts sets the bits of those ghosts of a rank that a message tells of, which is about its part from some word on.
// Bits of several ranks' ghosts share words.
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
	defer comm.CarryForm(x.t, trace.BitmapForm)()
	if most > bounds.ShortMessage || !x.tiers.Save() {
		return x.tiers.AllGather(x.message)
	}
	for host := range x.toHosts {
		x.toHosts[host] = x.message
	}
	return x.tiers.ToHosts(x.toHosts)
}

// carryOver brings what this rank knows of other ranks' vertices into a bitmap that is older. Where words come whole,
// they bring it themselves.
func (x *gatherer[P]) carryOver(into, from bitmap) {
	if x.told == nil {
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

// The forms of a message: what follows its first byte.
const (
	gapsForm  = iota // for each new bit a varint: how many bits lie between it and the one before
	wordsForm        // all words
)

// appendNew appends a message of the bits that are in now and not in told, at most one byte longer than their words;
// nothing where there are none.
func appendNew(message []byte, now, told bitmap) []byte {
	begin, longest := len(message), len(message)+1+8*len(now)
	message = append(message, gapsForm)
	next := 0 // the bit after the last one
	for i, word := range now {
		for fresh := word &^ told[i]; fresh != 0; fresh &= fresh - 1 {
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

// addNew sets the bits that a message tells of.
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
