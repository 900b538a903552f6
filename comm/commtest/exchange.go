// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"g500/comm"
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

// roundTrip sends messages with the lengths sent by call, overwrites them, and checks that messages with the lengths
// expected have arrived.
func roundTrip(t comm.Transport, round int, sent, expected lengths,
	call func(send [][]byte) ([][]byte, error)) (recv [][]byte, err error) {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = message(sent(t.Rank(), r), t.Rank(), r, round)
	}
	if recv, err = call(send); err != nil {
		return nil, err
	}
	for _, s := range send {
		clear(s) // because the caller may reuse send at once
	}
	return recv, checkMessages(t, recv, round, expected)
}

func checkMessages(t comm.Transport, recv [][]byte, round int, expected lengths) error {
	if len(recv) != t.Size() {
		return fmt.Errorf("%d messages from %d ranks", len(recv), t.Size())
	}
	for r, got := range recv {
		want := message(expected(r, t.Rank()), r, t.Rank(), round)
		if !bytes.Equal(got, want) {
			return fmt.Errorf("round %d: the %d bytes from rank %d are not the %d it sent", round, len(got), r, len(want))
		}
	}
	return nil
}

// swap checks an AllToAll.
func swap(t comm.Transport, round int, length lengths) error {
	recv, err := roundTrip(t, round, length, length, t.AllToAll)
	return errors.Join(err, checkAligned(recv))
}

func checkAligned(recv [][]byte) error {
	for r, got := range recv {
		if uintptr(unsafe.Pointer(unsafe.SliceData(got)))%8 != 0 {
			return fmt.Errorf("the message from rank %d does not start at an 8-byte boundary", r)
		}
	}
	return nil
}

// swapInto checks an AllToAllInto.
func swapInto(t comm.Transport, round int, length lengths) error {
	into := make([][]byte, t.Size())
	for r := range into {
		into[r] = bytes.Repeat([]byte{unused}, length(r, t.Rank()))
	}
	_, err := roundTrip(t, round, length, length, func(send [][]byte) ([][]byte, error) {
		return into, t.AllToAllInto(send, into)
	})
	return err
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
func everyPattern(exchange func(t comm.Transport, round int, length lengths) error) func(comm.Transport, int) error {
	return func(t comm.Transport, n int) error {
		for round, length := range patterns(n) {
			if err := exchange(t, round, length); err != nil {
				return err
			}
		}
		return nil
	}
}

// large exchanges one message of megabytes per rank, and short ones.
func large(exchange func(t comm.Transport, round int, length lengths) error) func(comm.Transport, int) error {
	return func(t comm.Transport, n int) error {
		return exchange(t, 0, func(from, to int) int {
			if to == (from+1)%n {
				return 5<<20 + 3
			}
			return 100 * (from + to)
		})
	}
}

// allToAllReuse: 40 rounds use the same buffers, which grow, shrink and are overwritten as soon as AllToAll returns,
// while the garbage collector runs. The result of a round remains valid until the next round.
func allToAllReuse(t comm.Transport, n int) error {
	memory := make([]byte, n*5000)
	send := make([][]byte, n)
	for round := range 40 {
		length := func(from, to int) int { return (from*977 + to*131 + round*round*61) % 5000 }
		for r := range send {
			send[r] = memory[r*5000:][:length(t.Rank(), r)]
			copy(send[r], message(len(send[r]), t.Rank(), r, round))
		}
		recv, err := t.AllToAll(send)
		if err != nil {
			return err
		}
		for i := range memory {
			memory[i] = 0xEE
		}
		if round%8 == 0 {
			runtime.GC()
		}
		if err := t.Barrier(); err != nil { // after it every rank has overwritten its buffers
			return err
		}
		if err := checkMessages(t, recv, round, length); err != nil {
			return err
		}
	}
	return nil
}

// gathers checks that every rank's block arrives on all ranks, at its place, and that the rank's own block does not
// change, with blocks of each length.
func gathers(lengths ...int) func(comm.Transport, int) error {
	return func(t comm.Transport, _ int) error {
		for _, k := range lengths {
			if err := gather(t, k); err != nil {
				return err
			}
		}
		return nil
	}
}

func gather(t comm.Transport, k int) error {
	words := make([]uint64, t.Size()*k)
	mine := words[t.Rank()*k:][:k]
	for i := range mine {
		mine[i] = uint64(t.Rank()*k+i) + 7
	}
	if err := t.AllGather(words); err != nil {
		return err
	}
	for i, w := range words {
		if w != uint64(i)+7 {
			return fmt.Errorf("word %d, with %d per rank, is %d, want %d", i, k, w, i+7)
		}
	}
	clear(words) // because the caller may reuse them at once
	return nil
}

// refusals: every rank refuses wrong numbers of messages and words, before it sends any.
func refusals(t comm.Transport, n int) error {
	if _, err := t.AllToAll(make([][]byte, n+1)); err == nil {
		return fmt.Errorf("AllToAll accepts %d messages for %d ranks", n+1, n)
	}
	for _, counts := range [][2]int{{n + 1, n}, {n, n + 1}} {
		if err := t.AllToAllInto(make([][]byte, counts[0]), make([][]byte, counts[1])); err == nil {
			return fmt.Errorf("AllToAllInto accepts %d messages and %d buffers for %d ranks", counts[0], counts[1], n)
		}
	}
	if err := t.AllGather(make([]uint64, n+1)); err == nil && n > 1 {
		return fmt.Errorf("AllGather accepts %d words for %d ranks", n+1, n)
	}
	return nil
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
func swapNear(graph sends) func(t comm.Transport, round int, length lengths) error {
	return func(t comm.Transport, round int, length lengths) error {
		expected := func(from, to int) int { return length(from, to) * boolInt(from != to && graph(from, to)) }
		recv, err := roundTrip(t, round, length, expected, func(send [][]byte) ([][]byte, error) {
			return t.NeighbourAllToAll(send, neighboursOf(t.Rank(), t.Size(), graph))
		})
		return errors.Join(err, checkAligned(recv))
	}
}

// neighbourSizes: every pattern of messages along every graph.
func neighbourSizes(t comm.Transport, n int) error {
	for _, graph := range graphs(n) {
		if err := everyPattern(swapNear(graph))(t, n); err != nil {
			return err
		}
	}
	return nil
}

// neighbourRefusals: every rank refuses ranks that cannot be neighbours, before it sends a message.
func neighbourRefusals(t comm.Transport, n int) error {
	send := make([][]byte, n)
	for _, wrong := range []comm.Neighbours{
		{To: []int32{int32(t.Rank())}}, {From: []int32{int32(t.Rank())}}, {To: []int32{int32(n)}}, {From: []int32{-1}},
	} {
		if _, err := t.NeighbourAllToAll(send, wrong); err == nil {
			return fmt.Errorf("NeighbourAllToAll accepts %v on rank %d of %d", wrong, t.Rank(), n)
		}
	}
	if _, err := t.NeighbourAllToAll(make([][]byte, n+1), comm.Neighbours{}); err == nil {
		return errors.New("NeighbourAllToAll accepts one message too many")
	}
	return nil
}
