// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/settings"
)

// A message has eight pieces at least, unless these would be shorter than 128 KiB.
func TestTransportOfPieces(t *testing.T) {
	for _, c := range []struct{ longest, staging, want int64 }{
		{100, 32 << 20, 128 << 10}, {2 << 20, 32 << 20, 1<<18 + 16}, {1 << 30, 32 << 20, 512 << 10}, {1 << 30, 1000, 120},
		{1 << 30, 1, 8},
	} {
		expect.Equal(t, device.PieceOf(c.longest, device.StagedPiece(c.staging)), c.want, "messages of up to", c.longest,
			"bytes", c.staging, "of staging: pieces of", "bytes")
	}
}

func TestTransportOnLoopback(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4} {
		testTransport(t, comm.Loopback, ranks)
	}
}

// Ranks are peers of the other ranks of their node, however many it has.
func TestTransportDomains(t *testing.T) {
	testDomains(t, "peer+staged")
	err := gputest.Ranks(enginetest.OnNodes(3, 1), 4, func(host comm.Transport) {
		d := gputest.Must(cuda.Open(0))
		gputest.Must(gputest.Chosen(device.PeerTransport)(host, d, device.StagingBytes))
	})
	expect.Error(t, err, "rank 0: gpu: rank 3 is not a peer of this one: it runs on another node")
}

// testDomains runs the conformance tests on domains of several sizes, with a transport that uses peers.
func testDomains(t *testing.T, choice string) {
	for _, sizes := range [][]int{{3, 1}, {1, 8}, {8, 8}, {2, 3, 1, 1}} { // of nodes whose ranks are peers, in order
		t.Run(fmt.Sprintf("%s/%v", choice, sizes), func(t *testing.T) {
			gputest.OnRanks(t, enginetest.OnNodes(sizes...), len(enginetest.NodesOf(sizes...)), func(host comm.Transport) {
				nodes := host.Nodes()
				conform(host, checked(choice, func(a, b int) bool { return nodes[a] == nodes[b] }), device.StagingBytes)
			})
		})
	}
}

// checked joins ranks by a value of --gpu-transport, and returns an error unless a rank has these peers.
func checked(choice string, peers func(a, b int) bool) gputest.Join {
	return func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
		c, err := gputest.Chosen(choice)(t, d, staging)
		if err != nil {
			return nil, err
		}
		me, some := t.Rank(), 0
		for r := range t.Size() {
			if r == me {
				continue
			}
			if want := peers(me, r); c.Peer(r) != want {
				return nil, fmt.Errorf("rank %d is a peer of rank %d: %v", r, me, !want)
			} else if want {
				some++
			}
		}
		text := fmt.Sprintf("to %d of %d other ranks", t.Size()-1-some, t.Size()-1)
		if some > 0 {
			text = fmt.Sprintf("peer to %d of %d other ranks, ", some, t.Size()-1)
		}
		if got := c.Describe(); !strings.Contains(got, text) {
			return nil, fmt.Errorf("rank %d has %d peers, and its transport is %q", me, some, got)
		}
		return c, nil
	}
}

// Two MIG instances of a card are two GPUs, which no rank shares and which are not peers.
func TestMIGInstances(t *testing.T) {
	expect.SkipIf(t, os.Getenv("G500_TEST_MIG") == "", "needs MIG instances, or the test driver")
	gputest.OnRanks(t, comm.Loopback, 4, func(host comm.Transport) {
		d := gputest.Must(cuda.Open(host.Rank()))
		c := gputest.Must(gputest.Chosen(device.AutoTransport)(host, d, device.StagingBytes))
		expect.Equal(t, c.Sharers(), []int{host.Rank()}, "ranks that share a GPU")
		for r := range host.Size() {
			want := r/2 != host.Rank()/2
			expect.That(t, r == host.Rank() || c.Peer(r) == want, "rank %d is a peer of rank %d: %v", r, host.Rank(), !want)
		}
		gputest.Check(c.Close(), d.Close())
	})
}

