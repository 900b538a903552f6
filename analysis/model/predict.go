// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"g500/analysis/collect"
	"g500/internal/lists"
	"g500/kronecker"
	"g500/policy"
	"g500/settings"
)

const (
	mostID32               = 1<<32 - 2
	mostReporting          = 64           // ranks; with more, reports list no vertices (cuda/search/memory.cuh)
	reportBytes, sumsBytes = 16 << 10, 96 // of a report with a list, and without
	pairBytes              = 8
)

// Model has the runs that predictions rest on.
type Model struct {
	one   []*steps // one GPU, by scale
	peers *steps   // two peers, nil if unknown
	far   *steps   // two GPUs that are not peers and gather all bits, nil if unknown
}

// New chooses among the runs of sets: of one GPU the newest run of each scale, and of two GPUs the newest run of the
// lowest scale that one GPU has too. Runs of larger scales then test the model.
func New(sets ...*collect.Set) (*Model, error) {
	var all []*steps
	for _, set := range sets {
		all = append(all, lists.Where(lists.Of(set.Runs, stepsOf), func(s *steps) bool { return s != nil })...)
	}
	slices.SortFunc(all, func(a, b *steps) int {
		return cmp.Or(a.run.Ranks-b.run.Ranks, a.run.Scale-b.run.Scale,
			cmp.Compare(b.run.Environment.Started, a.run.Environment.Started))
	})
	m := new(Model)
	for _, s := range all {
		known := slices.ContainsFunc(m.one, func(one *steps) bool { return one.run.Scale == s.run.Scale })
		switch first := all[0].run.Kind.Machine; {
		case s.run.Kind.Machine != first:
			return nil, fmt.Errorf("model: the runs are from %s and %s: give the folders of one machine", first,
				s.run.Kind.Machine)
		case s.run.Ranks == 1 && !known:
			m.one = append(m.one, s)
		case s.run.Ranks == 2 && known && s.far && m.far == nil && !s.queries:
			m.far = s
		case s.run.Ranks == 2 && known && !s.far && m.peers == nil:
			m.peers = s
		}
	}
	if len(m.one) < 2 {
		return nil, errors.New("model: there are no traced runs of one GPU at two scales: make them by " +
			"g500 run --engine gpu --trace --scale S --output DIR")
	}
	return m, nil
}

// Prediction is a predicted search. All times are in seconds.
type Prediction struct {
	GPUs  int
	Scale float64  // log2 of the graph's vertices
	Link  string   // between GPUs
	Query bool     // ranks query bits
	From  []string // folders of the runs
	Terms []Term   // of the steps, and of the time outside
}

// Term is one step of a predicted search. Peers exchange while they compute. Bytes are all that a rank receives.
type Term struct {
	Step                      string
	Computes                  float64
	Reports, Bits, Pairs      float64 // exchanges
	BytesOfBits, BytesOfPairs float64
}

// Seconds returns the time of the term.
func (t Term) Seconds() float64 { return t.Computes + t.Reports + t.Bits + t.Pairs }

// Sum returns the sum of the terms.
func (p Prediction) Sum() (sum Term) {
	for _, t := range p.Terms {
		sum = Term{"search", sum.Computes + t.Computes, sum.Reports + t.Reports, sum.Bits + t.Bits, sum.Pairs + t.Pairs,
			sum.BytesOfBits + t.BytesOfBits, sum.BytesOfPairs + t.BytesOfPairs}
	}
	return sum
}

// TEPS returns the rate of the search with the official edge factor.
func (p Prediction) TEPS() float64 {
	return settings.OfficialEdgeFactor * math.Exp2(p.Scale) / p.Sum().Seconds()
}

