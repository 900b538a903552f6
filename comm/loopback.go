// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Loopback runs fn on n ranks that are goroutines of this process, and returns when all have ended. If a rank fails or
// panics, the collectives of the others return ErrAborted, and Loopback returns the error of the first failed rank, as
// a *RankError, whose text names the rank unless n is 1.
func Loopback(n int, fn func(Transport) error) error {
	if n < 1 {
		return fmt.Errorf("comm: %d ranks; at least 1 is needed", n)
	}
	w := &loopWorld{n: n, barrier: newBarrier(n)}
	w.posts[0], w.posts[1] = make([]post, n), make([]post, n)
	var ranks sync.WaitGroup
	for r := range n {
		ranks.Go(func() {
			t := &loopback{world: w, rank: r, sizes: make([]int64, n)}
			guard(t, fn, t.finish)
		})
	}
	ranks.Wait()
	return w.reason
}

// loopWorld is the shared state of the ranks of one Loopback.
type loopWorld struct {
	n       int
	barrier *barrier
	pieces  sync.Map // by pieceKey: *loopPiece whose other end has not been started
	// posts has the ranks' inputs of a collective, in two sets that are used alternately. Two suffice: a set is written
	// again only after all ranks have entered the next collective, so that no rank still reads it.
	posts [2][]post

	mu     sync.Mutex
	reason error // why the first rank failed
}

// fail ends the job. Only the error of the first failed rank is kept: it causes the later ones.
func (w *loopWorld) fail(rank int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reason == nil {
		w.reason = named(rank, w.n, err)
		w.barrier.abort()
	}
}

// loopback is the Transport of one rank.
type loopback struct {
	world *loopWorld
	rank  int
	turn  int // number of collectives so far
	inbox inbox
	sizes []int64 // of the messages for this rank, in bytes; reused
}

// post is the input of one rank to a collective: the name of the collective, and its data.
type post struct {
	call  call
	vals  []int64  // of AllReduce, a copy
	words []uint64 // of AllGather
	send  [][]byte // of AllToAll
	near  Neighbours
}

// call identifies a collective. It must be the same on all ranks.
type call struct {
	name string
	size int
	op   Op
}

func (c call) String() string {
	if c.size == 0 {
		return c.name
	}
	return fmt.Sprintf("%s of %d values (operation %d)", c.name, c.size, c.op)
}

func (t *loopback) Rank() int    { return t.rank }
func (t *loopback) Size() int    { return t.world.n }
func (t *loopback) Nodes() []int { return make([]int, t.world.n) }

// mine begins the next collective and returns this rank's post for it.
func (t *loopback) mine() *post {
	t.turn++
	return &t.world.posts[t.turn%2][t.rank]
}

// meet waits until every rank has posted, and returns the posts if all ranks call the same collective.
func (t *loopback) meet() ([]post, error) {
	if err := t.world.barrier.wait(); err != nil {
		return nil, err
	}
	posts := t.world.posts[t.turn%2]
	for r := range posts {
		if posts[r].call != posts[0].call {
			return nil, fmt.Errorf("comm: the ranks are out of step: rank 0 calls %v, rank %d calls %v",
				posts[0].call, r, posts[r].call)
		}
	}
	return posts, nil
}

// part waits until every rank has read the posts, and releases this rank's data.
func (t *loopback) part() error {
	if err := t.world.barrier.wait(); err != nil {
		return err // other ranks may still read the data
	}
	p := &t.world.posts[t.turn%2][t.rank]
	p.words, p.send = nil, nil
	return nil
}

// finish ends the rank. A return of fn without an error is a collective, too: a rank that returns while another one
// waits for it is out of step.
func (t *loopback) finish(err error) {
	if err == nil {
		t.mine().call = call{name: "the end"}
		_, err = t.meet()
	}
	if err != nil {
		t.world.fail(t.rank, err)
	}
}

func (t *loopback) Barrier() error {
	t.mine().call = call{name: "Barrier"}
	_, err := t.meet()
	return err
}

func (t *loopback) AllReduce(vals []int64, op Op) error {
	p := t.mine()
	p.call = call{"AllReduce", len(vals), op}
	p.vals = append(p.vals[:0], vals...)
	posts, err := t.meet()
	if err != nil {
		return err
	}
	copy(vals, posts[0].vals)
	for _, other := range posts[1:] {
		op.combine(vals, other.vals)
	}
	return nil
}

// AllGather reads the other ranks' blocks from their words; no rank writes to its own block.
func (t *loopback) AllGather(words []uint64) error {
	n := t.world.n
	if len(words)%n != 0 {
		return fmt.Errorf("comm: AllGather of %d words does not divide among %d ranks", len(words), n)
	}
	p := t.mine()
	p.call, p.words = call{name: "AllGather", size: len(words)}, words
	posts, err := t.meet()
	if err != nil {
		return err
	}
	k := len(words) / n
	for i := 1; i < n; i++ {
		r := (t.rank + i) % n // so that not all ranks read from the same one
		copy(words[r*k:(r+1)*k], posts[r].words[r*k:])
	}
	return t.part()
}

