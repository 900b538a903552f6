package bfs

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"g500/comm"
	"g500/internal/par"
	"g500/internal/trace"
)

// hostExchange carries the messages of searches between ranks that share no memory. If nodes have several ranks and
// bitmaps are large, headers and words of bitmaps cross the network once to each node, and listed words are packed
// (comm.TwoLevel). Pairs follow if any rank has some: from node to node if messages between ranks would be short, else
// from rank to rank.
type hostExchange struct {
	meter   *meter
	tiers   *comm.TwoLevel // nil if all messages go from rank to rank
	workers int
	form    string // of the words in the place of pairs

	toAll   []byte   // the message to all ranks
	scratch []uint64 // for packing
	pairs   [][]byte // by rank: pairs for the rank, and the memory for pairs from it
	rooms   [][]byte
	got     [][]byte

	log [][]trace.Traffic // of the last search, by exchange
}

// shortPairs is how many pairs there may be for each two ranks, on average, to go from host to host: messages of about
// a kilobyte. Not more, since all ranks of a host get what comes there.
const shortPairs = 128

// newHostExchange returns the exchange of ranks whose parts of a bitmap have that many bytes, the same on all ranks.
func newHostExchange(t comm.Transport, part int) *hostExchange {
	m, n := newMeter(t), t.Size()
	_, onHost := comm.Place(t)
	x := &hostExchange{
		meter: m, workers: max(runtime.GOMAXPROCS(0)/onHost, 1),
		pairs: make([][]byte, n), rooms: make([][]byte, n), got: make([][]byte, n),
	}
	if tiers := comm.NewTwoLevel(m); tiers.Save() && tiers.Incoming(part) >= bounds.TiersFrom {
		x.tiers = tiers
	}
	return x
}

// exchange does what a cuda.Exchanger does: at a barrier a rank has a message for each rank that shares no memory with
// it, with pairs for that rank, with words of the bitmap, the same for all, or with nothing but the header. The message
// for the rank itself is a header of its own. form is that of the words in the place of pairs: pairs, queries or
// replies.
func (x *hostExchange) exchange(form string, send, into [][]byte) (got [][]byte, err error) {
	x.form = form
	if x.tiers != nil {
		got, err = x.inTiers(send, into)
	} else {
		got, err = x.direct(send, into)
	}
	x.log = append(x.log, x.meter.traffic.Take())
	return got, err
}

// direct sends messages as they are, from rank to rank.
func (x *hostExchange) direct(send, into [][]byte) ([][]byte, error) {
	got, err := x.meter.AllToAllInto(send, into)
	for r := range got {
		for i, message := range []searchMessage{send[r], got[r]} {
			if len(message) < headerBytes {
				continue
			}
			header, rest := [2]int{}, [2]int{}
			header[i], rest[i] = headerBytes, len(message)-headerBytes
			x.meter.traffic.Count(trace.SumsPayload, r, header[0], header[1])
			x.meter.traffic.Count(message.form(x.form), r, rest[0], rest[1])
		}
	}
	return got, err
}

func (x *hostExchange) inTiers(send, into [][]byte) ([][]byte, error) {
	if err := x.pack(send); err != nil {
		return nil, err
	}
	x.meter.form = trace.SumsPayload
	messages, err := x.tiers.AllGather(x.toAll)
	if err != nil {
		return nil, err
	}
	pairs, err := x.unpackAll(messages, into)
	if err != nil || pairs == 0 {
		return x.got, err
	}
	return x.got, x.carryPairs(pairs)
}

