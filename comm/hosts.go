package comm

// Place is this rank's place among the ranks that share its host, and how many they are.
func Place(t Transport) (place, onHost int) {
	hosts := t.Hosts()
	for r, host := range hosts {
		if host != hosts[t.Rank()] {
			continue
		}
		if r < t.Rank() {
			place++
		}
		onHost++
	}
	return place, onHost
}

// OnHosts is a transport whose ranks are said to be on these hosts, one for each rank: a cluster to count what crosses
// its network, without one.
func OnHosts(t Transport, hosts []int) Transport { return &onHosts{t, hosts} }

type onHosts struct {
	Transport
	hosts []int
}

func (t *onHosts) Hosts() []int { return t.hosts }

func (t *onHosts) release() { Release(t.Transport) }

// Advance is the transport's: a wrapper must not hide it.
func (t *onHosts) Advance(done, total int64) { Advance(t.Transport, done, total) }
