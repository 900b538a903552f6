package bfs

import (
	"g500/comm"
	"g500/internal/trace"
)

// meter is a transport that counts the bytes of messages to and from other ranks: of the same host, and of others.
type meter struct {
	comm.Wrapper
	traffic trace.Meter
	form    string // of the messages of AllToAll
}

func newMeter(t comm.Transport) *meter {
	return &meter{Wrapper: comm.Wrapper{Transport: t}, traffic: trace.NewMeter(t.Rank(), t.Nodes())}
}

// AllToAll is the transport's.
func (m *meter) AllToAll(send [][]byte) ([][]byte, error) {
	got, err := m.Transport.AllToAll(send)
	for r := range got {
		m.traffic.Count(m.form, r, len(send[r]), len(got[r]))
	}
	return got, err
}

// NeighbourAllToAll is the transport's.
func (m *meter) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	got, err := m.Transport.NeighbourAllToAll(send, n)
	for r := range got {
		m.traffic.Count(m.form, r, len(send[r]), len(got[r]))
	}
	return got, err
}
