package bfs

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// gatherer brings ranks' parts of the visited bitmap to all ranks.
//
// Ranks all-gather the words of their parts. Where that would bring much from other hosts, a rank tells what is new in
// its part since it told last, in the shorter of two forms: the gaps between the new bits, or all words; where it would
// bring very much, only of its first hub ids (ask.go). Messages go in tiers, over the network once to each host
// (comm.Tiers).
type gatherer struct {
	t       comm.Transport
	order   *csr.Order
	workers int
	tiers   *comm.Tiers
	told    bitmap // own part, as the others know it; nil where words are all-gathered
	hubs    int    // of each rank, as many hub ids are told, in whole words
	message []byte
	toHosts [][]byte
}

func newGatherer(t comm.Transport, order *csr.Order, workers int) *gatherer {
	x := &gatherer{t: t, order: order, workers: workers, tiers: comm.NewTiers(t), hubs: order.Stride}
	incoming := x.tiers.Incoming(order.Stride / 8)
	if x.tiers.Several() && incoming >= bounds.TiersFrom {
		x.told = make(bitmap, order.Stride/csr.WordBits)
		x.toHosts = make([][]byte, x.tiers.Hosts())
	}
	if x.told != nil && incoming >= bounds.AsksFrom {
		x.hubs = bounds.HubsTold(order.Stride, x.tiers.Hosts())
	}
	return x
}

// start forgets the last search.
func (x *gatherer) start() { clear(x.told) }

// gather brings all parts of the bitmap to all ranks, as far as they are told.
func (x *gatherer) gather(visited bitmap) error {
	if x.told == nil {
		return x.t.AllGather(visited[:x.order.Words()])
	}
	return x.tell(visited, x.hubs)
}

// tellsAll reports whether gather brings all bits.
func (x *gatherer) tellsAll() bool { return x.hubs == x.order.Stride }

// tellAll brings them whole, where not all is told in gather.
func (x *gatherer) tellAll(visited bitmap) error { return x.tell(visited, x.order.Stride) }

// untoldBytes is about what tellAll would send to other hosts, of all ranks together: words of what gather leaves out.
func (x *gatherer) untoldBytes() int64 {
	return int64(x.tiers.Hosts()-1) * int64(x.t.Size()) * int64(x.order.Stride-x.hubs) / 8
}

// tell brings what is new of the first hub ids of each rank.
func (x *gatherer) tell(visited bitmap, hubs int) error {
	words := hubs / csr.WordBits
	if words == 0 {
		return nil
	}
	own := x.part(visited, x.order.Rank)[:words]
	x.message = appendNew(x.message[:0], own, x.told)
	copy(x.told, own)
	messages, err := x.exchange(8 * words)
	if err != nil {
		return err
	}
	faults := make([]error, x.workers) // not one a rank: all ranks together would have the square of them
	par.For(x.workers, len(messages), 1, func(w, r, _ int) {
		if r != x.order.Rank {
			if err := addNew(x.part(visited, r)[:words], messages[r]); err != nil {
				faults[w] = err
			}
		}
	})
	return errors.Join(faults...)
}

// exchange brings the message of every rank to all ranks, none of which is much longer than most bytes: where they are
// short, in one message between two hosts.
func (x *gatherer) exchange(most int) ([][]byte, error) {
	defer carrying(x.t, BitmapForm)()
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
func (x *gatherer) carryOver(into, from bitmap) {
	if x.told == nil {
		return
	}
	par.For(x.workers, x.t.Size(), 1, func(_, r, _ int) {
		if r != x.order.Rank {
			copy(x.part(into, r), x.part(from, r))
		}
	})
}

// part is a rank's part of a bitmap over the core.
func (x *gatherer) part(b bitmap, rank int) bitmap {
	words := x.order.Stride / csr.WordBits
	return b[rank*words : (rank+1)*words]
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
