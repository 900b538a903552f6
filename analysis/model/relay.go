package model

import "math"

// nodes is n nodes with the same number of ranks on each.
type nodes struct{ n, each float64 }

// messages are the messages of a rank in the mean: the probability that it sends any, then the probability of a message
// to each other rank or node, and the bytes of one.
type messages struct{ senders, chance, bytes float64 }

// each returns the mean bytes to each other rank or node.
func (m messages) each() float64 { return m.senders * m.chance * m.bytes }

// toNodes sends every rank's message to each other node, and own bytes to its own (comm/to_nodes.go): node leaders
// collect the messages, send them, and forward those that arrive to the ranks of their node.
func (x *traffic) toNodes(m messages, own float64) {
	h := x.nodes
	if h.each == 1 {
		pairs := x.ranks * (x.ranks - 1)
		x.add(false, pairs*m.each(), pairs*m.senders*m.chance)
		return
	}
	for place := range int(min(h.each, h.n)) { // of a rank on its node, which is the leader for here other nodes
		here := math.Ceil((h.n - float64(place)) / h.each)
		for _, g := range []struct{ ranks, others float64 }{{here, here - 1}, {h.n - here, here}} {
			sent := m.senders * some(m.chance, g.others)
			pairs := g.ranks * (h.each - 1)
			x.add(true, pairs*(g.others*m.each()+lengths(m, g.others, sent)), pairs*sent)
		}
	}
	sent := some(m.senders*m.chance, h.each)
	x.forward(sent, h.each*m.each()+lengths(m, h.each, sent), own)
}

// lengths returns the bytes of the lengths of n messages in a bundle that is sent with a probability.
func lengths(m messages, n, sent float64) float64 {
	return n * (sent + m.senders*m.chance*(varint(m.bytes)-1))
}

// forward sends a bundle between each two nodes with a probability, bytes in the mean, and every rank forwards to those
// of its node the bundles received, and its own message.
func (x *traffic) forward(sent, bytes, own float64) {
	h := x.nodes
	x.add(false, h.n*(h.n-1)*bytes, h.n*(h.n-1)*sent)
	forwarded := h.each*(varint(own)+own) + (h.n-1)*(varint(bytes)+bytes)
	x.add(true, h.n*(h.each-1)*forwarded, h.n*h.each*(h.each-1))
}

// toAll sends every rank's message to all (comm/two_level.go): to one rank of each other node, and there in bundles.
func (x *traffic) toAll(m messages) {
	h := x.nodes
	x.add(false, x.ranks*(h.n-1)*m.each(), x.ranks*(h.n-1)*m.senders)
	x.add(true, x.ranks*(h.each-1)*h.n*(varint(m.each())+m.each()), x.ranks*(h.each-1))
}

// some returns the probability of at least one of n independent events.
func some(chance, n float64) float64 { return -math.Expm1(n * math.Log1p(-min(chance, 1-1e-12))) }

// varint returns the length of a number as a varint.
func varint(n float64) float64 {
	bytes := 1.0
	for ; n >= 128; n /= 128 {
		bytes++
	}
	return bytes
}
