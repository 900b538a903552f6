package bfs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/trace"
)

// barrierOf is what the ranks of a job say at a barrier.
type barrierOf struct {
	name  string
	words int    // of the bitmap that a rank lists, at most
	whole bool   // instead, some ranks send their whole parts
	pairs int    // that a rank has for another, at most
	form  string // of these; bins if it is empty
}

const partWords = 1024 // of the bitmap, of a rank

var barriers = []barrierOf{
	{name: "nothing"},
	{name: "a few pairs", pairs: 5},
	{name: "many pairs", pairs: 4 * shortPairs},
	{name: "questions", pairs: 4 * shortPairs, form: trace.QueriesPayload},
	{name: "answers", pairs: 5, form: trace.RepliesPayload},
	{name: "listed words", words: partWords / 4},
	{name: "whole parts", words: partWords / 4, whole: true},
}

// formOfPairs is what stands in the place of pairs.
func (b barrierOf) formOfPairs() string { return cmp.Or(b.form, trace.BinsPayload) }

// messagesOf are those of a rank, as its device makes them: for each rank that it sends any to, and for itself.
func (b barrierOf) messagesOf(rank, number int, gets []bool) [][]byte {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(number)))
	var body []byte
	form := uint64(0)
	switch n := r.IntN(b.words + 1); {
	case b.whole && rank%2 == 0:
		body = make([]byte, partWords*wordBytes)
		for i := range body {
			body[i] = byte(r.Uint32())
		}
		form = partWords<<1 | 1
	case n > 0:
		body = drawnWords(r, n)
		form = uint64(n) << 1
	}
	send := make([][]byte, len(gets))
	for to, get := range gets {
		n := uint64(0)
		if b.pairs > 0 && get {
			n = r.Uint64N(uint64(b.pairs + 1))
		}
		counters := []uint64{7, uint64(rank), n, form, 0, 9}
		message := []byte{}
		if to == rank {
			counters[wordsCounter] = 0 // of peers, and none here
		}
		for _, c := range counters {
			message = binary.LittleEndian.AppendUint64(message, uint64(number)<<counterBits|c)
		}
		for range n {
			message = binary.LittleEndian.AppendUint64(message, r.Uint64())
		}
		if get {
			send[to] = append(message, body...)
		} else if to == rank {
			send[to] = message
		}
	}
	return send
}

// inOrder is a message with its listed words by place.
func inOrder(m []byte) []byte {
	if len(m) == 0 {
		return nil
	}
	if n, whole := searchMessage(m).words(); n > 0 && !whole {
		return slices.Concat(m[:headerBytes], sortedByPlace(m[headerBytes:]))
	}
	return m
}

// rooms are where a rank's messages are to be.
func rooms(gets []bool, rank int) [][]byte {
	into := make([][]byte, len(gets))
	for r, get := range gets {
		if get {
			into[r] = make([]byte, headerBytes+max(partWords*wordBytes, 4*shortPairs*pairBytes))
		} else if r == rank {
			into[r] = make([]byte, headerBytes)
		}
	}
	return into
}

