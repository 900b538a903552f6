package trace

import "slices"

// Add adds traffic to a sum by form and transport, and returns the sum.
func Add(sum []Traffic, more ...Traffic) []Traffic {
	for _, m := range more {
		i := slices.IndexFunc(sum, func(s Traffic) bool { return s.Form == m.Form && s.Transport == m.Transport })
		if i < 0 {
			sum = append(sum, m)
			continue
		}
		sum[i].Sent += m.Sent
		sum[i].Received += m.Received
	}
	return sum
}

// Meter adds up the traffic between one rank and the others.
type Meter struct {
	rank  int
	hosts []int // of each rank
	sum   []Traffic
}

// NewMeter returns a meter of a rank, given the host of each rank.
func NewMeter(rank int, hosts []int) Meter { return Meter{rank: rank, hosts: hosts} }

// Count adds bytes exchanged with a rank. Bytes that stay on the rank are not counted.
func (m *Meter) Count(form string, rank, sent, received int) {
	if rank == m.rank || sent+received == 0 {
		return
	}
	transport := HostTransport
	if m.hosts[rank] != m.hosts[m.rank] {
		transport = NetworkTransport
	}
	m.sum = Add(m.sum, Traffic{Form: form, Transport: transport, Sent: int64(sent), Received: int64(received)})
}

// Rename changes the form of the counted traffic in one form.
func (m *Meter) Rename(from, to string) {
	for i := range m.sum {
		if m.sum[i].Form == from {
			m.sum[i].Form = to
		}
	}
}

// Take returns the traffic counted since the last call.
func (m *Meter) Take() []Traffic {
	sum := m.sum
	m.sum = nil
	return sum
}
