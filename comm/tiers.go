package comm

// Tiers are two-level collectives: a message to all ranks crosses the network once to each host. A rank first sends it
// to one rank of each other host, the one with its own place there; then these forward the received messages to the
// ranks of their host. So all ranks of a host send and receive equally much.
type Tiers struct {
	t       Transport
	hosts   []int
	ranks   [][]int    // by host
	place   []int      // of each rank on its host
	bundle  []byte     // messages that this rank forwards
	relays  Neighbours // of AllGather between hosts
	onHost  Neighbours // the other ranks of this host
	leaders Neighbours // of ToHosts between hosts
	sources Neighbours // of ToHosts to the leaders of this host
	arrived [][]byte
	send    [][]byte
}

// NewTiers returns the tiers of the transport's hosts.
func NewTiers(t Transport) *Tiers {
	x := &Tiers{t: t, hosts: t.Hosts(), place: make([]int, t.Size())}
	x.arrived, x.send = make([][]byte, t.Size()), make([][]byte, t.Size())
	for r, host := range x.hosts {
		for host >= len(x.ranks) {
			x.ranks = append(x.ranks, nil)
		}
		x.place[r] = len(x.ranks[host])
		x.ranks[host] = append(x.ranks[host], r)
	}
	x.findNeighbours()
	return x
}

// findNeighbours finds the ranks that exchange messages.
func (x *Tiers) findNeighbours() {
	me := x.t.Rank()
	for r, host := range x.hosts {
		switch {
		case r == me:
		case host == x.host():
			x.onHost.To, x.onHost.From = append(x.onHost.To, r), append(x.onHost.From, r)
			if x.isLeader(r) {
				x.sources.To = append(x.sources.To, r)
			}
			if x.isLeader(me) {
				x.sources.From = append(x.sources.From, r)
			}
		case x.relayed(r, me):
			x.relays.From = append(x.relays.From, r)
		}
	}
	for host := range x.ranks {
		if host != x.host() {
			x.relays.To = append(x.relays.To, x.relay(me, host))
		}
		if x.leads(me, host) {
			leader := x.leader(host, x.host())
			x.leaders.To, x.leaders.From = append(x.leaders.To, leader), append(x.leaders.From, leader)
		}
	}
}

// Several reports whether there is more than one host.
func (x *Tiers) Several() bool { return len(x.ranks) > 1 }

// Hosts is how many there are.
func (x *Tiers) Hosts() int { return len(x.ranks) }

// Save reports whether tiers have fewer messages cross the network: there are several hosts, and one has several ranks.
func (x *Tiers) Save() bool { return x.Several() && len(x.ranks) < x.t.Size() }

// Incoming is the number of bytes that the host with most receives from other hosts, if every rank receives each bytes
// from each rank there. It is the same on all ranks.
func (x *Tiers) Incoming(each int) (bytes int) {
	for _, ranks := range x.ranks {
		bytes = max(bytes, len(ranks)*(x.t.Size()-len(ranks))*each)
	}
	return bytes
}

// relay is the rank of a host that receives the messages of a rank of another host.
func (x *Tiers) relay(from, host int) int { return x.ranks[host][x.place[from]%len(x.ranks[host])] }

// relayed reports whether rank by is the first rank on its host to receive from's message, or has sent it.
func (x *Tiers) relayed(from, by int) bool {
	return from == by || x.hosts[from] != x.hosts[by] && x.relay(from, x.hosts[by]) == by
}

// AllGather brings the message of every rank to all ranks. The messages may have any length; they are overwritten by
// the next call, and by the next AllToAll of the transport. It is collective.
func (x *Tiers) AllGather(own []byte) (messages [][]byte, err error) {
	if err := x.cross(own); err != nil {
		return nil, err
	}
	return x.arrived, x.forward()
}

// cross sends the message to the other hosts, and bundles it with the messages received from there.
func (x *Tiers) cross(own []byte) error {
	me := x.t.Rank()
	clear(x.send)
	for host := range x.ranks {
		if host != x.hosts[me] {
			x.send[x.relay(me, host)] = own
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

// forward sends the bundle to the ranks of this host, and opens theirs.
func (x *Tiers) forward() error {
	bundles, err := x.toMates()
	if err != nil {
		return err
	}
	for _, by := range x.mates() {
		if err := x.open(bundles[by], by); err != nil {
			return err
		}
	}
	return nil
}

// toMates sends this rank's bundle to the ranks of its host, and returns theirs.
func (x *Tiers) toMates() (bundles [][]byte, err error) {
	me := x.t.Rank()
	clear(x.send)
	for _, mate := range x.mates() {
		if mate != me {
			x.send[mate] = x.bundle
		}
	}
	if bundles, err = x.t.NeighbourAllToAll(x.send, x.onHost); err == nil {
		bundles[me] = x.bundle
	}
	return bundles, err
}

// open finds the messages in the bundle of a rank of this host.
func (x *Tiers) open(bundle []byte, by int) (err error) {
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
