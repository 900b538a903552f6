package model

import (
	"math"

	"g500/bfs"
)

// traffic adds up the messages for the visited bitmap when ranks on several nodes replicate the bits of hubs and query
// others, or replicate all (ADR 28). It follows the CPU engine's formats, without fitted numbers.
type traffic struct {
	g      *Graph
	bounds bfs.Bounds
	nodes  nodes
	ranks  float64

	leaves      float64   // share of the leaves that fill parts shorter than the longest
	order       []stretch // the non-leaf subgraph, and these leaves
	innerShares []float64 // by class, of the edges that lead into it
	stride      float64   // ids of a rank, in whole words
	hubs        float64   // ids of a rank whose bits are replicated: stride, or less in query mode

	sent, sentAll []float64            // missed (search.go) at the last broadcast of hubs' bits, and of all other bits
	step          int                  // the current one
	sums          [stepCount]exchanged // over all ranks and searches
}

// exchanged is bytes received within the node and from other nodes, messages to these, and queries.
type exchanged struct{ inside, between, messages, queries float64 }

// plus adds another exchange, divided by n.
func (x exchanged) plus(y exchanged, n float64) exchanged {
	return exchanged{x.inside + y.inside/n, x.between + y.between/n, x.messages + y.messages/n, x.queries + y.queries/n}
}

func newTraffic(g *Graph, ranks, perNode int, bounds bfs.Bounds) *traffic {
	x := &traffic{g: g, bounds: bounds, ranks: float64(ranks)}
	x.nodes.each = float64(min(perNode, ranks))
	x.nodes.n = math.Ceil(x.ranks / x.nodes.each)
	longest, leaves := g.longestPart(x.ranks), g.Vertices-g.Inner
	x.stride = 64 * max(math.Ceil(longest/64), 1)
	x.hubs = x.stride
	incoming := x.nodes.each * (x.ranks - x.nodes.each) * x.stride / 8
	if x.nodes.n > 1 && incoming >= float64(max(bounds.TwoLevelFrom, bounds.QueriesFrom)) {
		x.hubs = float64(bounds.ReplicatedIDs(int(x.stride), int(x.nodes.n)))
	}
	x.leaves = min((longest*x.ranks-g.Inner)/leaves, 1)
	x.innerShares = g.innerShares(x.leaves)
	x.order = g.degreeOrder(x.leaves * leaves)
	if x.hubs < x.stride {
		left := x.hubs * x.ranks
		for i := range x.order {
			s := &x.order[i]
			s.replicated = min(left/s.vertices(), 1)
			left = max(left-s.vertices(), 0)
		}
	}
	return x
}

// begin starts a new search.
func (x *traffic) begin() {
	x.sent, x.sentAll = make([]float64, len(x.g.classes)), make([]float64, len(x.g.classes))
}

// add adds bytes and messages of all ranks to the current step.
func (x *traffic) add(inside bool, bytes, messages float64) {
	switch at := &x.sums[x.step]; {
	case messages <= 0:
	case inside:
		at.inside += bytes
	default:
		at.between += bytes
		at.messages += messages
	}
}

// broadcast sends the new bits of the first ids of each rank to all ranks (bfs/gather.go).
func (x *traffic) broadcast(now []float64, ids float64) {
	m := x.message(now, ids)
	if ids/8 > float64(x.bounds.ShortMessage) {
		x.toAll(m)
	} else {
		x.toNodes(m, m.each())
	}
}

// message returns a rank's message about its first ids: none if none is new, gaps, or all words.
func (x *traffic) message(now []float64, ids float64) messages {
	var runs []run
	fresh := 0.0
	add := func(s stretch, sent []float64, n float64) {
		if n > 0 {
			r := run{n, s.found(x.g, sent, now)}
			runs = append(runs, r)
			fresh += r.ids * r.chance
		}
	}
	left := ids
	for _, s := range x.order {
		all := s.vertices() / x.ranks
		n := min(all, left)
		left -= n
		hubs := min(s.replicated*all, n)
		add(s, x.sent, hubs)
		add(s, x.sentAll, n-hubs)
	}
	x.sent = now
	if ids > x.hubs {
		x.sentAll = now
	}
	some := -math.Expm1(-fresh)
	if gaps := some + gapBytes(runs, 1, 0); gaps < 1+ids/8 {
		return messages{some, 1, gaps / max(some, 1e-300)}
	}
	return messages{1, 1, 1 + ids/8}
}

