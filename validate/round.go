package validate

import (
	"slices"

	"g500/comm"
	"g500/graph"
)

// asker is one worker's part in a round: its questions to other ranks in one step, and what it has found.
type asker struct {
	want    [][]graph.Local // want[q]: vertices of q whose ancestors are asked for
	base    []int           // base[q]: where they begin among all workers' questions to q
	found   finding         // the worst fault of the round
	open    int64           // vertices whose climb is open after it
	deepest int64           // the deepest level found so far
	// seen remembers recent questions. Most vertices have one of few hubs as ancestor, and without it all ranks
	// would flood the owner of the greatest hub.
	seen [1 << seenBits]struct {
		at     place
		number int
	}
}

const seenBits = 12

// number returns the number of the question for the ancestor of at, asking it if it is new.
func (a *asker) number(at place) int {
	const mix = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: multiplicative hashing
	s := &a.seen[uint64(at)*mix>>(64-seenBits)]
	if s.at != at {
		q := at.rank()
		s.at, s.number = at, len(a.want[q])
		a.want[q] = append(a.want[q], at.local())
	}
	return s.number
}

// report notes a fault.
func (a *asker) report(f finding) { a.found = worse(a.found, f) }

// count notes how far a climb has come.
func (a *asker) count(up ancestor, root place) {
	if up.at == root {
		a.deepest = max(a.deepest, up.hops)
	} else {
		a.open++
	}
}

// reset forgets the questions of the last step.
func (a *asker) reset() {
	for q := range a.want {
		a.want[q] = a.want[q][:0]
	}
	for i := range a.seen {
		a.seen[i].at = nowhere
	}
}

// round lets every vertex whose climb is open take over the ancestor of its ancestor. It returns the lowest vertex
// whose ancestor was not reached.
func (c *climber) round(root place, parents []graph.Global) (finding, error) {
	for w := range c.askers {
		c.askers[w].found, c.askers[w].open = nothing, 0
	}
	for s := range c.steps {
		lo := min(s*c.limit.vertices, len(c.up))
		hi := min(lo+c.limit.vertices, len(c.up))
		c.crew.each(func(w int) {
			from, to := c.crew.share(hi-lo, w)
			c.ask(&c.askers[w], root, c.up[lo+from:lo+to], c.next[from:to])
		})
		answers, err := c.exchange()
		if err != nil {
			return nothing, err
		}
		c.crew.each(func(w int) {
			from, to := c.crew.share(hi-lo, w)
			a := &c.askers[w]
			if v := c.take(a, root, c.up[lo+from:lo+to], c.next[from:to], answers); v >= 0 {
				v += lo + from
				a.report(finding{rule: ruleOrphan, vertex: c.label(v), other: parents[v]})
			}
		})
	}
	return c.found(), nil
}

// found is the finding to be told of all workers'.
func (c *climber) found() finding {
	all := nothing
	for w := range c.askers {
		all = worse(all, c.askers[w].found)
	}
	return all
}

// ask fills next with the ancestors of ancestors that this rank owns, and for the others with the number of the
// question. It writes to no ancestor.
func (c *climber) ask(a *asker, root place, up, next []ancestor) {
	a.reset()
	for i := range up {
		if !up[i].open(root) {
			continue
		}
		if at := up[i].at; at.rank() == c.self {
			next[i] = c.up[at.local()]
		} else {
			next[i].hops = int64(a.number(at))
		}
	}
}

// exchange carries all workers' questions to the owners and the answers back.
func (c *climber) exchange() ([][]uint64, error) {
	for q := range c.send {
		c.send[q] = c.send[q][:0]
		for w := range c.askers {
			a := &c.askers[w]
			a.base[q] = len(c.send[q])
			c.send[q] = append(c.send[q], a.want[q]...)
		}
	}
	asked, err := comm.Exchange(c.t, c.send)
	if err != nil {
		return nil, err
	}
	for q := range asked {
		n := 2 * len(asked[q])
		c.reply[q] = slices.Grow(c.reply[q][:0], n)[:n]
	}
	c.crew.each(func(w int) {
		for q := range asked {
			lo, hi := c.crew.share(len(asked[q]), w)
			for i := lo; i < hi; i++ {
				a := c.up[asked[q][i]]
				c.reply[q][2*i], c.reply[q][2*i+1] = uint64(a.at), uint64(a.hops)
			}
		}
	})
	return comm.Exchange(c.t, c.reply)
}

// take joins each open path with that of its end. It returns the first vertex whose ancestor was not reached, or
// -1; such a vertex keeps its ancestor.
func (c *climber) take(a *asker, root place, up, next []ancestor, answers [][]uint64) int {
	orphan := -1
	for i := range up {
		if !up[i].open(root) {
			continue
		}
		beyond := next[i]
		if q := up[i].at.rank(); q != c.self {
			answer := answers[q][2*(a.base[q]+int(beyond.hops)):]
			beyond = ancestor{place(answer[0]), int64(answer[1])}
		}
		switch {
		case beyond.at != nowhere:
			up[i] = ancestor{beyond.at, up[i].hops + beyond.hops}
			a.count(up[i], root)
		case orphan < 0:
			orphan = i
		}
	}
	return orphan
}
