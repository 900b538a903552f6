// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"bytes"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"g500/comm"
	"g500/internal/expect"
)

// lengths returns the length in bytes of the message between two ranks.
type lengths func(from, to int) int

// message returns the message of n bytes from one rank to another in a round. Any two messages differ in almost every
// byte.
func message(n, from, to, round int) []byte {
	b := make([]byte, n)
	x := uint64(from)<<40 ^ uint64(to)<<20 ^ uint64(round)
	for i := range b {
		if i%8 == 0 { // splitmix64, by Vigna
			x += 0x9E3779B97F4A7C15
		}
		z := (x ^ x>>30) * 0xBF58476D1CE4E5B9
		b[i] = byte((z ^ z>>27) >> (8 * (i % 8)))
	}
	return b
}

// exchanging checks an exchange of messages with these lengths.
type exchanging func(t testing.TB, tr comm.Transport, round int, length lengths)

// roundTrip sends messages with the lengths sent by call, overwrites them, and checks that messages with the lengths
// expected have arrived.
func roundTrip(t testing.TB, tr comm.Transport, round int, sent, expected lengths,
	call func(send [][]byte) ([][]byte, error)) (recv [][]byte) {
	send := make([][]byte, tr.Size())
	for r := range send {
		send[r] = message(sent(tr.Rank(), r), tr.Rank(), r, round)
	}
	recv = expect.Value(call(send))(t)
	for _, s := range send {
		clear(s) // because the caller may reuse send at once
	}
	checkMessages(t, tr, recv, round, expected)
	return recv
}

func checkMessages(t testing.TB, tr comm.Transport, recv [][]byte, round int, expected lengths) {
	expect.Equal(t, len(recv), tr.Size(), "messages")
	for _, got := range recv {
		_ = append(got, unused) // which must not overwrite another message
	}
	for r, got := range recv {
		want := message(expected(r, tr.Rank()), r, tr.Rank(), round)
		expect.That(t, bytes.Equal(got, want),
			"round %d: the %d bytes from rank %d are not the %d it sent", round, len(got), r, len(want))
	}
}

// swap checks an AllToAll.
func swap(t testing.TB, tr comm.Transport, round int, length lengths) {
	checkAligned(t, roundTrip(t, tr, round, length, length, tr.AllToAll))
}

func checkAligned(t testing.TB, recv [][]byte) {
	for r, got := range recv {
		expect.That(t, uintptr(unsafe.Pointer(unsafe.SliceData(got)))%8 == 0,
			"the message from rank %d does not start at an 8-byte boundary", r)
	}
}

// swapInto checks an AllToAllInto.
func swapInto(t testing.TB, tr comm.Transport, round int, length lengths) {
	into := make([][]byte, tr.Size())
	for r := range into {
		into[r] = bytes.Repeat([]byte{unused}, length(r, tr.Rank()))
	}
	roundTrip(t, tr, round, length, length, func(send [][]byte) ([][]byte, error) {
		return into, tr.AllToAllInto(send, into)
	})
}

// unused fills receive buffers.
const unused = 0xEE