// testTransport runs the conformance tests of every transport.
func testTransport(t *testing.T, launch bfstest.Launch, ranks int) {
	for _, way := range gputest.Transports {
		for _, staging := range []int64{1 << 20, 80_000} { // all messages in one piece, or in odd ones
			t.Run(fmt.Sprintf("ranks=%d/%s/staging=%d", ranks, way.Name, staging), func(t *testing.T) {
				gputest.OnRanks(t, launch, ranks, func(host comm.Transport) { conform(host, way.Join, staging) })
			})
		}
	}
}

// linear is a transport that refuses to gather a word for each pair of ranks: memory of a rank must not grow with the
// square of their number.
type linear struct{ comm.Transport }

func (t linear) AllGather(words []uint64) error {
	if n := t.Size(); n > 8 && len(words) >= n*n {
		return fmt.Errorf("%d words are gathered on %d ranks", len(words), n)
	}
	return t.Transport.AllGather(words)
}

// conform runs the conformance tests on one rank.
func conform(host comm.Transport, join gputest.Join, staging int64) {
	place, _ := comm.Place(host)
	d := gputest.Must(cuda.Open(place))
	c := gputest.Must(join(linear{host}, d, staging))
	for _, check := range []func(device.Transport){
		checkPeers, checkGather, checkAllToAll, checkOrder, checkWindows, checkExpose, checkTooLong,
	} {
		check(c)
	}
	if host.Size() > 1 {
		gputest.Must(c.Exchanges()) // tries all exchanges
	}
	gputest.Check(c.Barrier(), c.Close(), d.Close()) // NCCL may end an exchange of others when a rank closes
}

// pattern returns the message of a round between two ranks: words that all differ.
func pattern(from, to, round int, bytes int64) []uint64 {
	words := make([]uint64, bytes/8)
	for i := range words {
		words[i] = uint64(round)<<48 | uint64(from)<<40 | uint64(to)<<32 | uint64(i)
	}
	return words
}

// untouched is the content of memory that must not be written.
const untouched = 0xEEEEEEEEEEEEEEEE

// wipe fills memory with untouched words.
func wipe(m cuda.Memory) {
	gputest.Check(cuda.Write(m, 0, slices.Repeat([]uint64{untouched}, int(m.Bytes()/8))))
}

// read returns words of memory.
func read(m cuda.Memory, n int64) []uint64 {
	words := make([]uint64, n)
	gputest.Check(cuda.Read(words, m, 0))
	return words
}

// checkPeers: a rank is not its own peer, and writes to peers' windows arrive before a barrier ends.
func checkPeers(c device.Transport) {
	n, me := c.Host().Size(), c.Host().Rank()
	w := gputest.Must(c.Open("words", int64(8*n)))
	wipe(w.Memory)
	gputest.Check(cuda.Write(w.Memory, int64(me), []uint64{uint64(me)}), c.Barrier())
	gputest.That(!c.Peer(me) && w.Peers[me].Bytes() == 0, "a rank is its own peer")
	at := int64(8 * me)
	for r := range n {
		if c.Peer(r) {
			gputest.Check(c.Device().Copy(w.Peers[r].Part(at, 8), w.Part(at, 8)))
		}
	}
	gputest.Check(c.Barrier())
	for r, word := range read(w.Memory, int64(n)) {
		came := word == uint64(r)
		gputest.That(came == (c.Peer(r) || r == me), "rank %d is a peer: %v; its word arrived: %v", r, c.Peer(r), came)
	}
	gputest.Check(w.Close())
}

// checkGather: every rank's part, or its front, arrives at its offset on all ranks. The rest of other ranks' parts
// and memory after the parts are not written.
func checkGather(c device.Transport) {
	const spare, long = 64, 1<<18 + 16
	n, me := c.Host().Size(), c.Host().Rank()
	for round, front := range [][2]int64{ // length of a part, number of bytes
		{0, 0}, {16, 16}, {48, 48}, {4096, 4096}, {long, long}, {32, 32}, {4096, 16}, {4096, 4096 - 48}, {4096, 0},
	} {
		part, bytes := front[0], front[1]
		w := gputest.Must(c.Open("parts", int64(n)*part+spare))
		wipe(w.Memory)
		gputest.Check(cuda.Write(w.Part(int64(me)*part, part), 0, pattern(me, 0, round, part)))
		var want []uint64
		for r := range n {
			words := pattern(r, 0, round, part)
			for i := range words {
				if r != me && int64(8*i) >= bytes {
					words[i] = untouched
				}
			}
			want = append(want, words...)
		}
		if bytes == part {
			gputest.Check(c.AllGather(w, part))
		} else {
			gputest.Check(c.AllGatherFront(w, part, bytes))
		}
		compare(w.Memory, want, "gather of the first %d of %d bytes of each part", bytes, part)
		gputest.Check(w.Close())
	}
}

