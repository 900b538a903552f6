// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"encoding/binary"
	"errors"
	"slices"
)

// TwoLevel has two-level collectives: a message to all ranks crosses the network once per node. A rank sends it to one
// rank of each other node, its relay there; the relay forwards it to the ranks of its node. All ranks of a node send
// and receive equally much.
type TwoLevel struct {
	t       Transport
	nodes   []int
	ranks   [][]int    // by node
	place   []int      // of each rank on its node
	bundle  []byte     // messages that this rank forwards
	relays  Neighbours // of AllGather between nodes
	onNode  Neighbours // the other ranks of this node
	leaders Neighbours // of ToNodes between nodes
	sources Neighbours // of ToNodes to the leaders of this node
	arrived [][]byte
	send    [][]byte
	parts   [][]byte // of one bundle
}

// NewTwoLevel returns two-level collectives over the transport's nodes.
func NewTwoLevel(t Transport) *TwoLevel {
	x := &TwoLevel{t: t, nodes: t.Nodes(), place: make([]int, t.Size())}
	x.arrived, x.send = make([][]byte, t.Size()), make([][]byte, t.Size())
	for r, node := range x.nodes {
		for node >= len(x.ranks) {
			x.ranks = append(x.ranks, nil)
		}
		x.place[r] = len(x.ranks[node])
		x.ranks[node] = append(x.ranks[node], r)
	}
	x.findNeighbours()
	return x
}

// findNeighbours finds the ranks with which this rank exchanges messages.
func (x *TwoLevel) findNeighbours() {
	me := x.t.Rank()
	for rank, node := range x.nodes {
		switch r := int32(rank); {
		case rank == me:
		case node == x.node():
			x.onNode.To, x.onNode.From = append(x.onNode.To, r), append(x.onNode.From, r)
			if x.isLeader(rank) {
				x.sources.To = append(x.sources.To, r)
			}
			if x.isLeader(me) {
				x.sources.From = append(x.sources.From, r)
			}
		case x.relayed(rank, me):
			x.relays.From = append(x.relays.From, r)
		}
	}
	for node := range x.ranks {
		if node != x.node() {
			x.relays.To = append(x.relays.To, int32(x.relay(me, node)))
		}
		if x.leads(me, node) {
			leader := int32(x.leader(node, x.node()))
			x.leaders.To, x.leaders.From = append(x.leaders.To, leader), append(x.leaders.From, leader)
		}
	}
}

// Several reports whether there are several nodes.
func (x *TwoLevel) Several() bool { return len(x.ranks) > 1 }

// Nodes returns the number of nodes.
func (x *TwoLevel) Nodes() int { return len(x.ranks) }

// Save reports whether two levels need fewer messages between nodes than one: there are several nodes, and one of them
// has several ranks.
func (x *TwoLevel) Save() bool { return x.Several() && len(x.ranks) < x.t.Size() }

// Incoming returns the number of bytes that a node receives from other nodes, the largest of all nodes, if every rank
// receives each bytes from each rank of another node.
func (x *TwoLevel) Incoming(each int) (bytes int) {
	for _, ranks := range x.ranks {
		bytes = max(bytes, len(ranks)*(x.t.Size()-len(ranks))*each)
	}
	return bytes
}

// relay returns the rank of a node that receives the messages of a rank of another node.
func (x *TwoLevel) relay(from, node int) int { return x.ranks[node][x.place[from]%len(x.ranks[node])] }

// relayed reports whether rank by is the first rank on its node to receive from's message, or has sent it.
func (x *TwoLevel) relayed(from, by int) bool {
	return from == by || x.nodes[from] != x.nodes[by] && x.relay(from, x.nodes[by]) == by
}

// AllGather returns the messages of all ranks, of any lengths. The next call and the next AllToAll of the transport
// overwrite them. It is collective.
func (x *TwoLevel) AllGather(own []byte) (messages [][]byte, err error) {
	if err := x.cross(own); err != nil {
		return nil, err
	}
	return x.arrived, x.forward(x.open)
}

