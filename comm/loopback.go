package comm

import (
	"fmt"
	"slices"
	"sync"
)

// Loopback runs fn on n ranks that are goroutines of this process, and returns when all have ended. If one
// fails or panics, the collectives of the others return ErrAborted, and Loopback returns the reason of the
// first that failed, as a *RankError.
func Loopback(n int, fn func(Transport) error) error {
	if n < 1 {
		return fmt.Errorf("comm: %d ranks asked for, at least 1 is needed", n)
	}
	w := &loopWorld{n: n, barrier: newBarrier(n), pairs: newPairs(n)}
	w.posts[0], w.posts[1] = make([]post, n), make([]post, n)
	var ranks sync.WaitGroup
	for r := range n {
		ranks.Add(1)
		go func() {
			defer ranks.Done()
			t := &loopback{world: w, rank: r, sizes: make([]int64, n)}
			guard(t, fn, t.finish)
		}()
	}
	ranks.Wait()
	return w.reason
}

// loopWorld is the shared state of the ranks of one Loopback.
type loopWorld struct {
	n       int
	barrier *barrier
	pairs   pairs
	// posts has the ranks' inputs of a collective, in two sets that are used alternately. Two suffice: a set is written
	// again only after all ranks have come to the next collective, and so have finished reading it.
	posts [2][]post

	mu     sync.Mutex
	reason error // why the first rank failed
}

// fail ends the job. The error of the first rank that fails is the reason; later errors only follow from it.
func (w *loopWorld) fail(rank int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reason == nil {
		w.reason = named(rank, err)
		w.barrier.abort()
		w.pairs.abort()
	}
}

// loopback is the Transport of one rank.
type loopback struct {
	world  *loopWorld
	rank   int
	turn   int // collectives so far
	inbox  inbox
	sizes  []int64 // of the messages for this rank, in bytes; kept from call to call
	filled filled
}

// post is the input of one rank to a collective: the name of the collective, and its data.
type post struct {
	call  call
	vals  []int64  // of AllReduce, a copy that the post keeps
	words []uint64 // of AllGather
	send  [][]byte // of AllToAll
	near  Neighbours
}

// call must be the same on all ranks.
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
func (t *loopback) Release()     { t.inbox.release() }

// next is this rank's post for the next collective.
func (t *loopback) next() *post { return &t.world.posts[(t.turn+1)%2][t.rank] }

// mine is the same, and begins it.
func (t *loopback) mine() *post {
	t.turn++
	return &t.world.posts[t.turn%2][t.rank]
}

// meet waits until every rank has posted, and returns the posts if all call for the same collective.
func (t *loopback) meet() ([]post, error) {
	if err := t.world.barrier.wait(); err != nil {
		return nil, err
	}
	posts := t.world.posts[t.turn%2]
	for r := range posts {
		if posts[r].call != posts[0].call {
			return nil, fmt.Errorf("comm: the ranks are out of step: rank 0 is at %v, rank %d at %v",
				posts[0].call, r, posts[r].call)
		}
	}
	return posts, nil
}

// part waits until every rank has read the posts, and releases this rank's data.
func (t *loopback) part() error {
	if err := t.world.barrier.wait(); err != nil {
		return err // others may still be reading
	}
	p := &t.world.posts[t.turn%2][t.rank]
	p.words, p.send = nil, nil
	return nil
}

// finish ends the rank. Returning from fn without an error is a collective like the others: a rank that goes
// while another waits for it is out of step.
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

// AllGather reads the other ranks' blocks in place; no rank writes to its own.
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
		r := (t.rank + i) % n // not all from the same rank at once
		copy(words[r*k:(r+1)*k], posts[r].words[r*k:])
	}
	return t.part()
}

// AllToAll copies on the receiving side, so that all ranks copy at once and each into memory of its own.
func (t *loopback) AllToAll(send [][]byte) ([][]byte, error) {
	if len(send) != t.world.n {
		return nil, fmt.Errorf("comm: AllToAll with %d messages for %d ranks", len(send), t.world.n)
	}
	posts, err := t.offer("AllToAll", send)
	if err != nil {
		return nil, err
	}
	recv := t.inbox.take(t.sizes)
	t.fetch(posts, recv)
	return recv, t.part()
}

// NeighbourAllToAll is an AllToAll in which ranks that are no neighbours have no messages. Ranks that disagree about
// who is are out of step.
func (t *loopback) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	if err := n.check(t.rank, len(send), t.world.n); err != nil {
		return nil, err
	}
	only := make([][]byte, len(send))
	for _, r := range n.To {
		only[r] = send[r]
	}
	t.next().near = n
	posts, err := t.offer("NeighbourAllToAll", only)
	if err != nil {
		return nil, err
	}
	for r := range posts {
		if slices.Contains(posts[r].near.To, t.rank) != slices.Contains(n.From, r) {
			return nil, fmt.Errorf("comm: rank %d and rank %d disagree about being neighbours", r, t.rank)
		}
	}
	recv := t.inbox.take(t.sizes)
	t.fetch(posts, recv)
	return recv, t.part()
}

// AllToAllInto truncates messages that are too long; that is an error once all ranks have their messages.
func (t *loopback) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	if err := checkInto(send, into, t.world.n); err != nil {
		return nil, err
	}
	posts, err := t.offer("AllToAllInto", send)
	if err != nil {
		return nil, err
	}
	t.fetch(posts, into)
	if err := t.part(); err != nil {
		return nil, err
	}
	return t.filled.take(t.rank, into, t.sizes)
}

// offer posts messages, meets the other ranks and stores the sizes of their messages to this one.
func (t *loopback) offer(name string, send [][]byte) ([]post, error) {
	p := t.mine()
	p.call, p.send = call{name: name}, send
	posts, err := t.meet()
	if err != nil {
		return nil, err
	}
	for r := range posts {
		t.sizes[r] = int64(len(posts[r].send[t.rank]))
	}
	return posts, nil
}

// fetch copies the messages for this rank, not all ranks from the same one at once.
func (t *loopback) fetch(posts []post, recv [][]byte) {
	for i := range posts {
		r := (t.rank + i) % len(posts)
		copy(recv[r], posts[r].send[t.rank])
	}
}