// compare fails unless memory has the words and is untouched after them. It reads the last word first and at once,
// because copies that are still running are missing there.
func compare(m cuda.Memory, want []uint64, call string, args ...any) {
	fail := func(i int, got, want uint64) {
		gputest.Check(fmt.Errorf("%s: word %d is %x, want %x", fmt.Sprintf(call, args...), i, got, want))
	}
	if last := len(want) - 1; last >= 0 {
		if word := read(m.Part(int64(8*last), 8), 1)[0]; word != want[last] {
			fail(last, word, want[last])
		}
	}
	for i, word := range read(m, m.Bytes()/8) {
		right := uint64(untouched)
		if i < len(want) {
			right = want[i]
		}
		if word != right {
			fail(i, word, right)
		}
	}
}

// copied returns memory to which the device still copies the words.
func copied(d *cuda.Device, words []uint64) *cuda.Buffer {
	bytes := int64(8 * len(words))
	source, m := gputest.Must(d.Alloc("words", bytes)), gputest.Must(d.Alloc("copied words", bytes))
	gputest.Check(cuda.Write(source.Memory, 0, words), d.Copy(m.Memory, source.Memory))
	return m
}

// exchange sends messages of the sizes that size returns by AllToAll, and checks the received messages.
func exchange(c device.Transport, w *device.Window, round int, size func(from, to int) int64) {
	n, me := c.Host().Size(), c.Host().Rank()
	wipe(w.Memory)
	counts := make([]int64, n)
	var words, want []uint64
	for r := range n {
		counts[r] = size(me, r)
		words = append(words, pattern(me, r, round, counts[r])...)
		want = append(want, pattern(r, me, round, size(r, me))...)
	}
	send := copied(c.Device(), words)
	received := gputest.Must(c.AllToAll(send.Memory, counts, w))
	for r := range n {
		gputest.That(received[r] == size(r, me),
			"AllToAll returns %d bytes from rank %d, want %d", received[r], r, size(r, me))
	}
	compare(w.Memory, want, "AllToAll, round %d", round)
	gputest.Check(send.Free())
}

// checkAllToAll: messages of many patterns of sizes arrive in the order of ranks.
func checkAllToAll(c device.Transport) {
	n := c.Host().Size()
	w := gputest.Must(c.Open("messages", int64(n)<<18+64))
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
		func(from, to int) int64 { return only(from == 0 && to == n-1, int64(n)<<18) }, // the receiver sends nothing
	} {
		exchange(c, w, round, size)
	}
	gputest.Check(w.Close())
}

// checkOrder: consecutive exchanges do not mix, although ranks reach them at different times.
func checkOrder(c device.Transport) {
	n := c.Host().Size()
	w := gputest.Must(c.Open("messages", int64(n)*4096))
	for round := range 30 {
		exchange(c, w, round, func(from, to int) int64 {
			sizes := rand.New(rand.NewPCG(uint64(round), uint64(from*n+to)))
			return 8 * sizes.Int64N(1<<sizes.Int64N(10))
		})
	}
	gputest.Check(w.Close())
}

// checkWindows: several windows of any length are open at once. A barrier frees the memory of closed ones.
func checkWindows(c device.Transport) {
	var windows []*device.Window
	for _, bytes := range []int64{0, 8, 16 << 10, device.Granule, device.Granule + 8} {
		w := gputest.Must(c.Open("one of many", bytes))
		gputest.That(w.Bytes() == bytes, "a window of %d bytes has %d", bytes, w.Bytes())
		windows = append(windows, w)
	}
	for _, w := range windows {
		gputest.Check(w.Close(), w.Close())
	}
	gputest.Check(c.Barrier())
	gputest.That(device.RetiredBy(c) <= 0, "%d closed windows are not freed", device.RetiredBy(c))
}