// cross sends the message to the other nodes, and bundles it with the messages received from them.
func (x *TwoLevel) cross(own []byte) error {
	me := x.t.Rank()
	clear(x.send)
	for node := range x.ranks {
		if node != x.nodes[me] {
			x.send[x.relay(me, node)] = own
		}
	}
	got, err := x.t.NeighbourAllToAll(x.send, x.relays)
	if err != nil {
		return err
	}
	got[me] = own
	x.bundle = x.bundle[:0]
	for from, message := range got {
		if x.relayed(from, me) {
			x.bundle = appendSection(x.bundle, message)
		}
	}
	return nil
}

// forward sends the bundle to the ranks of this node, and opens the bundle of each of them.
func (x *TwoLevel) forward(open func(bundle []byte, mate int) error) error {
	bundles, err := x.toMates()
	for _, mate := range x.mates() {
		if err == nil {
			err = open(bundles[mate], mate)
		}
	}
	return err
}

// toMates sends this rank's bundle to the ranks of its node, and returns their bundles.
func (x *TwoLevel) toMates() (bundles [][]byte, err error) {
	me := x.t.Rank()
	clear(x.send)
	for _, mate := range x.mates() {
		if mate != me {
			x.send[mate] = x.bundle
		}
	}
	if bundles, err = x.t.NeighbourAllToAll(x.send, x.onNode); err == nil {
		bundles[me] = x.bundle
	}
	return bundles, err
}

// open stores the messages of a bundle from a rank of this node in arrived.
func (x *TwoLevel) open(bundle []byte, by int) (err error) {
	for from := range x.arrived {
		if !x.relayed(from, by) {
			continue
		}
		if x.arrived[from], bundle, err = cutSection(bundle); err != nil {
			return err
		}
	}
	return nil
}

// A bundle is one message with several messages in it: the length of each, as a varint, and its bytes.

var errBundle = errors.New("comm: a bundle of messages is too short: ranks disagree about their nodes")

// appendSection adds a message to a bundle.
func appendSection(bundle, message []byte) []byte {
	bundle = binary.AppendUvarint(bundle, uint64(len(message)))
	return append(bundle, message...)
}

// cutSection returns the first message of a bundle, and the rest of the bundle.
func cutSection(bundle []byte) (message, rest []byte, err error) {
	length, head := binary.Uvarint(bundle)
	if head <= 0 || length > uint64(len(bundle)-head) {
		return nil, nil, errBundle
	}
	end := head + int(length)
	return bundle[head:end:end], bundle[end:], nil
}

// bundleOf returns a bundle of messages that is empty if all of them are.
func bundleOf(messages [][]byte) (bundle []byte) {
	if slices.ContainsFunc(messages, func(m []byte) bool { return len(m) > 0 }) {
		for _, message := range messages {
			bundle = appendSection(bundle, message)
		}
	}
	return bundle
}

// cutAny is cutSection for bundles of bundleOf.
func cutAny(bundle []byte) (message, rest []byte, err error) {
	if len(bundle) == 0 {
		return nil, nil, nil
	}
	return cutSection(bundle)
}

// ToNodes sends send[h] to all ranks of node h, for every h, and returns the message of each rank to this rank's node.
// There is one message between two nodes: a leader collects the messages of its node's ranks and sends them together,
// and a leader of the other node forwards them. The leaders depend on both nodes, to share the work among the ranks.
//
// The next call and the next AllToAll of the transport overwrite the messages. It is collective.
func (x *TwoLevel) ToNodes(send [][]byte) (messages [][]byte, err error) {
	if !x.Save() {
		return x.toRanks(send)
	}
	collected, err := x.collect(send)
	if err != nil {
		return nil, err
	}
	brought, err := x.bring(collected)
	if err != nil {
		return nil, err
	}
	return x.arrived, x.deal(send[x.node()], brought)
}

// toRanks is ToNodes if each node has one rank, or if there is one node.
func (x *TwoLevel) toRanks(send [][]byte) (messages [][]byte, err error) {
	for r, node := range x.nodes {
		x.send[r] = send[node]
	}
	return x.t.AllToAll(x.send)
}

// Inside sends a message to all ranks of this rank's node, and returns their messages, by rank. The next call
// overwrites the messages. It is collective.
func (x *TwoLevel) Inside(own []byte) (messages [][]byte, err error) {
	x.bundle = append(x.bundle[:0], own...)
	return x.toMates()
}

