package model

import (
	"math"

	"g500/bfs"
)

// asked is what ranks of GPUs would send each other with questions (questions.go), how many bits of all ranks each of
// them would be told of, and how many ghosts it would have.
type asked struct {
	steps  [stepCount]exchanged
	bits   float64
	ghosts float64
}

// exchanged is what one rank has in a step of a search: bytes that it receives inside its host and from others,
// messages to these, and questions that it asks, and is asked.
type exchanged struct{ inside, between, messages, questions float64 }

// and adds another exchange.
func (x exchanged) and(y exchanged) exchanged {
	return exchanged{x.inside + y.inside, x.between + y.between, x.messages + y.messages, x.questions + y.questions}
}

// toldWaves is for how many of the drawn searches messages are worked out.
const toldWaves = 32

// onGPUs goes through the levels of some drawn searches as GPUs search them: bottom-up to the end.
func (x *exchange) onGPUs(level func(at int, w wave, t int), end func()) {
	for i, w := range x.g.waves[:toldWaves] {
		x.start()
		for t, l := range w.levels {
			if at := stepOf(t, x.g.shared.pulls[i]); at != earlyStep && sum(l.core) >= 0.5 {
				x.level = at
				level(at, w, t)
			}
		}
		x.level = labelOrder
		end()
	}
}

// askedBy works out what ranks send with questions.
func (g *Graph) askedBy(ranks, onHost int) *asked {
	bounds := bfs.DefaultBounds()
	bounds.TiersFrom, bounds.QueriesFrom = 0, 0
	x := newExchange(g, Cluster{Ranks: ranks, OnHost: onHost, Bounds: bounds})
	a := &asked{bits: x.hubs * x.ranks, ghosts: x.ghosts()}
	x.onGPUs(func(at int, w wave, t int) {
		if at == pushStep {
			x.gather(w.levels[t].after())
			return
		}
		before := x.questions
		x.pull(w, t, at == firstSweep)
		a.steps[at].questions += (x.questions - before) / x.ranks / toldWaves
	}, x.answerLeaves)
	for _, s := range x.mean(toldWaves) {
		step := &a.steps[s.Level]
		if s.Tier == InsideTier {
			step.inside += s.Bytes / x.ranks
			continue
		}
		step.between += s.Bytes / x.ranks
		step.messages += s.Messages / x.ranks
	}
	return a
}

// ghosts is how many vertices of others that are not told the rows of a rank name: each edge of a vertex comes from one
// of the ranks by chance.
func (x *exchange) ghosts() (n float64) {
	for _, s := range x.order {
		named := 1 - math.Pow(others(x.ranks), s.degree)
		n += (1 - s.told) * s.vertices() * others(x.ranks) * named
	}
	return n
}

// labelsAsked is how many labels of parents one of so many ranks asks others for: of the parents that sweeps find,
// which are neither first neighbours nor among the largest hubs, whose labels all ranks know. Of others it has them by
// pairs.
func (g *Graph) labelsAsked(ranks int) (labels float64) {
	x := newExchange(g, Cluster{Ranks: ranks, OnHost: 1, Bounds: bfs.DefaultBounds()})
	x.onGPUs(func(at int, w wave, t int) {
		if at == pushStep {
			return
		}
		for k, asking := range x.pulled(w.levels[t]).asking {
			end, all := x.first[k+1]*x.ranks, (x.first[k+1]-x.first[k])*x.ranks
			labels += asking * min(max((end-mostKnownLabels)/max(all, 1e-9), 0), 1)
		}
	}, func() {})
	return labels / x.ranks / toldWaves
}

// messages is how long the message of one of so many ranks is that tells what a step has found (bfs/gather.go): gaps or
// words, whichever is shorter. Mean of one time.
func (g *Graph) messages(ranks int) (bytes [stepCount]float64) {
	x := newExchange(g, Cluster{Ranks: ranks, OnHost: 1, Bounds: bfs.DefaultBounds()})
	var times [stepCount]float64
	x.onGPUs(func(at int, w wave, t int) {
		bytes[at] += x.message(w.levels[t].after(), x.stride).each()
		times[at]++
	}, func() {})
	for at := range bytes {
		bytes[at] /= max(times[at], 1)
	}
	return bytes
}
