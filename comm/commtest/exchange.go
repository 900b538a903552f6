package commtest

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"g500/comm"
)

// message is what a rank sends to another in a round: any two differ in almost every byte, so that one in the
// wrong place is seen. It fills b.
func message(b []byte, from, to, round int) {
	x := uint64(from)<<40 ^ uint64(to)<<20 ^ uint64(round)
	for i := range b {
		if i%8 == 0 { // splitmix64, by Vigna
			x += 0x9E3779B97F4A7C15
		}
		z := (x ^ x>>30) * 0xBF58476D1CE4E5B9
		b[i] = byte((z ^ z>>27) >> (8 * (i % 8)))
	}
}

// swap sends messages whose sizes size gives, and checks what comes.
func swap(t comm.Transport, round int, size func(from, to int) int) error {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = make([]byte, size(t.Rank(), r))
		message(send[r], t.Rank(), r, round)
	}
	recv, err := t.AllToAll(send)
	if err != nil {
		return err
	}
	for _, s := range send {
		clear(s) // send may be reused at once
	}
	return checkMessages(t, recv, round, size)
}

func checkMessages(t comm.Transport, recv [][]byte, round int, size func(from, to int) int) error {
	if len(recv) != t.Size() {
		return fmt.Errorf("AllToAll gives %d messages", len(recv))
	}
	for r, got := range recv {
		want := make([]byte, size(r, t.Rank()))
		message(want, r, t.Rank(), round)
		if !bytes.Equal(got, want) {
			return fmt.Errorf("round %d: the %d bytes from rank %d are not the %d it sent", round, len(got), r, len(want))
		}
		if uintptr(unsafe.Pointer(unsafe.SliceData(got)))%8 != 0 {
			return fmt.Errorf("round %d: the message from rank %d does not start at an 8-byte boundary", round, r)
		}
	}
	return nil
}

// patterns are sizes of messages among n ranks.
func patterns(n int) []func(from, to int) int {
	return []func(from, to int) int{
		func(_, _ int) int { return 0 },
		func(_, _ int) int { return 1 },
		func(from, to int) int { return 1000*from + to },             // uneven, lengths that are not whole words
		func(from, to int) int { return max(0, to-from) * 37 },       // only to higher ranks
		func(from, to int) int { return boolInt(from == to) * 99 },   // only to oneself
		func(from, _ int) int { return boolInt(from == n-1) * 4096 }, // from one to all
		func(_, to int) int { return boolInt(to == n/2) * 4097 },     // from all to one
	}
}

// allToAllSizes: every pattern of empty and uneven messages, to oneself as to others.
func allToAllSizes(t comm.Transport, n int) error {
	for round, size := range patterns(n) {
		if err := swap(t, round, size); err != nil {
			return err
		}
	}
	return nil
}

// allToAllLarge: messages of megabytes, beside small ones.
func allToAllLarge(t comm.Transport, n int) error {
	return swap(t, 0, oneLarge(n))
}

// oneLarge gives each rank one large message, and small ones.
func oneLarge(n int) func(from, to int) int {
	return func(from, to int) int {
		if to == (from+1)%n {
			return 5<<20 + 3
		}
		return 100 * (from + to)
	}
}

// allToAllReuse: many rounds from the same buffers, which grow, shrink and are scribbled over as soon as AllToAll
// returns, while the garbage collector runs. The result of a round stays as it is until the next.
func allToAllReuse(t comm.Transport, n int) error {
	memory := make([]byte, n*5000)
	send := make([][]byte, n)
	for round := range 40 {
		size := func(from, to int) int { return (from*977 + to*131 + round*round*61) % 5000 }
		for r := range send {
			send[r] = memory[r*5000:][:size(t.Rank(), r)]
			message(send[r], t.Rank(), r, round)
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
		if err := t.Barrier(); err != nil { // by now every rank has scribbled
			return err
		}
		if err := checkMessages(t, recv, round, size); err != nil {
			return err
		}
	}
	return nil
}

// allGatherSizes: every rank's block arrives everywhere, at its place, and its own stays.
func allGatherSizes(t comm.Transport, _ int) error {
	for _, k := range []int{0, 1, 2, 3, 100} {
		if err := gather(t, k); err != nil {
			return err
		}
	}
	return nil
}

// allGatherLarge: blocks of half a megabyte.
func allGatherLarge(t comm.Transport, _ int) error { return gather(t, 70_001) }

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
			return fmt.Errorf("word %d of %d a rank is %d, want %d", i, k, w, i+7)
		}
	}
	clear(words) // they may be reused at once
	return nil
}

// refusals: what cannot be sent is refused on every rank alike, before anything is sent.
func refusals(t comm.Transport, n int) error {
	if _, err := t.AllToAll(make([][]byte, n+1)); err == nil {
		return fmt.Errorf("AllToAll takes %d messages for %d ranks", n+1, n)
	}
	if _, err := t.AllToAllInto(make([][]byte, n+1), make([][]byte, n)); err == nil {
		return fmt.Errorf("AllToAllInto takes %d messages for %d ranks", n+1, n)
	}
	if _, err := t.AllToAllInto(make([][]byte, n), make([][]byte, n+1)); err == nil {
		return fmt.Errorf("AllToAllInto takes room for %d messages from %d ranks", n+1, n)
	}
	if err := t.AllGather(make([]uint64, n+1)); err == nil && n > 1 {
		return fmt.Errorf("AllGather takes %d words for %d ranks", n+1, n)
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
