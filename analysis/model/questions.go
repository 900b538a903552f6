package model

import (
	"math"

	"g500/internal/trace"
)

// pull is what a bottom-up level sends: first for vertices that find no parent by the bits that their rank knows
// (bfs/ask.go), then what the level has found. The frontier was pushed or not.
func (x *exchange) pull(w wave, t int, pushed bool) {
	if x.hubs < x.stride {
		x.settleOpen(w, t, pushed)
	}
	x.gather(w.levels[t].after())
}

// settleOpen has ranks ask about the unknown neighbours of open vertices, or tell all bits, whichever is shorter.
func (x *exchange) settleOpen(w wave, t int, pushed bool) {
	u := x.unknownIn(w, t, pushed)
	questions := x.questionsIn(w.levels[t], &u)
	words := (x.hosts.n - 1) * x.ranks * (x.stride - x.hubs) / 8
	switch {
	case questions < 0.5:
	case x.bounds.QueriesPay(int64(questions), int64(words)):
		x.questions += questions
		x.ask(u.kinds)
	default:
		x.tell(w.levels[t].missed, x.stride)
	}
}

// unknown is what ranks know of the neighbours of a vertex that no frontier has found, as shares of the edges that lead
// to each class: those which they know to be in the frontier, and those of which they do not know. kinds are the
// latter.
type unknown struct {
	known, unknown []float64
	kinds          []kind
}

// kind is vertices of a class with the same degree of which only their owners know: as many as may be asked about, the
// share of the edges to the class that lead to them, and how often all ranks together ask about them.
type kind struct {
	stretch, class          int
	vertices, share, asking float64
}

// unknownIn tells what is unknown when a level is searched bottom-up. Neighbours of a vertex that was not found are in
// no earlier frontier. One that is in this frontier is known to its owner, and to ranks that have pushed to it.
func (x *exchange) unknownIn(w wave, t int, pushed bool) unknown {
	n := len(x.g.classes)
	u := unknown{known: make([]float64, n), unknown: make([]float64, n)}
	before, now := w.levels[t-1].missed, w.levels[t].missed
	for i, s := range x.order {
		for _, m := range s.classes {
			j := m.class
			share := s.degree * m.vertices / (x.g.classes[j].labels * x.g.classes[j].ends)
			left, after := x.g.missing(j, s.degree-1, before), x.g.missing(j, s.degree-1, now)
			owner := 1 / x.ranks
			knowing := owner
			if pushed {
				knowing += (1 - owner) * x.pushers(w.levels[t-1].hits[j])
			}
			u.known[j] += share * (left - after) * (s.told + (1-s.told)*knowing)
			if s.told < 1 {
				asked := share * (1 - s.told) * ((1-owner)*after + (1-knowing)*(left-after))
				u.unknown[j] += asked
				u.kinds = append(u.kinds, kind{i, j, m.vertices * (1 - s.told) * x.g.missing(j, s.degree, before), asked, 0})
			}
		}
	}
	return u
}

// pushers is the share of the ranks that have pushed to a vertex which the frontier has found.
func (x *exchange) pushers(hits float64) float64 {
	if hits == 0 {
		return 1 / x.ranks
	}
	return math.Expm1(-hits/x.ranks) / math.Expm1(-hits)
}

// questionsIn is how many neighbours open vertices have of which their rank does not know, and which. A vertex is open
// if none of its neighbours is known to be in the frontier. Its neighbours are Poisson distributed in each class; one
// that has no other is a leaf.
func (x *exchange) questionsIn(l waveLevel, u *unknown) (all float64) {
	classes := x.g.classes
	asking := make([]float64, len(classes)) // edges of open vertices that lead to each class, before shares
	for i, c := range classes {
		rates, known, unknown := x.rates(i), 0.0, 0.0
		for j, rate := range rates {
			known += rate * u.known[j]
			unknown += rate * u.unknown[j]
		}
		left := max(c.all-l.missed[i], known+unknown)
		open := c.labels * math.Exp(-l.missed[i]) * (math.Exp(-known) - (1-x.leaves)*math.Exp(-left))
		for j, rate := range rates {
			asking[j] += open * rate
		}
	}
	for i := range u.kinds {
		k := &u.kinds[i]
		k.asking = asking[k.class] * k.share
		all += k.asking
	}
	return all
}

// ask has the ranks of a host put their questions together and pose them, each once, and owners answer by bits
// (bfs/questions.go).
func (x *exchange) ask(kinds []kind) {
	asked := func(of float64) []run { return x.asked(kinds, of/(x.ranks-1)) } // by so many ranks
	h := x.hosts
	// The questions of one rank, then those of a host to another.
	own := asked(1)
	mates := x.ranks * (h.each - 1)
	x.add(trace.QueriesPayload, InsideTier, mates*gapBytesIn(own, x.ranks, 0), mates*anyOf(own, x.ranks))
	theirs := asked(h.each)
	sent, bytes := anyOf(theirs, h.each), gapBytesIn(theirs, h.each, x.ranks*x.stride)
	x.deal(trace.QueriesPayload, sent, bytes+sent*(h.each-1+varint(bytes)), 0)
	x.answer(expected(theirs), expected(asked(h.each-1)))
}

// answer has every rank answer as many questions of each other host, and of its own.
func (x *exchange) answer(theirs, own float64) {
	chance := -math.Expm1(-theirs)
	x.toHosts(trace.RepliesPayload, messages{1, chance, bytesOfBits(theirs) / max(chance, 1e-300)}, bytesOfBits(own))
}

// answerLeaves is what owners tell of the neighbours of leaves when a search is over (bfs/leaves.go).
func (x *exchange) answerLeaves() {
	if x.hubs == x.stride {
		return
	}
	var kinds []kind
	for i, s := range x.order {
		for _, m := range s.classes {
			if vertices := m.vertices * (1 - s.told); vertices > 0 {
				kinds = append(kinds, kind{i, m.class, vertices, 0, vertices * s.degree * (1 - x.coreDegrees[m.class])})
			}
		}
	}
	asked := func(by float64) float64 { return expected(x.asked(kinds, by/x.ranks)) }
	x.answer(asked(x.hosts.each), asked(x.hosts.each-1))
}

// asked is which hub ids of a rank some ranks ask about, which have a share of all questions.
func (x *exchange) asked(kinds []kind, share float64) []run {
	runs := []run{{x.hubs, 0}}
	last := -1
	for _, k := range kinds {
		s := x.order[k.stretch]
		if k.stretch != last {
			runs, last = append(runs, run{s.vertices() * (1 - s.told) / x.ranks, 0}), k.stretch
		}
		if k.vertices > 0 {
			r := &runs[len(runs)-1]
			r.chance += k.vertices / x.ranks * -math.Expm1(-k.asking/k.vertices*share) / r.ids
		}
	}
	return runs
}

// expected is how many there are of what runs have.
func expected(runs []run) (n float64) {
	for _, r := range runs {
		n += r.ids * r.chance
	}
	return n
}

// anyOf is the probability that so many parts with these runs have something.
func anyOf(runs []run, parts float64) float64 { return -math.Expm1(-parts * expected(runs)) }

// bytesOfBits is how many bytes so many bits take, on average a Poisson distributed number.
func bytesOfBits(mean float64) (bytes float64) {
	if mean > 64 {
		return mean/8 + 7./16
	}
	chance, below := math.Exp(-mean), 0.0
	for n := range 256 {
		if n%8 == 0 {
			bytes += 1 - below - chance
		}
		below += chance
		chance *= mean / float64(n+1)
	}
	return bytes
}