// pack combines the messages into one for all ranks: a header, with the number of all pairs, and words of the bitmap;
// and apart from it the pairs for each rank.
func (x *hostExchange) pack(send [][]byte) error {
	me, sum := x.meter.Rank(), uint64(0)
	var first searchMessage
	for r, message := range send {
		x.pairs[r] = nil
		if r == me || len(message) == 0 {
			continue
		}
		if err := checkHeader(me, message); err != nil {
			return err
		}
		if first == nil {
			first = message
		}
		n := searchMessage(message).pairs()
		x.pairs[r] = message[headerBytes:][:n*pairBytes]
		sum += n
	}
	if first == nil {
		return errors.New("gpu: a rank has no messages for other hosts: ranks disagree about who shares memory")
	}
	x.toAll = append(x.toAll[:0], first[:headerBytes]...)
	searchMessage(x.toAll).setPairs(sum)
	words := first[headerBytes:][:first.bitmapBytes()]
	if _, whole := first.words(); whole {
		x.toAll = append(x.toAll, words...)
	} else {
		x.toAll, x.scratch = packListed(x.toAll, words, x.scratch)
	}
	own := send[me]
	x.got[me] = slices.Clone(own)
	return nil
}

// unpackAll puts what came from each rank to where messages from it are to be, and returns how many pairs all ranks
// have. Ranks that share memory with this one get no other messages.
func (x *hostExchange) unpackAll(messages, into [][]byte) (pairs uint64, err error) {
	me := x.meter.Rank()
	for r, message := range messages {
		if err := checkHeader(r, message); err != nil {
			return 0, err
		}
		pairs += searchMessage(message).pairs()
		if searchMessage(message).bitmapBytes() > 0 {
			x.meter.traffic.Rename(trace.SumsPayload, trace.BitmapPayload)
		}
	}
	faults := make([]error, len(messages))
	par.For(x.workers, len(messages), 1, func(_, r, _ int) {
		switch {
		case r == me:
			x.got[r] = into[r][:copy(into[r], x.got[r])]
		case len(into[r]) == 0:
			x.got[r] = nil
		default:
			x.got[r], faults[r] = unpack(into[r], messages[r])
		}
		x.rooms[r] = into[r][len(x.got[r]):]
	})
	return pairs, errors.Join(faults...)
}

// unpack makes a message for the device of one that went to all ranks. It has no pairs yet.
func unpack(into []byte, packed searchMessage) ([]byte, error) {
	n, whole := packed.words()
	bytes := headerBytes + packed.bitmapBytes()
	if n >= 1<<32 || bytes > len(into) {
		return nil, fmt.Errorf("gpu: %d words of a bitmap came during a search, more than there is room for: "+
			"are the ranks' programs the same?", n)
	}
	message := into[:bytes]
	copy(message, packed[:headerBytes])
	searchMessage(message).setPairs(0)
	rest := packed[headerBytes:]
	if !whole {
		return message, unpackListed(message[headerBytes:], rest)
	}
	if len(rest) != bytes-headerBytes {
		return nil, errListed
	}
	copy(message[headerBytes:], rest)
	return message, nil
}

// carryPairs sends pairs to their owners, which put them after the headers. all is the number of pairs of all ranks.
func (x *hostExchange) carryPairs(all uint64) (err error) {
	ranks := uint64(x.meter.Size())
	short := all <= shortPairs*ranks*ranks
	var got [][]byte
	if x.meter.form = x.form; short {
		got, err = x.tiers.AllToAll(x.pairs)
	} else {
		got, err = x.meter.AllToAllInto(x.pairs, x.rooms)
		for r := range got {
			x.meter.traffic.Count(x.form, r, len(x.pairs[r]), len(got[r]))
		}
	}
	for r, pairs := range got {
		if r == x.meter.Rank() || len(pairs) == 0 {
			continue
		}
		if len(pairs) > len(x.rooms[r]) || len(pairs)%pairBytes != 0 {
			return fmt.Errorf("gpu: %d bytes of pairs came from rank %d, which there is no room for: "+
				"are the ranks' programs the same?", len(pairs), r)
		}
		if short {
			copy(x.rooms[r], pairs)
		}
		x.got[r] = x.got[r][:len(x.got[r])+len(pairs)]
		searchMessage(x.got[r]).setPairs(uint64(len(pairs) / pairBytes))
	}
	return err
}
