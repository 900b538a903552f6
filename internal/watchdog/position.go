package watchdog

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Self is where one rank is. The rank writes it, which costs it a word in memory; others read it.
type Self struct {
	// Collectives counts those that the rank has entered and left: odd within one.
	Collectives atomic.Int64
	// Work is how much of its step the rank has done, in whatever unit.
	Work atomic.Int64
	step atomic.Pointer[string]
}

// Begin tells in which step the rank is from now on.
func (s *Self) Begin(step string) { s.step.Store(&step) }

// position is what others are told.
func (s *Self) position() Position {
	p := Position{Collectives: s.Collectives.Load(), Work: s.Work.Load(), Step: "the beginning"}
	if step := s.step.Load(); step != nil {
		p.Step = *step
	}
	return p
}

// Position is where a rank was when it was asked.
type Position struct {
	Step        string
	Collectives int64
	Work        int64
}

func (p Position) waits() bool { return p.Collectives%2 == 1 }

// Ranks are those of this process: all of them where they are goroutines, one under MPI. The zero value is ready.
type Ranks struct {
	mu    sync.Mutex
	selfs map[int]*Self
}

// Self is the place of a rank of this process.
func (r *Ranks) Self(rank int) *Self {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.selfs == nil {
		r.selfs = map[int]*Self{}
	}
	if r.selfs[rank] == nil {
		r.selfs[rank] = &Self{}
	}
	return r.selfs[rank]
}

func (r *Ranks) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.selfs)
}

// answer is what came of asking a rank.
type answer struct {
	Position
	reached bool // it could be asked
	given   bool // and has answered
}

// mostNamed is how many ranks a report names.
const mostNamed = 8

// verdict says for which ranks the others wait; "" where none waits. names has a name for each rank.
func verdict(answers []answer, names []string) string {
	front, waiting := int64(0), false
	for _, a := range answers {
		if a.given {
			front, waiting = max(front, a.Collectives), waiting || a.waits()
		}
	}
	if !waiting {
		return ""
	}
	var missing, behind []string
	for r, a := range answers {
		switch {
		case !a.reached:
			missing = append(missing, names[r]+" cannot be asked, for there is no TCP connection to it")
		case !a.given:
			missing = append(missing, names[r]+" does not answer: it is stopped, or its host is lost or overloaded")
		case a.Collectives == front:
		case a.waits():
			behind = append(behind, fmt.Sprintf("%s waits in an earlier exchange, in %s", names[r], a.Step))
		default:
			missing = append(missing, fmt.Sprintf("%s has not come further than %s", names[r], a.Step))
		}
	}
	if len(missing) == 0 {
		missing = behind
	}
	switch {
	case len(missing) > mostNamed:
		return strings.Join(missing[:mostNamed], "; ") + fmt.Sprintf("; and %d more", len(missing)-mostNamed)
	case len(missing) == 0:
		return "all ranks are in the same exchange, which does not end: look at the network"
	}
	return strings.Join(missing, "; ")
}