// modelledSearches is the number of drawn searches whose messages are computed.
const modelledSearches = 32

// queryCosts is the exchange of one rank of GPUs in query mode, how many bits of all ranks are replicated, and how many
// ghosts a rank has.
type queryCosts struct {
	steps        [stepCount]exchanged
	bits, ghosts float64
}

// queryCosts models searches that continue bottom-up to the end, as GPUs do.
func (g *Graph) queryCosts(ranks, perNode int) *queryCosts {
	bounds := bfs.DefaultBounds()
	bounds.TwoLevelFrom, bounds.QueriesFrom = 0, 0
	x := newTraffic(g, ranks, perNode, bounds)
	c := &queryCosts{bits: x.hubs * x.ranks, ghosts: x.ghosts()}
	for i, s := range g.searches[:modelledSearches] {
		x.begin()
		for at, t := range g.lateLevels(i, g.severalGPUs.pulls) {
			if x.step = at; at == pushStep {
				x.broadcast(s[t].after(), x.hubs)
			} else {
				x.pull(s, t, at == firstSweep)
			}
		}
		x.step = labelOrder
		x.replyToLeaves()
	}
	for at, sum := range x.sums {
		c.steps[at] = c.steps[at].plus(sum, x.ranks*modelledSearches)
	}
	return c
}

// ghosts returns how many vertices of other ranks, outside of the replicated bitmap, a rank's rows name (ADR 33): each
// edge of a vertex comes from a random rank.
func (x *traffic) ghosts() (n float64) {
	for _, s := range x.order {
		named := 1 - math.Pow(others(x.ranks), s.degree)
		n += (1 - s.replicated) * s.vertices() * others(x.ranks) * named
	}
	return n
}

// BytesBetweenNodes returns the mean bytes per search that all ranks of the CPU engine, with perNode on each node, send
// to other nodes for the visited bitmap: new bits, queries and replies. With these bounds all exchanges must be
// two-level.
func BytesBetweenNodes(g *Graph, ranks, perNode int, bounds bfs.Bounds) (bytes float64) {
	x := newTraffic(g, ranks, perNode, bounds)
	pulls := g.meansBy(bfs.Alpha).pulls
	for i, s := range g.searches {
		x.begin()
		for at, t := range g.lateLevels(i, pulls) {
			if at == pushStep {
				x.broadcast(s[t].after(), x.hubs)
			} else if at == firstSweep || sum(s[t].inner)*bfs.Beta >= g.Inner {
				x.pull(s, t, at == firstSweep)
			} else { // the rest is top-down; at the end ranks broadcast the bits that leaves need
				x.broadcast(s[len(s)-1].after(), x.hubs)
				break
			}
		}
		x.replyToLeaves()
	}
	for _, sum := range x.sums {
		bytes += sum.between / drawnSearches
	}
	return bytes
}

// gapMessages returns, by step, the mean length of a rank's message with all new bits, as gaps or as words, whichever
// is shorter.
func (g *Graph) gapMessages(ranks int) (bytes [stepCount]float64) {
	x := newTraffic(g, ranks, 1, bfs.DefaultBounds())
	var times [stepCount]float64
	for i, s := range g.searches[:modelledSearches] {
		x.begin()
		for at, t := range g.lateLevels(i, g.severalGPUs.pulls) {
			bytes[at] += x.message(s[t].after(), x.stride).each()
			times[at]++
		}
	}
	for at := range bytes {
		bytes[at] /= max(times[at], 1)
	}
	return bytes
}
