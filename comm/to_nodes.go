// SPDX-License-Identifier: Apache-2.0

package comm

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
	bundles, err := x.toMates()
	if err != nil {
		return err
	}
	for _, mate := range x.mates() {
		if err := x.openDealt(bundles[mate], mate); err != nil {
			return err
		}
	}
	return nil
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