// Whatever ranks say at barriers, each gets what it gets where all is sent as it is, from rank to rank; where ranks of
// a host share memory, and where they send each other messages. All ranks together receive what they send.
func TestMessagesBetweenHosts(t *testing.T) {
	for _, hosts := range [][]int{
		{0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 0, 0, 1, 1, 2}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4},
	} {
		for _, share := range []bool{true, false} {
			if share && slices.Max(hosts) == 0 {
				continue // then there are no messages
			}
			err := comm.Loopback(len(hosts), func(t comm.Transport) error {
				t = comm.EmulateNodes(t, hosts)
				me := t.Rank()
				gets := make([]bool, len(hosts))
				for r := range gets {
					gets[r] = r != me && !(share && hosts[r] == hosts[me])
				}
				x := newHostExchange(t, bounds.TwoLevelFrom)
				for number, b := range barriers {
					send := b.messagesOf(me, number, gets)
					want, err := t.AllToAllInto(send, rooms(gets, me))
					if err != nil {
						return err
					}
					want = slices.Clone(want)
					got, err := x.exchange(b.formOfPairs(), send, rooms(gets, me))
					if err != nil {
						return err
					}
					for r := range got {
						if !bytes.Equal(got[r], inOrder(want[r])) && !bytes.Equal(got[r], want[r]) {
							return fmt.Errorf("%s: another message of rank %d", b.name, r)
						}
					}
					if err := hasForm(t, x.log[number], b); err != nil {
						return err
					}
					if err := sameBothWays(t, x.log[number]); err != nil {
						return fmt.Errorf("%s: %w", b.name, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("hosts %v, memory shared: %v: %v", hosts, share, err)
			}
		}
	}
}

// hasForm checks that what ranks have sent in the place of pairs is counted in its form. It is collective.
func hasForm(t comm.Transport, traffic []trace.Traffic, b barrierOf) error {
	sums := []int64{0, 0}
	for _, part := range traffic {
		switch part.Payload {
		case b.formOfPairs():
			sums[0] += part.Sent
		case trace.BinsPayload, trace.QueriesPayload, trace.RepliesPayload:
			sums[1] += part.Sent
		}
	}
	if err := t.AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	if (sums[0] == 0 && b.pairs > 0 && t.Size() > 2) || sums[1] > 0 {
		return fmt.Errorf("%s: %d bytes in their form, %d in others", b.name, sums[0], sums[1])
	}
	return nil
}

// sameBothWays checks that all ranks together receive what they send, form by form. It is collective.
func sameBothWays(t comm.Transport, traffic []trace.Traffic) error {
	for _, form := range []string{
		trace.BitmapPayload, trace.BinsPayload, trace.QueriesPayload, trace.RepliesPayload, trace.SumsPayload,
	} {
		for _, transport := range []string{trace.NodeTransport, trace.NetworkTransport} {
			sums := []int64{0, 0}
			for _, part := range traffic {
				if part.Payload == form && part.Transport == transport {
					sums[0] += part.Sent
					sums[1] += part.Received
				}
			}
			if err := t.AllReduce(sums, comm.Sum); err != nil {
				return err
			}
			if sums[0] != sums[1] {
				return fmt.Errorf("%d bytes sent, %d received, in form %s by %s", sums[0], sums[1], form, transport)
			}
		}
	}
	return nil
}

// A bitmap crosses the network once to each host, and what is listed of it in half the bytes at most.
func TestBytesOfMessagesBetweenHosts(t *testing.T) {
	hosts := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	for _, c := range []struct {
		barrier barrierOf
		factor  int64
	}{{barrierOf{words: partWords / 4}, 8}, {barrierOf{words: partWords / 4, whole: true}, 4}} {
		err := comm.Loopback(len(hosts), func(t comm.Transport) error {
			t = comm.EmulateNodes(t, hosts)
			gets := make([]bool, len(hosts))
			for r := range gets {
				gets[r] = hosts[r] != hosts[t.Rank()]
			}
			send := c.barrier.messagesOf(t.Rank(), 1, gets)
			x := newHostExchange(t, bounds.TwoLevelFrom)
			if _, err := x.exchange(trace.BinsPayload, send, rooms(gets, t.Rank())); err != nil {
				return err
			}
			sums := []int64{0, 0} // as the device has it, and what crossed
			for r, get := range gets {
				if get {
					sums[0] += int64(len(send[r]))
				}
			}
			for _, part := range x.log[0] {
				if part.Transport == trace.NetworkTransport {
					sums[1] += part.Sent
				}
			}
			if err := t.AllReduce(sums, comm.Sum); err != nil {
				return err
			}
			if 10*c.factor*sums[1] > 11*sums[0] {
				return fmt.Errorf("%d bytes crossed of messages that have %d", sums[1], sums[0])
			}
			return nil
		})
		if err != nil {
			t.Errorf("%+v: %v", c.barrier, err)
		}
	}
}

// Damaged messages are refused.
func TestDamagedMessages(t *testing.T) {
	gets := []bool{false, true}
	into := rooms(gets, 0)[1]
	header := barrierOf{}.messagesOf(0, 3, gets)[1]
	words := func(form uint64, body ...byte) []byte {
		m := slices.Clone(header)
		binary.LittleEndian.PutUint64(m[8*wordsCounter:], form)
		return append(m, body...)
	}
	for meaning, message := range map[string][]byte{
		"more words than there is room for": words(1 << 40),
		"a list that is cut off":            words(2<<1, 5),
		"a part that is cut off":            words(2<<1|1, 1, 2, 3, 4),
		"words that the header lacks":       words(0, 1),
	} {
		if _, err := unpack(into, message); err == nil {
			t.Errorf("%s is taken", meaning)
		}
	}
	if _, err := unpack(into, words(1<<1, 5)); err != nil {
		t.Errorf("a word is refused: %v", err)
	}
	if checkHeader(1, header[:headerBytes-1]) == nil {
		t.Error("a header that is cut off is taken")
	}
}

// The transport that counts messages hides no optional interface.
func TestMeterHidesNothing(t *testing.T) {
	wrap := func(t comm.Transport) comm.Transport { return newMeter(t) }
	err := comm.Loopback(1, func(tr comm.Transport) error {
		if hidden := commtest.Hidden(tr, wrap); len(hidden) > 0 {
			t.Errorf("it hides %v", hidden)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
