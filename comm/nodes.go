package comm

// Place is this rank's place among the ranks that share its node, and how many they are.
func Place(t Transport) (place, onNode int) {
	nodes := t.Nodes()
	for r, node := range nodes {
		if node != nodes[t.Rank()] {
			continue
		}
		if r < t.Rank() {
			place++
		}
		onNode++
	}
	return place, onNode
}

// EmulateNodes returns a transport with emulated nodes, given the node of each rank, to count traffic between nodes
// without a cluster.
func EmulateNodes(t Transport, nodes []int) Transport { return &emulated{Wrapper{t}, nodes} }

type emulated struct {
	Wrapper
	nodes []int
}

func (t *emulated) Nodes() []int { return t.nodes }
