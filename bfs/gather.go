package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// gatherer makes the visited bitmap whole on all ranks.
//
// Ranks all-gather the words of their parts. Where that would bring much from other hosts, a rank tells what is new in
// its part since it told last, in the shorter of two forms: the gaps between the new bits, or all words. Messages go in
// two tiers, over the network once to each host (comm.Tiers).
type gatherer struct {
	t       comm.Transport
	g       *csr.Graph
	workers int
	tiers   *comm.Tiers
	told    bitmap // own part, as the others know it; nil where words are all-gathered
	message []byte
}

// tiersFrom is how many bytes an all-gather of words has to bring to a host from others, for tiers to pay: they take a
// round of messages more. Some 100 us at 100 Gb/s.
var tiersFrom = 1 << 20

func newGatherer(t comm.Transport, g *csr.Graph, workers int) *gatherer {
	x := &gatherer{t: t, g: g, workers: workers, tiers: comm.NewTiers(t)}
	if x.tiers.Several() && x.tiers.Incoming(g.Stride/8) >= tiersFrom {
		x.told = make(bitmap, g.Stride/csr.WordBits)
	}
	return x
}

// start forgets the last search.
func (x *gatherer) start() { clear(x.told) }

// gather brings all parts of the bitmap to all ranks.
func (x *gatherer) gather(visited bitmap) error {
	if x.told == nil {
		return x.t.AllGather(visited[:x.g.Words()])
	}
	own := x.part(visited, x.g.Rank)
	x.message = appendNew(x.message[:0], own, x.told)
	copy(x.told, own)
	messages, err := x.exchange()
	if err != nil {
		return err
	}
	faults := make([]error, x.workers) // not one a rank: all ranks together would have the square of them
	par.For(x.workers, len(messages), 1, func(w, r, _ int) {
		if r != x.g.Rank {
			if err := addNew(x.part(visited, r), messages[r]); err != nil {
				faults[w] = err
			}
		}
	})
	return errors.Join(faults...)
}

// exchange brings the message of every rank to all ranks.
func (x *gatherer) exchange() ([][]byte, error) {
	if counter, can := x.t.(FormCounter); can {
		counter.CarryForm(BitmapForm)
		defer counter.CarryForm("")
	}
	return x.tiers.AllGather(x.message)
}

// carryOver brings what this rank knows of other ranks' vertices into a bitmap that is older. Where words come whole,
// they bring it themselves.
func (x *gatherer) carryOver(into, from bitmap) {
	if x.told == nil {
		return
	}
	par.For(x.workers, x.t.Size(), 1, func(_, r, _ int) {
		if r != x.g.Rank {
			copy(x.part(into, r), x.part(from, r))
		}
	})
}

// part is a rank's part of a bitmap over the core.
func (x *gatherer) part(b bitmap, rank int) bitmap {
	words := x.g.Stride / csr.WordBits
	return b[rank*words : (rank+1)*words]
}

// The forms of a message: what follows its first byte.
const (
	gapsForm  = iota // for each new bit a varint: how many bits lie between it and the one before
	wordsForm        // all words
)

// appendNew appends a message of the bits that are in now and not in told, at most one byte longer than their words.
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
		return errMessage
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
		part.set(csr.Pos(next))
		message = message[n:]
	}
	return nil
}
