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

// hostExchange exchanges the messages of searches between ranks that share no memory. If nodes have several ranks and
// bitmaps are large, headers and words of bitmaps cross the network once per node, and listed words are packed
// (comm.TwoLevel). Then pairs follow, if any rank has some: from node to node if messages between ranks would be short,
// else from rank to rank.
type hostExchange struct {
	meter   *meter
	nodes   *comm.TwoLevel // nil if all messages go from rank to rank
	workers int
	payload string // of pairs, or of queries or replies in place of pairs

	toAll   []byte   // the message to all ranks
	scratch []uint64 // buffer of packListed
	pairs   [][]byte // by rank: pairs for the rank
	spaces  [][]byte // by rank: memory for pairs from the rank
	got     [][]byte // by rank: received messages

	log [][]trace.Traffic // of the last search, by exchange
}

// shortPairs is the largest mean number of pairs per two ranks, about a kilobyte, that go from node to node. With more
// it would be slower, because all ranks of a node receive all pairs for the node.
const shortPairs = 128

// newHostExchange returns the exchange of ranks whose parts of a bitmap have part bytes, the same on all ranks.
func newHostExchange(t comm.Transport, part int) *hostExchange {
	m, n := newMeter(t), t.Size()
	_, onNode := comm.Place(t)
	x := &hostExchange{
		meter: m, workers: max(runtime.GOMAXPROCS(0)/onNode, 1),
		pairs: make([][]byte, n), spaces: make([][]byte, n), got: make([][]byte, n),
	}
	if nodes := comm.NewTwoLevel(m); nodes.Save() && nodes.Incoming(part) >= bounds.TwoLevelFrom {
		x.nodes = nodes
	}
	return x
}

// exchange is a cuda.Exchanger. At a barrier a rank has a message for each rank that shares no memory with it: a
// header, and pairs for that rank or words of the bitmap, which are the same for all. The message for the rank itself
// is a header. payload is as in hostExchange.
func (x *hostExchange) exchange(payload string, send, into [][]byte) (got [][]byte, err error) {
	x.payload = payload
	if x.nodes != nil {
		got, err = x.throughNodes(send, into)
	} else {
		got, err = x.direct(send, into)
	}
	x.log = append(x.log, x.meter.traffic.Take())
	return got, err
}

// direct sends messages from rank to rank, unchanged.
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
			x.meter.traffic.Count(message.payload(x.payload), r, rest[0], rest[1])
		}
	}
	return got, err
}

func (x *hostExchange) throughNodes(send, into [][]byte) ([][]byte, error) {
	if err := x.pack(send); err != nil {
		return nil, err
	}
	x.meter.payload = trace.SumsPayload
	messages, err := x.nodes.AllGather(x.toAll)
	if err != nil {
		return nil, err
	}
	pairs, err := x.unpackAll(messages, into)
	if err != nil || pairs == 0 {
		return x.got, err
	}
	return x.got, x.sendPairs(pairs)
}

// pack makes one message for all ranks, with a header that has the number of all pairs, and words of the bitmap. It
// also lists the pairs for each rank.
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
		return errors.New("gpu: a rank has no messages for other nodes: ranks disagree which of them share memory")
	}
	x.toAll = append(x.toAll[:0], first[:headerBytes]...)
	searchMessage(x.toAll).setPairs(sum)
	words := first[headerBytes:][:first.bitmapBytes()]
	if _, whole := first.words(); whole {
		x.toAll = append(x.toAll, words...)
	} else {
		x.toAll, x.scratch = packListed(x.toAll, words, x.scratch)
	}
	x.got[me] = slices.Clone(send[me])
	return nil
}

// unpackAll writes the message of each rank to its destination, and returns the number of pairs of all ranks. Messages
// from ranks that share memory with this one are dropped.
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
		x.spaces[r] = into[r][len(x.got[r]):]
	})
	return pairs, errors.Join(faults...)
}

// unpack converts a message to all ranks into a message for the device, without pairs.
func unpack(into []byte, packed searchMessage) ([]byte, error) {
	n, whole := packed.words()
	bytes := headerBytes + packed.bitmapBytes()
	if n >= 1<<32 || bytes > len(into) {
		return nil, fmt.Errorf("gpu: %d words of a bitmap arrived during a search, more than the buffer holds: "+
			"run the same version of g500 on all ranks", n)
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

// sendPairs sends pairs to their owners, which append them to the headers. all is the number of pairs of all ranks.
func (x *hostExchange) sendPairs(all uint64) (err error) {
	ranks := uint64(x.meter.Size())
	short := all <= shortPairs*ranks*ranks
	var got [][]byte
	if x.meter.payload = x.payload; short {
		got, err = x.nodes.AllToAll(x.pairs)
	} else {
		got, err = x.meter.AllToAllInto(x.pairs, x.spaces)
		for r := range got {
			x.meter.traffic.Count(x.payload, r, len(x.pairs[r]), len(got[r]))
		}
	}
	for r, pairs := range got {
		if r == x.meter.Rank() || len(pairs) == 0 {
			continue
		}
		if len(pairs) > len(x.spaces[r]) || len(pairs)%pairBytes != 0 {
			return fmt.Errorf("gpu: %d bytes of pairs arrived from rank %d, more than the buffer holds: "+
				"run the same version of g500 on all ranks", len(pairs), r)
		}
		if short {
			copy(x.spaces[r], pairs)
		}
		x.got[r] = x.got[r][:len(x.got[r])+len(pairs)]
		searchMessage(x.got[r]).setPairs(uint64(len(pairs) / pairBytes))
	}
	return err
}

// meter is a transport that counts the bytes of messages to and from other ranks, within the node and between nodes.
type meter struct {
	comm.Wrapper
	traffic trace.Meter
	payload string // of messages of AllToAll
}

func newMeter(t comm.Transport) *meter {
	return &meter{Wrapper: comm.Wrapper{Transport: t}, traffic: trace.NewMeter(t.Rank(), t.Nodes())}
}

// AllToAll counts and calls Transport.AllToAll.
func (m *meter) AllToAll(send [][]byte) ([][]byte, error) {
	got, err := m.Transport.AllToAll(send)
	m.count(send, got)
	return got, err
}

// NeighbourAllToAll counts and calls Transport.NeighbourAllToAll.
func (m *meter) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	got, err := m.Transport.NeighbourAllToAll(send, n)
	m.count(send, got)
	return got, err
}

func (m *meter) count(send, got [][]byte) {
	for r := range got {
		m.traffic.Count(m.payload, r, len(send[r]), len(got[r]))
	}
}
