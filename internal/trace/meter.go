// SPDX-License-Identifier: Apache-2.0

package trace

import "slices"

// Add adds traffic to a sum by payload and transport, and returns the sum.
func Add(sum []Traffic, more ...Traffic) []Traffic {
	for _, m := range more {
		i := slices.IndexFunc(sum, func(s Traffic) bool { return s.Payload == m.Payload && s.Transport == m.Transport })
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
	nodes []int // of each rank
	sum   []Traffic
}

// NewMeter returns a meter of a rank, given the node of each rank.
func NewMeter(rank int, nodes []int) Meter { return Meter{rank: rank, nodes: nodes} }

// Count adds bytes exchanged with a rank. Bytes that stay on the rank are not counted.
func (m *Meter) Count(payload string, rank, sent, received int) {
	if rank == m.rank || sent+received == 0 {
		return
	}
	transport := NodeTransport
	if m.nodes[rank] != m.nodes[m.rank] {
		transport = NetworkTransport
	}
	m.sum = Add(m.sum, Traffic{Payload: payload, Transport: transport, Sent: int64(sent), Received: int64(received)})
}

// Rename counts the traffic counted so far under one payload under another one.
func (m *Meter) Rename(from, to string) {
	for i := range m.sum {
		if m.sum[i].Payload == from {
			m.sum[i].Payload = to
		}
	}
}

// Take returns the traffic counted since the last call.
func (m *Meter) Take() []Traffic {
	sum := m.sum
	m.sum = nil
	return sum
}