// checkExpose: only peers access the memory that a rank exposes, of a different length on each rank. It is freed when
// all have closed it.
func checkExpose(c device.Transport) {
	const some = 64
	me, d := c.Host().Rank(), c.Device()
	own := gputest.Must(d.Alloc("exposed", int64(me+1)*device.Granule))
	gputest.Check(cuda.Write(own.Memory, 0, pattern(me, me, 0, some)))
	exposed := gputest.Must(c.Expose(own.Memory))
	into := gputest.Must(d.Alloc("a peer's words", some))
	peers := false
	for r, peer := range exposed.Peers {
		want := int64(0)
		if c.Peer(r) {
			peers, want = true, int64(r+1)*device.Granule
		}
		gputest.That(peer.Bytes() == want, "rank %d exposes %d bytes, want %d", r, peer.Bytes(), want)
		if c.Peer(r) {
			gputest.Check(d.Copy(into.Memory, peer.Part(0, some)), d.Synchronize())
			compare(into.Memory, pattern(r, r, 0, some), "memory that rank %d exposes", r)
		}
	}
	freed := false
	gputest.Check(into.Free(), exposed.Close(), c.Retire(func() error {
		freed = true
		return own.Free()
	}))
	gputest.That(freed != peers, "memory is freed at once: %v; a peer may have it open: %v", freed, peers)
	gputest.Check(c.Barrier())
	gputest.That(freed, "memory that all ranks have closed is not freed by a barrier")
}

// checkTooLong: messages that do not fit are an error on all ranks, which further calls may follow.
func checkTooLong(c device.Transport) {
	n := c.Host().Size()
	w := gputest.Must(c.Open("small", int64(n)*16))
	send := gputest.Must(c.Device().Alloc("too long", int64(24*n)))
	counts := make([]int64, n) // too much for the last rank
	counts[n-1] = 24
	_, err := c.AllToAll(send.Memory, counts, w)
	gputest.That(errors.Is(err, device.ErrTooLong), "messages that do not fit give %v", err)
	exchange(c, w, 0, func(_, _ int) int64 { return 16 })
	gputest.Check(send.Free(), w.Close())
}

// Each transport between remote ranks is a value of --gpu-transport, alone and after peer, and has a case in the tests
// of transports. Each value names one of them, or auto.
func TestTransportNames(t *testing.T) {
	values, cases := settings.Of("machine.gpu_transport").Values, []string{}
	for _, way := range gputest.Transports {
		cases = append(cases, way.Name)
	}
	for _, way := range ncclWays {
		cases = append(cases, way.name)
	}
	names := device.RemoteNames()
	for _, name := range names {
		expect.That(t, slices.Contains(values, name) && slices.Contains(values, device.PeerTransport+"+"+name) &&
			slices.Contains([]string{"MPI", "NCCL"}, settings.GPUTransports[name].Library),
			"settings lack %s, or with peers, or its library: %q", name, values)
		expect.That(t, slices.Contains(cases, name), "no test of transports has a case for %s: %q", name, cases)
	}
	expect.Equal(t, len(values), 2+2*len(names), "--gpu-transport has values of no transport", values, "of", names)
}

// Copies wait for the device's earlier work.
func TestCopiesAreInOrder(t *testing.T) {
	defer gputest.Fatal(t)
	d := gputest.Open(t)
	const size = 64 << 20
	a, b := gputest.Must(d.Alloc("a", size)), gputest.Must(d.Alloc("b", size))
	got := make([]byte, size)
	for round := range byte(5) {
		want := bytes.Repeat([]byte{round + 1}, size)
		gputest.Check(cuda.Write(a.Memory, 0, want), d.Copy(b.Memory, a.Memory), cuda.Read(got, b.Memory, 0))
		expect.Must(t, bytes.Equal(got, want), "round %d: the copy differs", round)
	}
}