// AllToAll makes each rank copy the messages that it receives, so that all ranks copy at once.
func (t *loopback) AllToAll(send [][]byte) ([][]byte, error) {
	if len(send) != t.world.n {
		return nil, fmt.Errorf("comm: AllToAll with %d messages for %d ranks", len(send), t.world.n)
	}
	return t.exchange("AllToAll", send, Neighbours{})
}

// exchange copies the messages for this rank into its inbox. It returns an error if two ranks disagree about being
// neighbours.
func (t *loopback) exchange(name string, send [][]byte, n Neighbours) ([][]byte, error) {
	posts, err := t.offer(name, send, n)
	if err != nil {
		return nil, err
	}
	for r := range posts {
		if slices.Contains(posts[r].near.To, int32(t.rank)) != slices.Contains(n.From, int32(r)) {
			return nil, fmt.Errorf("comm: rank %d and rank %d disagree about being neighbours", r, t.rank)
		}
	}
	recv := t.inbox.take(t.sizes)
	t.fetch(posts, recv)
	return recv, t.part()
}

// NeighbourAllToAll is an AllToAll with empty messages between other ranks than neighbours.
func (t *loopback) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	if err := n.check(t.rank, len(send), t.world.n); err != nil {
		return nil, err
	}
	only := make([][]byte, len(send))
	for _, r := range n.To {
		only[r] = send[r]
	}
	return t.exchange("NeighbourAllToAll", only, n)
}

// AllToAllInto does not use AllToAllPieces, which keeps a processor busy while it waits for other ranks.
func (t *loopback) AllToAllInto(send, into [][]byte) error {
	if err := checkInto(send, into, t.rank, t.world.n); err != nil {
		return err
	}
	posts, err := t.offer("AllToAllInto", send, Neighbours{})
	if err != nil {
		return err
	}
	for r, bytes := range t.sizes {
		if err := fits(t.rank, r, int(bytes), len(into[r])); err != nil {
			return err
		}
	}
	t.fetch(posts, into)
	return t.part()
}

// offer posts messages, meets the other ranks and stores the sizes of their messages to this rank.
func (t *loopback) offer(name string, send [][]byte, near Neighbours) ([]post, error) {
	p := t.mine()
	p.call, p.send, p.near = call{name: name}, send, near
	posts, err := t.meet()
	if err != nil {
		return nil, err
	}
	for r := range posts {
		t.sizes[r] = int64(len(posts[r].send[t.rank]))
	}
	return posts, nil
}

// fetch copies the messages for this rank. Ranks begin with different senders, so that not all read from the same one.
func (t *loopback) fetch(posts []post, recv [][]byte) {
	for i := range posts {
		r := (t.rank + i) % len(posts)
		copy(recv[r], posts[r].send[t.rank])
	}
}

// barrier makes a fixed number of goroutines wait for one another. It can be used again, until it is broken.
type barrier struct {
	missing atomic.Int32  // goroutines that have not arrived in this round
	round   atomic.Uint32 // rounds completed
	broken  atomic.Bool
	mu      sync.Mutex // held to change round or broken, so that a sleeping goroutine misses no change
	wake    sync.Cond
	n       int32
}

// spins is how often a goroutine yields before it sleeps: ranks mostly arrive together, and waking a sleeping goroutine
// takes several microseconds.
const spins = 64

func newBarrier(n int) *barrier {
	b := &barrier{n: int32(n)}
	b.wake.L = &b.mu
	b.missing.Store(b.n)
	return b
}

// wait returns when all goroutines have called it, with ErrAborted if the barrier is broken before.
func (b *barrier) wait() error {
	if b.broken.Load() {
		return ErrAborted
	}
	round := b.round.Load()
	if b.missing.Add(-1) == 0 {
		b.missing.Store(b.n)
		b.change(func() { b.round.Add(1) })
	}
	for i := 0; i < spins && !b.over(round); i++ {
		runtime.Gosched()
	}
	if !b.over(round) {
		b.sleep(round)
	}
	if b.round.Load() == round {
		return ErrAborted
	}
	return nil // all arrived, even if the barrier was broken afterwards
}

// abort breaks the barrier: all present and later calls of wait return ErrAborted.
func (b *barrier) abort() { b.change(func() { b.broken.Store(true) }) }

func (b *barrier) over(round uint32) bool { return b.round.Load() != round || b.broken.Load() }

func (b *barrier) sleep(round uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.over(round) {
		b.wake.Wait()
	}
}

func (b *barrier) change(f func()) {
	b.mu.Lock()
	f()
	b.mu.Unlock()
	b.wake.Broadcast()
}
