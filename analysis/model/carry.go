package model

import "math"

// hosts are those of so many ranks, equally many on each.
type hosts struct {
	n, each float64
	gates   []gates
}

// gates is so many ranks, each of which is the gate of its host to so many others (comm/to_nodes.go).
type gates struct{ ranks, others float64 }

func newHosts(ranks, each int) hosts {
	h := hosts{n: math.Ceil(float64(ranks) / float64(each)), each: float64(each)}
	for place := range min(each, int(h.n)) {
		here := math.Ceil((h.n - float64(place)) / h.each) // hosts to which this place leads: not from one of themselves
		h.gates = append(h.gates, gates{here, here - 1}, gates{h.n - here, here})
	}
	return h
}

// messages is what every rank has for others, in the mean: a share of the ranks has something at all; of these, each
// has something for every other with a probability; bytes are those of such a message.
type messages struct{ senders, chance, bytes float64 }

// each is the bytes for each other, of a rank that may have nothing.
func (m messages) each() float64 { return m.senders * m.chance * m.bytes }

// toRanks has every rank send each other one a message.
func (x *exchange) toRanks(form string, m messages) {
	for tier, pairs := range map[string]float64{
		InsideTier: x.ranks * (x.hosts.each - 1), BetweenTier: x.ranks * (x.ranks - x.hosts.each),
	} {
		x.add(form, tier, pairs*m.each(), pairs*m.senders*m.chance)
	}
}

// toHosts has every rank send each host a message (comm/to_nodes.go), and own bytes to its own one: ranks collect the
// messages at the gates, which send them on, and deal what comes to the ranks of their host.
func (x *exchange) toHosts(form string, m messages, own float64) {
	if x.hosts.each == 1 {
		x.toRanks(form, m)
		return
	}
	for _, g := range x.hosts.gates {
		sent := m.senders * some(m.chance, g.others)
		pairs := g.ranks * (x.hosts.each - 1)
		x.add(form, InsideTier, pairs*(g.others*m.each()+lengths(m, g.others, sent)), pairs*sent)
	}
	sent := some(m.senders*m.chance, x.hosts.each)
	x.deal(form, sent, x.hosts.each*m.each()+lengths(m, x.hosts.each, sent), own)
}

// lengths is what the lengths of so many messages in a bundle take, which is sent with a probability.
func lengths(m messages, n, sent float64) float64 {
	return n * (sent + m.senders*m.chance*(varint(m.bytes)-1))
}

// deal has the gates of every two hosts send a message with a probability, whose mean bytes count those of no message,
// and every rank send those of its host what it has brought, and its own.
func (x *exchange) deal(form string, sent, bytes, own float64) {
	h := x.hosts
	x.add(form, BetweenTier, h.n*(h.n-1)*bytes, h.n*(h.n-1)*sent)
	dealt := h.each*(varint(own)+own) + (h.n-1)*(varint(bytes)+bytes)
	x.add(form, InsideTier, h.n*(h.each-1)*dealt, h.n*h.each*(h.each-1))
}

// toAll brings a message of every rank to all (comm/tiers.go): to one rank of each other host, and there in bundles. It
// has something with a probability.
func (x *exchange) toAll(form string, m messages) {
	h := x.hosts
	x.add(form, BetweenTier, x.ranks*(h.n-1)*m.each(), x.ranks*(h.n-1)*m.senders)
	x.add(form, InsideTier, x.ranks*(h.each-1)*h.n*(varint(m.each())+m.each()), x.ranks*(h.each-1))
}

// some is the probability that one of n things happens, each of which does with a probability.
func some(chance, n float64) float64 { return -math.Expm1(n * math.Log1p(-min(chance, 1-1e-12))) }

// spread is how many of n have one of so many things that are dealt out evenly.
func spread(things, n float64) float64 { return n * -math.Expm1(-things/n) }

// varint is the length of a number as a varint.
func varint(n float64) float64 {
	bytes := 1.0
	for ; n >= 128; n /= 128 {
		bytes++
	}
	return bytes
}
