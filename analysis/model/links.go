package model

import "g500/internal/trace"

// Link is what a rank sends and receives in one form by one transport, in bytes. The names are those of a trace.
type Link struct {
	Form      string  `json:"form"`    // bitmap, bins or rows
	Transport string  `json:"carrier"` // peer or mpi
	Sent      float64 `json:"sent_bytes"`
	Received  float64 `json:"received_bytes"`
}

// move is a volume divided between the peers and the network.
type move struct {
	peerWords, peerPairs float64
	peerRows             float64
	relayed              float64 // words that came to a peer by the network
	netWords, netPairs   float64
	staged               float64 // words that came by host memory
	questions            float64 // that the rank answers
	messages             float64
}

// divide gives each rank an equal part of what a step moves.
func (m *Prediction) divide(l layout, v volume) move {
	if l.ranks == 1 {
		return move{}
	}
	peers := (l.host - 1) / (l.ranks - 1)
	x := move{
		peerWords: (v.words+v.shared)*v.changed*peers + v.marked,
		peerPairs: v.pairs * peers,
		peerRows:  v.rows,
		relayed:   v.shared * (1 - peers) * others(l.host),
		netWords:  (v.words + v.shared/l.host) * (1 - peers),
		netPairs:  v.pairs * (1 - peers),
		messages:  v.messages * (l.ranks - l.host),
	}
	if l.form == Bitmap {
		x.staged, x.relayed = x.relayed+x.netWords, 0
	}
	x.relayed += v.asked.inside
	x.netWords += v.asked.between
	x.questions = v.asked.questions
	x.messages += v.asked.messages
	return x
}

// inside is the time of the exchange inside a host, beside the step's own work. Each block writes to the peers when it
// has found all that it can, and what that takes is added whole: so say sweeps of 2 and 4 GPUs
// (results/h200x4/2026-11-21 of commit 9f75035). Rows are taken to be read at the rate of writes.
// The owner takes pairs in; a question is taken for one. The engine has what came from other hosts in host memory, from
// where each GPU reads it.
func (x move) inside(p Profile) float64 {
	return (x.peerWords+x.peerPairs+x.peerRows+x.relayed)/(p.Host.PeerGBs*1e9) +
		x.staged/(p.Host.StagedGBs*1e9) +
		p.Host.TakeIn.Each*1e-12*((x.peerPairs+x.netPairs)/pairBytes+x.questions)
}

// between is the time of the exchange between hosts. The network is used when the level has ended; its time is that of
// LogGP (Alexandrov et al., 1995): latency, overheads and bytes.
func (x move) between(p Profile) float64 {
	t := (x.netWords + x.netPairs) / (p.Network.GBs * 1e9)
	if x.messages > 0 {
		t += (p.Network.Latency + p.Network.Overhead*x.messages) * 1e-6
	}
	return t
}

// links lists what is moved.
func (x move) links() (links []Link) {
	for _, l := range []Link{
		{Form: trace.BitmapPayload, Transport: trace.PeerTransport, Received: x.peerWords + x.relayed},
		{Form: trace.BitmapPayload, Transport: trace.NodeTransport, Received: max(x.staged-x.netWords, 0)},
		{Form: trace.BinsPayload, Transport: trace.PeerTransport, Received: x.peerPairs},
		{Form: trace.RowsPayload, Transport: trace.PeerTransport, Received: x.peerRows},
		{Form: trace.BitmapPayload, Transport: "mpi", Received: x.netWords},
		{Form: trace.BinsPayload, Transport: "mpi", Received: x.netPairs},
	} {
		if l.Sent = l.Received; l.Received > 0 {
			links = append(links, l)
		}
	}
	return links
}

// addLinks sums bytes by form and transport.
func addLinks(sum, more []Link) []Link {
next:
	for _, l := range more {
		for i := range sum {
			if sum[i].Form == l.Form && sum[i].Transport == l.Transport {
				sum[i].Sent += l.Sent
				sum[i].Received += l.Received
				continue next
			}
		}
		sum = append(sum, l)
	}
	return sum
}
