// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Self is the progress of one rank. The rank writes it, at the cost of a store to memory; other goroutines read it.
type Self struct {
	// Collectives counts the rank's entries into and exits from collectives: it is odd inside one.
	Collectives atomic.Int64
	// Work counts the completed work of the rank's step, in any unit.
	Work atomic.Int64
	step atomic.Pointer[string]
}

// Begin sets the name of the rank's step.
func (s *Self) Begin(step string) { s.step.Store(&step) }

func (s *Self) progress() Progress {
	p := Progress{Collectives: s.Collectives.Load(), Work: s.Work.Load(), Step: "the beginning"}
	if step := s.step.Load(); step != nil {
		p.Step = *step
	}
	return p
}

// Progress is a copy of a Self.
type Progress struct {
	Step        string
	Collectives int64
	Work        int64
}

func (p Progress) waits() bool { return p.Collectives%2 == 1 }

// Ranks are the ranks of this process: all if they are goroutines, one under MPI. The zero value is ready for use.
type Ranks struct {
	mu    sync.Mutex
	selfs map[int]*Self
}

// Self returns the progress of a rank of this process.
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

// result is the result of a query.
type result struct {
	Progress
	connected bool // there is a link, and the rank has not closed its watchdog
	replied   bool
	ended     bool // the link is broken
	lost      bool // without a reply: its node does not even acknowledge the query
}

const (
	isLost   = "does not answer: its node, or the network to it, is lost"
	isSilent = "does not answer: it is stopped, or its node is overloaded"
	hasEnded = "has ended: it was killed, or its node is lost"
)

// silentRanks describes the ranks that do not reply.
func silentRanks(results []result, names []string) (silent []string) {
	for i, r := range results {
		switch {
		case r.ended:
			silent = append(silent, names[i]+" "+hasEnded)
		case r.connected && r.lost:
			silent = append(silent, names[i]+" "+isLost)
		case r.connected && !r.replied:
			silent = append(silent, names[i]+" "+isSilent)
		}
	}
	return silent
}

// mostNamed is the largest number of ranks in a report.
const mostNamed = 8

// verdict names the ranks for which the others wait; it returns "" if no rank waits. names has the names of all ranks.
func verdict(results []result, names []string) string {
	front, waiting := int64(0), false
	for _, r := range results {
		if r.replied {
			front, waiting = max(front, r.Collectives), waiting || r.waits()
		}
	}
	if !waiting {
		return ""
	}
	missing, behind := silentRanks(results, names), []string(nil)
	for i, r := range results {
		switch {
		case !r.connected:
			missing = append(missing, names[i]+" cannot be examined, because there is no TCP connection to it")
		case !r.replied:
		case r.Collectives == front:
		case r.waits():
			behind = append(behind, fmt.Sprintf("%s waits in an earlier exchange, in %s", names[i], r.Step))
		default:
			missing = append(missing, fmt.Sprintf("%s is still in %s", names[i], r.Step))
		}
	}
	if len(missing) == 0 {
		missing = behind
	}
	if len(missing) == 0 {
		return "all ranks are in the same exchange, which does not end: check the network"
	}
	return listed(missing)
}

// listed joins descriptions of ranks.
func listed(ranks []string) string {
	if len(ranks) > mostNamed {
		return strings.Join(ranks[:mostNamed], "; ") + fmt.Sprintf("; and %d more", len(ranks)-mostNamed)
	}
	return strings.Join(ranks, "; ")
}
