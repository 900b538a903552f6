//go:build cuda && cgo

package device_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

// stagingSizes are those of the buffers for the way of the hosts: one that all messages fit into, and one that cuts
// them into many pieces of odd lengths.
var stagingSizes = []int64{1 << 20, 1000}

func TestTransportOnLoopback(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4} {
		testTransport(t, comm.Loopback, ranks)
	}
}

// testTransport holds every transport to the suite on that many ranks.
func testTransport(t *testing.T, launch func(int, func(comm.Transport) error) error, ranks int) {
	for _, way := range gputest.Transports {
		for _, staging := range stagingSizes {
			t.Run(fmt.Sprintf("ranks=%d/%s/staging=%d", ranks, way.Name, staging), func(t *testing.T) {
				err := launch(ranks, func(tr comm.Transport) error { return checkTransport(tr, way.Join, staging) })
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// checkTransport runs the suite on one rank.
func checkTransport(t comm.Transport, join gputest.Join, staging int64) (err error) {
	place, _ := comm.Place(t)
	d, err := cuda.Open(place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	c, err := join(t, d, staging)
	if err != nil {
		return err
	}
	for _, check := range []func(device.Transport) error{
		checkPeers, checkGather, checkSlices, checkSwap, checkOrder, checkWindows, checkExpose, checkRefusals,
	} {
		if err := check(c); err != nil {
			return err
		}
	}
	return c.Close()
}

// pattern is what a rank sends to another in a round: words of which any two differ.
func pattern(from, to, round int, bytes int64) []uint64 {
	words := make([]uint64, bytes/8)
	for i := range words {
		words[i] = uint64(round)<<48 | uint64(from)<<40 | uint64(to)<<32 | uint64(i)
	}
	return words
}

// untouched fills memory that nobody may write to.
const untouched = 0xEEEEEEEEEEEEEEEE

// wipe fills memory with words that no message has.
func wipe(m cuda.Memory) error {
	return cuda.Write(m, 0, slices.Repeat([]uint64{untouched}, int(m.Bytes()/8)))
}

// checkPeers: a rank is no peer of itself, and what is written into peers' windows is there after a barrier.
func checkPeers(c device.Transport) error {
	n, me := c.Host().Size(), c.Host().Rank()
	w, err := c.Open("words", int64(8*n))
	if err != nil {
		return err
	}
	mine := make([]uint64, n)
	for r := range mine {
		mine[r] = untouched
	}
	mine[me] = uint64(me)
	if err := cuda.Write(w.Memory, 0, mine); err != nil {
		return err
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	if c.Peer(me) || w.Peers[me].Bytes() != 0 {
		return errors.New("a rank is its own peer")
	}
	for r := range n {
		if c.Peer(r) {
			at := int64(8 * me)
			if err := c.Device().Copy(w.Peers[r].Part(at, 8), w.Part(at, 8)); err != nil {
				return err
			}
		}
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	if err := cuda.Read(mine, w.Memory, 0); err != nil {
		return err
	}
	for r, word := range mine {
		if came := word == uint64(r); came != (c.Peer(r) || r == me) {
			return fmt.Errorf("rank %d is a peer: %v; its word came: %v", r, c.Peer(r), came)
		}
	}
	return w.Close()
}

// checkGather: every rank's part arrives everywhere, at its place, and what lies behind the parts stays.
func checkGather(c device.Transport) error {
	n, me := c.Host().Size(), c.Host().Rank()
	for round, part := range []int64{0, 16, 48, 4096, 1<<18 + 16, 32} {
		spare := int64(64)
		w, err := c.Open("parts", int64(n)*part+spare)
		if err != nil {
			return err
		}
		if err := wipe(w.Memory); err != nil {
			return err
		}
		if err := cuda.Write(w.Part(int64(me)*part, part), 0, pattern(me, 0, round, part)); err != nil {
			return err
		}
		if err := c.AllGather(w, part); err != nil {
			return err
		}
		var want []uint64
		for r := range n {
			want = append(want, pattern(r, 0, round, part)...)
		}
		if err := compare(w.Memory, want); err != nil {
			return fmt.Errorf("AllGather of parts of %d bytes: %w", part, err)
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// checkSlices: of every rank's part a slice arrives everywhere, and the rest of other ranks' parts stays.
func checkSlices(c device.Transport) error {
	n, me := c.Host().Size(), c.Host().Rank()
	const part = 4096
	w, err := c.Open("parts", int64(n)*part)
	if err != nil {
		return err
	}
	for _, slice := range [][2]int64{{0, part}, {0, 16}, {32, 64}, {part - 48, 48}, {64, 0}} {
		from, bytes := slice[0], slice[1]
		var want []uint64
		for r := range n {
			whole := pattern(r, 0, 0, part)
			for i := range whole {
				if at := int64(8 * i); r != me && (at < from || at >= from+bytes) {
					whole[i] = untouched
				}
			}
			want = append(want, whole...)
		}
		err := wipe(w.Memory)
		if err == nil {
			err = cuda.Write(w.Part(int64(me)*part, part), 0, pattern(me, 0, 0, part))
		}
		if err == nil {
			err = c.AllGatherSlice(w, part, from, bytes)
		}
		if err == nil {
			err = compare(w.Memory, want)
		}
		if err != nil {
			return fmt.Errorf("AllGatherSlice of bytes %d to %d: %w", from, from+bytes, err)
		}
	}
	return w.Close()
}

// compare reports where memory does not begin with the words, or is touched behind them. It looks at the last word
// first, and at once: what is still under way is missing there.
func compare(m cuda.Memory, want []uint64) error {
	if last := len(want) - 1; last >= 0 {
		var word [1]uint64
		if err := cuda.Read(word[:], m, int64(last)); err != nil {
			return err
		}
		if word[0] != want[last] {
			return fmt.Errorf("the last word of %d is %x, want %x", len(want), word[0], want[last])
		}
	}
	got := make([]uint64, m.Bytes()/8)
	if err := cuda.Read(got, m, 0); err != nil {
		return err
	}
	for i, word := range got {
		right := uint64(untouched)
		if i < len(want) {
			right = want[i]
		}
		if word != right {
			return fmt.Errorf("word %d of %d is %x, want %x", i, len(want), word, right)
		}
	}
	return nil
}

// made is memory with the words, which the device is still busy to bring there.
func made(d *cuda.Device, words []uint64) (*cuda.Buffer, error) {
	bytes := int64(8 * len(words))
	source, err := d.Alloc("words", bytes)
	if err != nil {
		return nil, err
	}
	if err := cuda.Write(source.Memory, 0, words); err != nil {
		return nil, err
	}
	m, err := d.Alloc("the same words", bytes)
	if err != nil {
		return nil, err
	}
	return m, d.Copy(m.Memory, source.Memory)
}

// swap sends counts that size gives, and checks what comes.
func swap(c device.Transport, w *device.Window, round int, size func(from, to int) int64) error {
	n, me := c.Host().Size(), c.Host().Rank()
	if err := wipe(w.Memory); err != nil {
		return err
	}
	counts, traffic := make([]int64, n), c.Traffic()
	var words, want []uint64
	for r := range n {
		counts[r] = size(me, r)
		words = append(words, pattern(me, r, round, counts[r])...)
		want = append(want, pattern(r, me, round, size(r, me))...)
	}
	send, err := made(c.Device(), words)
	if err != nil {
		return err
	}
	received, err := c.AllToAll(send.Memory, counts, w)
	if err != nil {
		return err
	}
	moved := int64(0)
	for r := range n {
		if received[r] != size(r, me) {
			return fmt.Errorf("AllToAll says %d bytes came from rank %d, want %d", received[r], r, size(r, me))
		}
		if r != me {
			moved += counts[r] + received[r]
		}
	}
	for i, now := range c.Traffic() {
		moved -= now.Sent + now.Received - traffic[i].Sent - traffic[i].Received
	}
	if moved != 0 {
		return fmt.Errorf("the traffic leaves out %d bytes", moved)
	}
	if err := compare(w.Memory, want); err != nil {
		return fmt.Errorf("AllToAll, round %d: %w", round, err)
	}
	return send.Free()
}

// checkSwap: messages of every pattern arrive one after another in the order of ranks.
func checkSwap(c device.Transport) error {
	n := c.Host().Size()
	w, err := c.Open("messages", int64(n)<<18+64)
	if err != nil {
		return err
	}
	only := func(cond bool, bytes int64) int64 {
		if cond {
			return bytes
		}
		return 0
	}
	for round, size := range []func(from, to int) int64{
		func(_, _ int) int64 { return 0 },
		func(_, _ int) int64 { return 8 },
		func(from, to int) int64 { return 8 * int64(100*from+to) },
		func(from, to int) int64 { return only(to > from, 8*37) },
		func(from, to int) int64 { return only(from == to, 8*99) },
		func(from, _ int) int64 { return only(from == n-1, 4096) },
		func(_, to int) int64 { return only(to == n/2, 4104) },
		func(from, to int) int64 { return only(to == (from+1)%n, 1<<18) },
		func(_, _ int) int64 { return 1<<18 - 8 },
		func(from, to int) int64 { return only(from == 0 && to == n-1, int64(n)<<18) }, // who gets much sends nothing
	} {
		if err := swap(c, w, round, size); err != nil {
			return err
		}
	}
	return w.Close()
}

// checkOrder: calls that follow one another at once do not mix, though ranks come to them at different times.
func checkOrder(c device.Transport) error {
	n := c.Host().Size()
	w, err := c.Open("messages", int64(n)*4096)
	if err != nil {
		return err
	}
	for round := range 30 {
		err := swap(c, w, round, func(from, to int) int64 {
			sizes := rand.New(rand.NewPCG(uint64(round), uint64(from*n+to)))
			return 8 * sizes.Int64N(1<<sizes.Int64N(10))
		})
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// checkWindows: several windows are open at once, of any length; memory of closed ones is given back by a barrier.
func checkWindows(c device.Transport) error {
	var windows []*device.Window
	for _, bytes := range []int64{0, 8, 16 << 10, device.Granule, device.Granule + 8} {
		w, err := c.Open("one of many", bytes)
		if err != nil {
			return err
		}
		if w.Bytes() != bytes {
			return fmt.Errorf("a window of %d bytes has %d", bytes, w.Bytes())
		}
		windows = append(windows, w)
	}
	for _, w := range windows {
		if err := errors.Join(w.Close(), w.Close()); err != nil {
			return err
		}
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	if device.RetiredBy(c) > 0 {
		return fmt.Errorf("%d windows that all have closed are held", device.RetiredBy(c))
	}
	return nil
}

// checkRefusals: what cannot be is refused, and messages without room on all ranks alike.
func checkRefusals(c device.Transport) error {
	n := c.Host().Size()
	w, err := c.Open("room", int64(n)*16)
	if err != nil {
		return err
	}
	for what, counts := range map[string][]int64{
		"counts for too many ranks": make([]int64, n+1),
		"half a word":               append(make([]int64, n-1), 4),
		"a negative count":          append(make([]int64, n-1), -8),
		"more than there is":        slices.Repeat([]int64{24}, n),
	} {
		if _, err := c.AllToAll(w.Memory, counts, w); err == nil {
			return fmt.Errorf("AllToAll takes %s", what)
		}
	}
	for _, part := range []int64{-16, 8, 32} {
		if err := c.AllGather(w, part); err == nil {
			return fmt.Errorf("AllGather takes parts of %d bytes", part)
		}
	}
	for _, slice := range [][2]int64{{-16, 16}, {8, 16}, {0, 8}, {16, 16}} {
		if err := c.AllGatherSlice(w, 16, slice[0], slice[1]); err == nil {
			return fmt.Errorf("AllGatherSlice takes %d bytes from byte %d of parts of 16 bytes", slice[1], slice[0])
		}
	}
	send, err := c.Device().Alloc("too much", int64(24*n))
	if err != nil {
		return err
	}
	_, err = c.AllToAll(send.Memory, slices.Repeat([]int64{24}, n), w)
	var agreed *comm.RankError
	if !errors.As(err, &agreed) || agreed.Rank != 0 {
		return fmt.Errorf("messages without room give %v", err)
	}
	return errors.Join(send.Free(), w.Close())
}
