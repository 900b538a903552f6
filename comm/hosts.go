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

// OnHosts returns a transport with emulated hosts, given the host of each rank, to count traffic between hosts without
// a cluster.
func OnHosts(t Transport, hosts []int) Transport { return &onHosts{Wrapper{t}, hosts} }

type onHosts struct {
	Wrapper
	hosts []int
}

func (t *onHosts) Hosts() []int { return t.hosts }
