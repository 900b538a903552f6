package bfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/trace"
)

// barrierOf describes the messages of a job's ranks at a barrier.
type barrierOf struct {
	name    string
	words   int    // largest number of words of the bitmap that a rank lists
	whole   bool   // instead, every second rank sends its whole part
	pairs   int    // largest number of pairs between two ranks
	payload string // of pairs
}

const partWords = 1024 // words of a rank's part of the bitmap

var barriers = []barrierOf{
	{"only headers", 0, false, 0, trace.BinsPayload},
	{"a few pairs", 0, false, 5, trace.BinsPayload},
	{"many pairs", 0, false, 4 * shortPairs, trace.BinsPayload},
	{"queries", 0, false, 4 * shortPairs, trace.QueriesPayload},
	{"replies", 0, false, 5, trace.RepliesPayload},
	{"listed words", partWords / 4, false, 0, trace.BinsPayload},
	{"whole parts", partWords / 4, true, 0, trace.BinsPayload},
}

// messagesOf returns a rank's messages in the format of the device: to each rank that gets messages, and to itself.
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
			counters[wordsCounter] = 0 // words of peers, of which there are none
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

// inOrder returns a message with its listed words sorted by index.
func inOrder(m []byte) []byte {
	if len(m) == 0 {
		return nil
	}
	if n, whole := searchMessage(m).words(); n > 0 && !whole {
		return slices.Concat(m[:headerBytes], sortedByPlace(m[headerBytes:]))
	}
	return m
}

// buffers returns memory for a rank's received messages.
func buffers(gets []bool, rank int) [][]byte {
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

// onNodes runs body on the ranks of emulated nodes. gets reports the ranks to which this rank sends messages: all
// others, except ranks of the node if these share memory.
func onNodes(nodes []int, share bool, body func(t comm.Transport, gets []bool) error) error {
	return comm.Loopback(len(nodes), func(t comm.Transport) error {
		t = comm.EmulateNodes(t, nodes)
		gets := make([]bool, len(nodes))
		for r := range gets {
			gets[r] = r != t.Rank() && !(share && nodes[r] == nodes[t.Rank()])
		}
		return body(t, gets)
	})
}

// All ranks receive the same messages as by a direct exchange from rank to rank, with and without shared memory within
// nodes. The traffic of all ranks together has equal bytes sent and received.
func TestMessagesBetweenNodes(t *testing.T) {
	for _, nodes := range [][]int{
		{0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 0, 0, 1, 1, 2}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4},
	} {
		for _, share := range []bool{true, false} {
			if share && slices.Max(nodes) == 0 {
				continue // without messages
			}
			err := onNodes(nodes, share, func(t comm.Transport, gets []bool) error {
				x := newHostExchange(t, bounds.TwoLevelFrom)
				for number, b := range barriers {
					send := b.messagesOf(t.Rank(), number, gets)
					want, err := t.AllToAllInto(send, buffers(gets, t.Rank()))
					if err != nil {
						return err
					}
					want = slices.Clone(want)
					got, err := x.exchange(b.payload, send, buffers(gets, t.Rank()))
					if err != nil {
						return err
					}
					for r := range got {
						if !bytes.Equal(got[r], inOrder(want[r])) && !bytes.Equal(got[r], want[r]) {
							return fmt.Errorf("%s: the message of rank %d differs", b.name, r)
						}
					}
					if err := checkTraffic(t, x.log[number], b); err != nil {
						return fmt.Errorf("%s: %w", b.name, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("nodes %v, memory shared: %v: %v", nodes, share, err)
			}
		}
	}
}

// checkTraffic checks that all ranks together receive as many bytes as they send of each payload and transport, and
// that pairs have the payload of the barrier. It is collective.
func checkTraffic(t comm.Transport, traffic []trace.Traffic, b barrierOf) error {
	payloads := []string{
		trace.BitmapPayload, trace.SumsPayload, trace.BinsPayload, trace.QueriesPayload, trace.RepliesPayload,
	}
	transports := []string{trace.NodeTransport, trace.NetworkTransport}
	left, sent := make([]int64, len(payloads)*len(transports)), make([]int64, len(payloads))
	for _, part := range traffic {
		p := slices.Index(payloads, part.Payload)
		left[p*len(transports)+slices.Index(transports, part.Transport)] += part.Sent - part.Received
		sent[p] += part.Sent
	}
	if err := errors.Join(t.AllReduce(left, comm.Sum), t.AllReduce(sent, comm.Sum)); err != nil {
		return err
	}
	if slices.Max(left) != 0 || slices.Min(left) != 0 {
		return fmt.Errorf("bytes sent and not received, by payload and transport: %v", left)
	}
	for p, payload := range payloads[2:] {
		n, ofPairs := sent[2+p], payload == b.payload
		if ofPairs && n == 0 && b.pairs > 0 && t.Size() > 2 || !ofPairs && n > 0 {
			return fmt.Errorf("%d bytes of %s", n, payload)
		}
	}
	return nil
}

// A bitmap crosses the network once per node, and listed words need at most half of their bytes.
func TestBytesOfMessagesBetweenNodes(t *testing.T) {
	for _, c := range []struct {
		barrier barrierOf
		factor  int64
	}{{barriers[5], 8}, {barriers[6], 4}} {
		err := onNodes([]int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, true, func(t comm.Transport, gets []bool) error {
			send := c.barrier.messagesOf(t.Rank(), 1, gets)
			x := newHostExchange(t, bounds.TwoLevelFrom)
			if _, err := x.exchange(trace.BinsPayload, send, buffers(gets, t.Rank())); err != nil {
				return err
			}
			sums := []int64{0, 0} // bytes of the device's messages, and bytes over the network
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
				return fmt.Errorf("%d bytes crossed the network for messages of %d bytes", sums[1], sums[0])
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", c.barrier.name, err)
		}
	}
}

// Damaged messages are errors.
func TestDamagedMessages(t *testing.T) {
	gets := []bool{false, true}
	into := buffers(gets, 0)[1]
	header := barrierOf{}.messagesOf(0, 3, gets)[1]
	words := func(form uint64, body ...byte) []byte {
		m := slices.Clone(header)
		binary.LittleEndian.PutUint64(m[8*wordsCounter:], form)
		return append(m, body...)
	}
	for meaning, message := range map[string][]byte{
		"more words than the buffer holds": words(1 << 40),
		"a list that is cut off":           words(2<<1, 5),
		"a part that is cut off":           words(2<<1|1, 1, 2, 3, 4),
		"words that the header lacks":      words(0, 1),
	} {
		if _, err := unpack(into, message); err == nil {
			t.Errorf("%s: no error", meaning)
		}
	}
	if _, err := unpack(into, words(1<<1, 5)); err != nil {
		t.Errorf("one word: %v", err)
	}
	if checkHeader(1, header[:headerBytes-1]) == nil {
		t.Error("a header that is cut off: no error")
	}
}

// meter has the optional interfaces of its transport.
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
