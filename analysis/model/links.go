package model

import "g500/internal/trace"

// Link is the bytes that a rank sends and receives in one form by one GPU transport, with the names of a trace.
type Link struct {
	Form      string  `json:"form"`      // bitmap, bins or rows
	Transport string  `json:"transport"` // peer, node or mpi
	Sent      float64 `json:"sent_bytes"`
	Received  float64 `json:"received_bytes"`
}

// move is a volume divided between the peers and the network.
type move struct {
	peerWords, peerPairs float64
	peerRows             float64
	relayed              float64 // words that a peer received by the network
	netWords, netPairs   float64
	staged               float64 // words that are read from host memory
	queries              float64 // that the rank replies to
	messages             float64
}

// divide gives each rank an equal part of the volume of a step.
func (l layout) divide(v volume) move {
	if l.ranks == 1 {
		return move{}
	}
	peers := (l.node - 1) / (l.ranks - 1)
	x := move{
		peerWords: (v.words+v.shared)*v.changed*peers + v.marked,
		peerPairs: v.pairs * peers,
		peerRows:  v.rows,
		relayed:   v.shared * (1 - peers) * others(l.node),
		netWords:  (v.words + v.shared/l.node) * (1 - peers),
		netPairs:  v.pairs * (1 - peers),
		messages:  v.messages * (l.ranks - l.node),
	}
	if l.scheme == Bitmap {
		x.staged, x.relayed = x.relayed+x.netWords, 0
	}
	x.relayed += v.queried.inside
	x.netWords += v.queried.between
	x.queries = v.queried.queries
	x.messages += v.queried.messages
	return x
}

// inside returns the seconds of the exchange inside a node. Each block writes to the peers when it has found all its
// vertices, so the time is added in full, as sweeps of 2 and 4 GPUs confirm (results/h200x4/2026-11-21 of commit
// 9f75035). Rows are assumed to be read at the rate of writes, and a query to cost as much as receiving a pair.
func (x move) inside(p Profile) float64 {
	return (x.peerWords+x.peerPairs+x.peerRows+x.relayed)/(p.Node.PeerGBs*1e9) +
		x.staged/(p.Node.StagedGBs*1e9) +
		p.Node.Receive.Each*1e-12*((x.peerPairs+x.netPairs)/pairBytes+x.queries)
}

// between returns the seconds of the exchange between nodes, which begins when the level has ended: latency, overheads
// and bytes, by LogGP (Alexandrov et al., 1995).
func (x move) between(p Profile) float64 {
	t := (x.netWords + x.netPairs) / (p.Network.GBs * 1e9)
	if x.messages > 0 {
		t += (p.Network.Latency + p.Network.Overhead*x.messages) * 1e-6
	}
	return t
}

// links returns the bytes by form and transport, without empty ones.
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
