// SPDX-License-Identifier: Apache-2.0

package par

import (
	"runtime"
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"g500/internal/panics"
)

// loop is one call of For by a team. Each worker has a share of the indices, and takes pieces of other shares when its
// own has none left. So workers seldom write to the same cache line, and loops over the same range mostly use the same
// indices on the same core.
type loop struct {
	done   atomic.Int64          // number of indices that need no more work
	fault  atomic.Pointer[error] // of the first piece that panicked
	_      [112]byte             // the fields below are not written, and have their own cache lines
	shares []share               // one per worker
	grain  int64
	body   func(worker, lo, hi int)
}

// share is the indices of one worker, in cache lines of its own.
type share struct {
	next atomic.Int64 // the first index that no worker has taken
	end  int64
	_    [112]byte
}

func newLoop(workers, n, grain int, body func(worker, lo, hi int)) *loop {
	l := &loop{shares: make([]share, workers), grain: int64(grain), body: body}
	pieces := (n + grain - 1) / grain
	for w := range l.shares {
		lo, hi := Share(pieces, w, workers)
		l.shares[w].next.Store(int64(lo * grain))
		l.shares[w].end = int64(min(hi*grain, n))
	}
	return l
}

// take returns the first index of a piece, or the share's end if all pieces are taken.
func (s *share) take(grain int64) int64 {
	if s.next.Load() >= s.end {
		return s.end
	}
	return min(s.next.Add(grain)-grain, s.end)
}

// work runs pieces until all are taken. After a panic no worker takes another piece.
func (l *loop) work(worker int) {
	done := int64(0)
	panics.Catch(func() {
		for i := range l.shares {
			s := &l.shares[(worker+i)%len(l.shares)]
			for lo := s.take(l.grain); lo < s.end; lo = s.take(l.grain) {
				hi := min(lo+l.grain, s.end)
				done += hi - lo
				l.body(worker, int(lo), int(hi))
			}
		}
	}, func(fault error) {
		if fault != nil {
			first := fault // on the heap only after a panic
			l.fault.CompareAndSwap(nil, &first)
			for i := range l.shares {
				s := &l.shares[i]
				done += max(s.end-s.next.Swap(s.end), 0)
			}
		}
		if done > 0 {
			l.done.Add(done)
		}
	})
}

// team is a caller of For and its helpers, goroutines that poll for the next loop for some time after each one. A
// search has tens of short loops: polling helpers begin one within a microsecond or two, but waking as many threads
// takes longer than most loops. No loop waits for a helper that has not begun: it ends when all pieces are done.
type team struct {
	current atomic.Pointer[loop] // nil between loops
	helpers []*helper            // of worker 1, 2, ...
}

// helper is the state of the goroutine of one worker, which runs only while polling is set.
type helper struct {
	polling atomic.Bool
	_       [63]byte
}

// patience is the number of polls, each about a microsecond, after which a helper without a loop ends, or lets other
// threads use its core after each poll, if it is held.
const patience = 100

// held is the number of workers of all callers of Hold.
var held atomic.Int32

// cores is this process's share of its node's cores: all of them, unless ShareCores says less.
var cores atomic.Int32

func init() { cores.Store(int32(runtime.NumCPU())) }

// ShareCores sets this process's share of the cores of its node.
func ShareCores(share int) { cores.Store(int32(share)) }

// Hold makes helpers wait for the next loop for some milliseconds, until release is called, unless all callers together
// have more workers than this process has cores. It is for callers whose loops follow one another, with messages
// between them: waking many helpers takes longer than many of these loops.
func Hold(workers int) (release func()) {
	held.Add(int32(workers))
	return func() { held.Add(-int32(workers)) }
}

func isHeld() bool {
	n := held.Load()
	return 0 < n && n <= cores.Load()
}

// run runs a loop on the team's caller and helpers.
func (t *team) run(l *loop) {
	workers := len(l.shares)
	for len(t.helpers) < workers-1 {
		t.helpers = append(t.helpers, new(helper))
	}
	t.current.Store(l)
	for i, h := range t.helpers[:workers-1] {
		if !h.polling.Load() && h.polling.CompareAndSwap(false, true) {
			go t.help(h, i+1)
		}
	}
	l.work(0)
	n := l.shares[workers-1].end
	for polls := 1; l.done.Load() < n; polls++ {
		wait(polls)
	}
	t.current.Store(nil) // so that the loop's memory can be freed
	if fault := l.fault.Load(); fault != nil {
		panics.Raise(*fault)
	}
}

// help works in the team's loops until none has begun for some time.
func (t *team) help(h *helper, worker int) {
	var last *loop
	for polls := 1; ; polls++ {
		if l := t.current.Load(); l != nil && l != last {
			if worker < len(l.shares) {
				l.work(worker)
			}
			last, polls = l, 0
		}
		if polls >= patience && polls < longWait && isHeld() {
			yield()
		} else if polls >= patience {
			h.polling.Store(false)
			// A loop that began before has not started another goroutine for this worker. It may end before the next poll.
			if l := t.current.Load(); l == nil || l == last || !h.polling.CompareAndSwap(false, true) {
				return
			}
		}
		wait(polls)
	}
}

// longWait is the number of polls that take some milliseconds: the bound for held helpers, and in Wake.
const longWait = 5000

// Wake starts all workers, which then poll for the next loop. It returns when all poll, or after some milliseconds.
func Wake(workers int) {
	var awake atomic.Int64
	Each(workers, func(int) { meet(&awake, int64(workers)) })
}

// meet counts one caller, and returns the number of polls until all are counted. A caller that gives up counts all, so
// that no other one waits: a goroutine may make several calls.
func meet(awake *atomic.Int64, all int64) (polls int) {
	awake.Add(1)
	for ; awake.Load() < all; polls++ {
		if polls == longWait {
			awake.Store(all)
		}
		wait(polls)
	}
	return polls
}

// pollsPerTurn returns the number of polls after which a goroutine lets another one run, given the number of threads.
// The threads take turns under one lock of the runtime, so more threads take turns less often: together about one turn
// in 10 us. From about one in 0.5 us on, threads would sleep while they wait for the lock.
func pollsPerTurn(threads int) int { return max(16, 8*threads) }

var turn = pollsPerTurn(runtime.GOMAXPROCS(0))

// wait waits for about a microsecond, and now and then lets another goroutine run.
func wait(polls int) {
	if polls%turn == 0 {
		runtime.Gosched()
	}
	pause()
}

// pause spins for 30 pauses of the processor. It is runtime_doSpin of sync.Mutex, which the runtime keeps accessible.
//
//go:linkname pause sync.runtime_doSpin
func pause()

// free has the teams that run no loop. Callers that run loops one after the other use the same one again.
var free struct {
	sync.Mutex
	teams []*team
}

func takeTeam() *team {
	free.Lock()
	defer free.Unlock()
	last := len(free.teams) - 1
	if last < 0 {
		return new(team)
	}
	t := free.teams[last]
	free.teams = free.teams[:last]
	return t
}

func (t *team) giveBack() {
	free.Lock()
	defer free.Unlock()
	free.teams = append(free.teams, t)
}