// patterns returns lengths of messages among n ranks.
func patterns(n int) []lengths {
	return []lengths{
		func(_, _ int) int { return 0 },
		func(_, _ int) int { return 1 },
		func(from, to int) int { return 1000*from + to },             // different lengths, and no multiples of 8
		func(from, to int) int { return max(0, to-from) * 37 },       // to higher ranks
		func(from, to int) int { return boolInt(from == to) * 99 },   // to itself
		func(from, _ int) int { return boolInt(from == n-1) * 4096 }, // from one to all
		func(_, to int) int { return boolInt(to == n/2) * 4097 },     // from all to one
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// everyPattern exchanges messages of every pattern.
func everyPattern(exchange exchanging) check {
	return func(t testing.TB, tr comm.Transport) {
		for round, length := range patterns(tr.Size()) {
			exchange(t, tr, round, length)
		}
	}
}

// large exchanges one message of megabytes per rank, and short ones.
func large(exchange exchanging) check {
	return func(t testing.TB, tr comm.Transport) {
		exchange(t, tr, 0, func(from, to int) int {
			if to == (from+1)%tr.Size() {
				return 5<<20 + 3
			}
			return 100 * (from + to)
		})
	}
}

// allToAllReuse: 40 rounds use the same buffers, which grow, shrink and are overwritten as soon as AllToAll returns,
// while the garbage collector runs. The result of a round remains valid until the next round.
func allToAllReuse(t testing.TB, tr comm.Transport) {
	n := tr.Size()
	memory, send := make([]byte, n*5000), make([][]byte, n)
	for round := range 40 {
		length := func(from, to int) int { return (from*977 + to*131 + round*round*61) % 5000 }
		for r := range send {
			send[r] = memory[r*5000:][:length(tr.Rank(), r)]
			copy(send[r], message(len(send[r]), tr.Rank(), r, round))
		}
		recv := expect.Value(tr.AllToAll(send))(t)
		for i := range memory {
			memory[i] = unused
		}
		if round%8 == 0 {
			runtime.GC()
		}
		expect.NoError(t, tr.Barrier()) // after it every rank has overwritten its buffers
		checkMessages(t, tr, recv, round, length)
	}
}

// gathers checks that every rank's block arrives on all ranks, at its place, and that the rank's own block does not
// change, with blocks of each length.
func gathers(lengths ...int) check {
	return func(t testing.TB, tr comm.Transport) {
		for _, k := range lengths {
			gather(t, tr, k)
		}
	}
}

func gather(t testing.TB, tr comm.Transport, k int) {
	words, want := make([]uint64, tr.Size()*k), make([]uint64, tr.Size()*k)
	for i := range want {
		want[i] = uint64(i) + 7
	}
	copy(words[tr.Rank()*k:][:k], want[tr.Rank()*k:])
	expect.NoError(t, tr.AllGather(words))
	expect.That(t, slices.Equal(words, want), "words of other ranks, with %d per rank", k)
	clear(words) // because the caller may reuse them at once
}

// refusals: every rank refuses wrong numbers of messages and words, before it sends any.
func refusals(t testing.TB, tr comm.Transport) {
	n := tr.Size()
	_, err := tr.AllToAll(make([][]byte, n+1))
	expect.That(t, err != nil, "AllToAll accepts %d messages for %d ranks", n+1, n)
	for _, counts := range [][2]int{{n + 1, n}, {n, n + 1}} {
		err := tr.AllToAllInto(make([][]byte, counts[0]), make([][]byte, counts[1]))
		expect.That(t, err != nil, "AllToAllInto accepts %d messages and buffers for %d ranks", counts, n)
	}
	err = tr.AllGather(make([]uint64, n+1))
	expect.That(t, err != nil || n == 1, "AllGather accepts %d words for %d ranks", n+1, n)
}

// sends reports whether one rank sends messages to another one.
type sends func(from, to int) bool

// graphs returns communication graphs of n ranks.
func graphs(n int) []sends {
	return []sends{
		func(_, _ int) bool { return false },
		func(_, _ int) bool { return true },
		func(from, to int) bool { return to == (from+1)%n },
		func(from, to int) bool { return from == 0 || to == 0 },
		func(from, to int) bool { return to > from },
		func(from, to int) bool { return to == n-1 }, // to one rank, which sends nothing
		func(from, to int) bool { return (from*7+to*3+from*to)%4 == 0 },
	}
}

// neighboursOf returns the neighbours of a rank in a graph of n ranks.
func neighboursOf(rank, n int, graph sends) (found comm.Neighbours) {
	for r := range n {
		if r != rank && graph(rank, r) {
			found.To = append(found.To, int32(r))
		}
		if r != rank && graph(r, rank) {
			found.From = append(found.From, int32(r))
		}
	}
	return found
}

// swapNear returns a check of NeighbourAllToAll in a graph. send also has messages for other ranks, which must not
// arrive.
func swapNear(graph sends) exchanging {
	return func(t testing.TB, tr comm.Transport, round int, length lengths) {
		expected := func(from, to int) int { return length(from, to) * boolInt(from != to && graph(from, to)) }
		checkAligned(t, roundTrip(t, tr, round, length, expected, func(send [][]byte) ([][]byte, error) {
			return tr.NeighbourAllToAll(send, neighboursOf(tr.Rank(), tr.Size(), graph))
		}))
	}
}

// neighbourSizes: every pattern of messages along every graph.
func neighbourSizes(t testing.TB, tr comm.Transport) {
	for _, graph := range graphs(tr.Size()) {
		everyPattern(swapNear(graph))(t, tr)
	}
}

// neighbourRefusals: every rank refuses ranks that cannot be neighbours, before it sends a message.
func neighbourRefusals(t testing.TB, tr comm.Transport) {
	me, n := int32(tr.Rank()), tr.Size()
	for _, wrong := range []comm.Neighbours{
		{To: []int32{me}}, {From: []int32{me}}, {To: []int32{int32(n)}}, {From: []int32{-1}},
	} {
		_, err := tr.NeighbourAllToAll(make([][]byte, n), wrong)
		expect.That(t, err != nil, "NeighbourAllToAll accepts %v on rank %d of %d", wrong, me, n)
	}
	_, err := tr.NeighbourAllToAll(make([][]byte, n+1), comm.Neighbours{})
	expect.That(t, err != nil, "NeighbourAllToAll accepts one message too many")
}
