// SPDX-License-Identifier: Apache-2.0

package comm

// Place returns this rank's place among the ranks of its node, from 0, and the number of these ranks.
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

// PlaceOnHost is Place without emulated nodes.
func PlaceOnHost(t Transport) (place, onHost int) {
	if e, is := As[*emulated](t); is {
		t = e.Transport
	}
	return Place(t)
}

// EmulateNodes returns a transport whose ranks are on the given nodes, to count traffic between nodes without a
// cluster.
func EmulateNodes(t Transport, nodes []int) Transport { return &emulated{Wrapper{t}, nodes} }

type emulated struct {
	Wrapper
	nodes []int
}

func (t *emulated) Nodes() []int { return t.nodes }