// Leader returns the rank of this rank's node that sends the messages of ToNodes to another node.
func (x *TwoLevel) Leader(other int) int { return x.leader(x.node(), other) }

// node returns this rank's node.
func (x *TwoLevel) node() int { return x.nodes[x.t.Rank()] }

// mates returns the ranks of this rank's node, with this rank.
func (x *TwoLevel) mates() []int { return x.ranks[x.node()] }

// leader returns the rank of a node that exchanges messages with another node.
func (x *TwoLevel) leader(node, other int) int { return x.ranks[node][other%len(x.ranks[node])] }

// leads reports whether a rank is the leader of this rank's node for another node.
func (x *TwoLevel) leads(rank, other int) bool {
	return other != x.node() && x.leader(x.node(), other) == rank
}

// isLeader reports whether a rank of this node is the leader for any other node.
func (x *TwoLevel) isLeader(rank int) bool {
	for other := range x.ranks {
		if x.leads(rank, other) {
			return true
		}
	}
	return false
}

// collect sends the messages for other nodes to the leaders of this node, and returns those that this leader receives.
func (x *TwoLevel) collect(send [][]byte) (bundles [][]byte, err error) {
	clear(x.send)
	for _, mate := range x.mates() {
		x.parts = x.parts[:0]
		for other := range x.ranks {
			if x.leads(mate, other) {
				x.parts = append(x.parts, send[other])
			}
		}
		x.send[mate] = bundleOf(x.parts)
	}
	got, err := x.t.NeighbourAllToAll(x.send, x.sources)
	if err == nil {
		got[x.t.Rank()] = x.send[x.t.Rank()]
	}
	return got, err
}

// bring exchanges the collected messages with the leaders of the other nodes.
func (x *TwoLevel) bring(collected [][]byte) (brought [][]byte, err error) {
	me := x.t.Rank()
	clear(x.send)
	for other := range x.ranks {
		if !x.leads(me, other) {
			continue
		}
		x.parts = x.parts[:0]
		for _, mate := range x.mates() {
			var message []byte
			if message, collected[mate], err = cutAny(collected[mate]); err != nil {
				return nil, err
			}
			x.parts = append(x.parts, message)
		}
		x.send[x.leader(other, x.node())] = bundleOf(x.parts)
	}
	return x.t.NeighbourAllToAll(x.send, x.leaders)
}

// deal forwards the received messages and this rank's own message to the ranks of this node, and opens theirs.
func (x *TwoLevel) deal(own []byte, brought [][]byte) error {
	me := x.t.Rank()
	x.bundle = appendSection(x.bundle[:0], own)
	for other := range x.ranks {
		if x.leads(me, other) {
			x.bundle = appendSection(x.bundle, brought[x.leader(other, x.node())])
		}
	}
	return x.forward(x.openDealt)
}

// openDealt opens the bundle of a rank of this node.
func (x *TwoLevel) openDealt(bundle []byte, mate int) (err error) {
	if x.arrived[mate], bundle, err = cutSection(bundle); err != nil {
		return err
	}
	for other, ranks := range x.ranks {
		if !x.leads(mate, other) {
			continue
		}
		var brought []byte
		if brought, bundle, err = cutSection(bundle); err != nil {
			return err
		}
		for _, from := range ranks {
			if x.arrived[from], brought, err = cutAny(brought); err != nil {
				return err
			}
		}
	}
	return nil
}

// AllToAll is the transport's AllToAll, with messages from node to node. It is for short messages, because all ranks of
// a node receive the messages to any of them.
func (x *TwoLevel) AllToAll(send [][]byte) (messages [][]byte, err error) {
	bundles := make([][]byte, len(x.ranks))
	for node, ranks := range x.ranks {
		x.parts = x.parts[:0]
		for _, r := range ranks {
			x.parts = append(x.parts, send[r])
		}
		bundles[node] = bundleOf(x.parts)
	}
	if messages, err = x.ToNodes(bundles); err != nil {
		return nil, err
	}
	for from, bundle := range messages {
		for place := 0; place <= x.place[x.t.Rank()]; place++ {
			if messages[from], bundle, err = cutAny(bundle); err != nil {
				return nil, err
			}
		}
	}
	return messages, nil
}
