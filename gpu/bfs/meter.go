package bfs

import (
	"g500/comm"
	"g500/internal/trace"
)

// meter is a transport that counts the bytes of messages to and from other ranks: of the same host, and of others.
type meter struct {
	comm.Wrapper
	hosts []int
	form  string // of what AllToAll carries
	sum   []trace.Traffic
}

func newMeter(t comm.Transport) *meter {
	return &meter{Wrapper: comm.Wrapper{Transport: t}, hosts: t.Hosts()}
}

// AllToAll is the transport's.
func (m *meter) AllToAll(send [][]byte) ([][]byte, error) {
	got, err := m.Transport.AllToAll(send)
	for r := range got {
		m.count(r, m.form, len(send[r]), len(got[r]))
	}
	return got, err
}

// NeighbourAllToAll is the transport's.
func (m *meter) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	got, err := m.Transport.NeighbourAllToAll(send, n)
	for r := range got {
		m.count(r, m.form, len(send[r]), len(got[r]))
	}
	return got, err
}

// count adds what went to a rank and came from it, in a form. What stays on the rank is not counted.
func (m *meter) count(rank int, form string, sent, received int) {
	if rank == m.Rank() || sent+received == 0 {
		return
	}
	carrier := trace.HostCarrier
	if m.hosts[rank] != m.hosts[m.Rank()] {
		carrier = trace.NetworkCarrier
	}
	one := trace.Traffic{Form: form, Carrier: carrier, Sent: int64(sent), Received: int64(received)}
	m.sum = addTraffic(m.sum, []trace.Traffic{one})
}

// take gives what was counted since it was taken last.
func (m *meter) take() []trace.Traffic {
	sum := m.sum
	m.sum = nil
	return sum
}

// rename gives another form to what was counted in one.
func (m *meter) rename(from, to string) {
	for i := range m.sum {
		if m.sum[i].Form == from {
			m.sum[i].Form = to
		}
	}
}

// addTraffic adds more to a sum by form and carrier.
func addTraffic(sum, more []trace.Traffic) []trace.Traffic {
next:
	for _, m := range more {
		for i := range sum {
			if sum[i].Form == m.Form && sum[i].Carrier == m.Carrier {
				sum[i].Sent += m.Sent
				sum[i].Received += m.Received
				continue next
			}
		}
		sum = append(sum, m)
	}
	return sum
}