// PredictAll predicts searches with 2^scale vertices per GPU on each number of GPUs, by each link, and on peers for a
// nil link.
func PredictAll(sets []*collect.Set, links []*Link, gpus []int, scale int) (all []Prediction, err error) {
	m, err := New(sets...)
	if err != nil {
		return nil, err
	}
	for _, n := range gpus {
		if n < 1 || n > 1<<20 || scale < 1 || scale > 40 {
			return nil, fmt.Errorf("model: %d GPUs with 2^%d vertices each cannot be predicted: choose 1 to %d GPUs, and a "+
				"scale from 1 to 40", n, scale, 1<<20)
		}
		for _, l := range links {
			p, err := m.Predict(n, float64(scale)+math.Log2(float64(n)), l)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// Predict predicts a search on GPUs of which no two are peers or, if the link is nil, on peers.
func (m *Model) Predict(gpus int, scale float64, l *Link) (Prediction, error) {
	p := Prediction{GPUs: gpus, Scale: scale, Link: "peers"}
	two, nodes := m.peers, ""
	if l != nil {
		p.Link, two, nodes = l.Name, m.far, " --emulate-nodes 2"
	}
	if gpus > 1 && two == nil {
		return p, fmt.Errorf("model: predictions for %s need a traced run of two GPUs at a scale that one GPU has too: make "+
			"it by mpirun -n 2 g500 run --engine gpu%s --trace --scale S --output DIR", p.Link, nodes)
	}
	from := m.one
	if gpus > 1 {
		from = append(slices.Clone(from), two)
	}
	p.Terms = m.terms(size{gpus, scale, false}, two, l)
	if l != nil && gpus > 1 && math.Exp2(scale) > mostID32 { // the program compares both forms, too
		by := Prediction{Query: true, Terms: m.terms(size{gpus, scale, true}, two, l)}
		if by.Sum().Seconds() < p.Sum().Seconds() {
			p.Query, p.Terms = true, by.Terms
		}
	}
	p.From = lists.Of(from, func(s *steps) string { return s.run.Folder })
	return p, nil
}

// size is what is predicted.
type size struct {
	gpus    int
	scale   float64
	queries bool // ranks have the bits of hubs only, and query others
}

// nonLeaves returns the expected number of vertices of a rank that are no leaves. They have bits.
func (z size) nonLeaves() float64 {
	of := func(scale float64) float64 {
		return kronecker.Params{Scale: int(scale), EdgeFactor: settings.OfficialEdgeFactor}.NonLeaves()
	}
	low := math.Floor(z.scale)
	return of(low) * math.Pow(of(low+1)/of(low), z.scale-low) / float64(z.gpus)
}

// grown returns by how much a rank has more such vertices than in a run.
func (z size) grown(than *steps) float64 {
	return z.nonLeaves() / size{than.run.Ranks, float64(than.run.Scale), false}.nonLeaves()
}

// terms returns the terms of a search. Unless the GPUs are peers, they have that link.
func (m *Model) terms(z size, two *steps, l *Link) (all []Term) {
	for i, w := range rows {
		t := Term{Step: w.name, Computes: m.shared(i, z, two)}
		if z.gpus > 1 && l != nil {
			m.move(&t, i, z, l)
		}
		all = append(all, t)
	}
	return append(all, Term{Step: "outside", Computes: m.one[len(m.one)-1].outside})
}

// alone returns the time of a step on one GPU: as measured at that scale, else along the line, in the number of
// vertices, through the nearest two scales.
func (m *Model) alone(i int, scale float64) float64 {
	at := 1
	for at < len(m.one)-1 && float64(m.one[at].run.Scale) < scale {
		at++
	}
	a, b := m.one[at-1], m.one[at]
	x, y := math.Exp2(float64(a.run.Scale)), math.Exp2(float64(b.run.Scale))
	slope := (b.of[i].seconds - a.of[i].seconds) / (y - x)
	return max(0, a.of[i].seconds+slope*(math.Exp2(scale)-x))
}

// shared returns the time of a step on GPUs. The excess of two GPUs' time over half of one's is work that each does in
// full. It is an assumption that with queries it grows with a rank's share of the vertices.
func (m *Model) shared(i int, z size, two *steps) float64 {
	if z.gpus == 1 {
		return m.alone(i, z.scale)
	}
	one, took := m.alone(i, float64(two.run.Scale)), two.of[i].seconds
	if two.far {
		took = two.of[i].computing
	}
	full := min(max(0, 2*took-one), took)
	if rows[i].grows && z.queries {
		full *= z.grown(two)
	} else if rows[i].grows {
		full *= math.Exp2(z.scale - float64(two.run.Scale))
	}
	if took < one {
		full += max(0, m.alone(i, z.scale)-full) / float64(z.gpus)
	}
	return full
}

// move sets the exchanges of a step. A rank's bytes grow with its share of the vertices.
func (m *Model) move(t *Term, i int, z size, l *Link) {
	w, s, others := rows[i], m.far.of[i], float64(z.gpus-1)
	report := map[bool]int{false: reportBytes, true: sumsBytes}[z.gpus > mostReporting]
	gathers, levels, grown := w.gathers*s.gathered, s.levels, z.grown(m.far)
	each := s.bits * grown / max(gathers, math.SmallestNonzeroFloat64) // from a rank, 0 without gathers
	if math.Exp2(z.scale) > mostID32 {
		var factor float64
		factor, gathers = m.ids64(i, z.gpus)
		levels, t.Computes, each = factor*levels, factor*t.Computes, z.nonLeaves()/8
	}
	if s.pushed > 0 && levels > 0 {
		pairs := s.pairs / s.pushed * grown * 2 // of two ranks', half are for the other rank
		m.send(t, s.pushed, pairs*others/float64(z.gpus), z, l)
	}
	reports := w.reports * levels
	if z.queries && w.queries > 0 {
		queries := w.queries * z.nonLeaves() * others / float64(z.gpus)
		m.send(t, levels, pairBytes*queries, z, l)
		m.send(t, levels, queries/8, z, l) // replies
		reports += levels
	}
	if z.queries {
		each /= float64(policy.Default().HubShare)
		if i != pullRow {
			gathers = 0 // after pulls all ranks have the bits of all hubs
		}
	}
	t.Reports = reports * l.seconds("all-gather", float64(report)*others, z.gpus)
	t.BytesOfBits = gathers * each * others
	t.Bits = gathers * l.seconds("all-gather", each*others, z.gpus)
}

// send adds a number of all-to-alls in which a rank receives that many bytes.
func (m *Model) send(t *Term, times, bytes float64, z size, l *Link) {
	t.BytesOfPairs += times * bytes
	t.Pairs += times * l.seconds("all-to-all", bytes, z.gpus)
}

// ids64 returns the factor of a step's levels with 64-bit ids, and its gathers of all bits. There are no push-segments
// and no split; it is an assumption that pulls take their place. If reports list no vertices, each level of remaining
// vertices needs a gather, except the last, which finds none.
func (m *Model) ids64(i, gpus int) (factor, gathers float64) {
	of, factor := m.far.of, 1.0
	switch {
	case i == segmentsRow || i == splitRow:
		return 0, 0
	case i == pullRow:
		factor += (of[segmentsRow].levels + of[splitRow].levels) / of[pullRow].levels
	case i == remainingRow && gpus > mostReporting:
		return 1, max(0, of[i].levels-1)
	case i == remainingRow:
		return 1, of[i].gathered
	}
	return factor, factor * rows[i].gathers * of[i].levels
}
