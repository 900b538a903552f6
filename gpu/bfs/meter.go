package bfs

import (
	"g500/comm"
	"g500/internal/trace"
)

// meter is a transport that counts the bytes of messages to and from other ranks, within the node and between nodes.
type meter struct {
	comm.Wrapper
	traffic trace.Meter
	form    string // traffic form of messages of AllToAll
}

func newMeter(t comm.Transport) *meter {
	return &meter{Wrapper: comm.Wrapper{Transport: t}, traffic: trace.NewMeter(t.Rank(), t.Nodes())}
}

// AllToAll counts and calls Transport.AllToAll.
func (m *meter) AllToAll(send [][]byte) ([][]byte, error) {
	got, err := m.Transport.AllToAll(send)
	m.count(send, got)
	return got, err
}

// NeighbourAllToAll counts and calls Transport.NeighbourAllToAll.
func (m *meter) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	got, err := m.Transport.NeighbourAllToAll(send, n)
	m.count(send, got)
	return got, err
}

func (m *meter) count(send, got [][]byte) {
	for r := range got {
		m.traffic.Count(m.form, r, len(send[r]), len(got[r]))
	}
}
