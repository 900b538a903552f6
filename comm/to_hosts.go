package comm

// ToHosts sends send[h] to all ranks of host h, for every h, and returns the message of each rank to this rank's host.
// Between two hosts there is one message: a leader collects the messages of its host's ranks and sends them together,
// and a leader of the other host forwards them. The leaders depend on both hosts, so that ranks share the work.
//
// The messages are overwritten by the next call, and by the next AllToAll of the transport. It is collective.
func (x *Tiers) ToHosts(send [][]byte) (messages [][]byte, err error) {
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
	return x.arrived, x.deal(send[x.host()], brought)
}

// toRanks is ToHosts where each host has one rank, or all ranks are on one.
func (x *Tiers) toRanks(send [][]byte) (messages [][]byte, err error) {
	for r, host := range x.hosts {
		x.send[r] = send[host]
	}
	return x.t.AllToAll(x.send)
}

// Inside sends a message to all ranks of this rank's host, and returns theirs, by rank. It is collective; the messages
// are overwritten by the next call.
func (x *Tiers) Inside(own []byte) (messages [][]byte, err error) {
	x.bundle = append(x.bundle[:0], own...)
	return x.toMates()
}

// Leader is the rank of this rank's host that sends the messages of ToHosts to another host.
func (x *Tiers) Leader(other int) int { return x.leader(x.host(), other) }

// host is this rank's.
func (x *Tiers) host() int { return x.hosts[x.t.Rank()] }

// mates are the ranks of this rank's host, this one included.
func (x *Tiers) mates() []int { return x.ranks[x.host()] }

// leader is the rank of a host that exchanges messages with another host.
func (x *Tiers) leader(host, other int) int { return x.ranks[host][other%len(x.ranks[host])] }

// leads reports whether a rank is the leader of this rank's host for another host.
func (x *Tiers) leads(rank, other int) bool {
	return other != x.host() && x.leader(x.host(), other) == rank
}

// isLeader reports whether a rank of this host is its leader for any other host.
func (x *Tiers) isLeader(rank int) bool {
	for other := range x.ranks {
		if x.leads(rank, other) {
			return true
		}
	}
	return false
}

// collect sends the messages for other hosts to the leaders, which receive them by place on this host.
func (x *Tiers) collect(send [][]byte) (bundles [][]byte, err error) {
	clear(x.send)
	for _, mate := range x.mates() {
		empty := true
		var bundle []byte
		for other := range x.ranks {
			if x.leads(mate, other) {
				bundle = appendSection(bundle, send[other])
				empty = empty && len(send[other]) == 0
			}
		}
		if !empty {
			x.send[mate] = bundle
		}
	}
	got, err := x.t.NeighbourAllToAll(x.send, x.sources)
	if err == nil {
		got[x.t.Rank()] = x.send[x.t.Rank()]
	}
	return got, err
}

// bring exchanges the collected messages with the leaders of other hosts.
func (x *Tiers) bring(collected [][]byte) (brought [][]byte, err error) {
	me := x.t.Rank()
	clear(x.send)
	for other := range x.ranks {
		if !x.leads(me, other) {
			continue
		}
		empty := true
		var bundle []byte
		for _, mate := range x.mates() {
			var message []byte
			if message, collected[mate], err = cutAny(collected[mate]); err != nil {
				return nil, err
			}
			bundle = appendSection(bundle, message)
			empty = empty && len(message) == 0
		}
		if !empty {
			x.send[x.leader(other, x.host())] = bundle
		}
	}
	return x.t.NeighbourAllToAll(x.send, x.leaders)
}

// deal forwards the received messages and this rank's own message to the ranks of this host, and opens theirs.
func (x *Tiers) deal(own []byte, brought [][]byte) error {
	me := x.t.Rank()
	x.bundle = appendSection(x.bundle[:0], own)
	for other := range x.ranks {
		if x.leads(me, other) {
			x.bundle = appendSection(x.bundle, brought[x.leader(other, x.host())])
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

// openDealt opens the bundle of a rank of this host.
func (x *Tiers) openDealt(bundle []byte, mate int) (err error) {
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

// AllToAll is the transport's AllToAll by ToHosts. It is for short messages, because all ranks of a host receive the
// messages to any of them, each with its length.
func (x *Tiers) AllToAll(send [][]byte) (messages [][]byte, err error) {
	bundles := make([][]byte, len(x.ranks))
	for host, ranks := range x.ranks {
		empty := true
		for _, r := range ranks {
			empty = empty && len(send[r]) == 0
		}
		for _, r := range ranks {
			if !empty {
				bundles[host] = appendSection(bundles[host], send[r])
			}
		}
	}
	if messages, err = x.ToHosts(bundles); err != nil {
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
