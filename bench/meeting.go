package bench

import (
	"slices"
	"time"

	"g500/bfs"
	"g500/comm"
)

// hostCarrier is how words go that the ranks exchange by way of their transport.
const hostCarrier = "host"

// meetingTransport is a transport that can have its ranks meet before they exchange anything, and notes how long they
// waited for that, how long the exchanges took, and what went to other ranks and came from them.
type meetingTransport struct {
	comm.Transport
	clock func() time.Duration
	meets bool
	spent bfs.Level // what was noted: Wait, Exchange and Traffic
}

// meet waits for the other ranks.
func (m *meetingTransport) meet() error {
	began := m.clock()
	err := m.Transport.Barrier()
	m.spent.Wait += int64(m.clock() - began)
	return err
}

// exchanging runs an exchange, after a meeting where that is wanted, and notes its time.
func (m *meetingTransport) exchanging(exchange func() error) error {
	if !m.meets {
		return exchange()
	}
	if err := m.meet(); err != nil {
		return err
	}
	began := m.clock()
	err := exchange()
	m.spent.Exchange += int64(m.clock() - began)
	return err
}

// note adds to the traffic in one form.
func (m *meetingTransport) note(form string, sent, received int64) {
	if !m.meets || m.Size() == 1 {
		return
	}
	i := slices.IndexFunc(m.spent.Traffic, func(t bfs.Traffic) bool { return t.Form == form })
	if i < 0 {
		i = len(m.spent.Traffic)
		m.spent.Traffic = append(m.spent.Traffic, bfs.Traffic{Form: form, Carrier: hostCarrier})
	}
	m.spent.Traffic[i].Sent += sent
	m.spent.Traffic[i].Received += received
}

// AllReduce is the transport's. Each rank's values are counted as sent to each other.
func (m *meetingTransport) AllReduce(vals []int64, op comm.Op) error {
	bytes := int64(8 * len(vals) * (m.Size() - 1))
	m.note(bfs.SumsForm, bytes, bytes)
	return m.exchanging(func() error { return m.Transport.AllReduce(vals, op) })
}

// AllGather is the transport's.
func (m *meetingTransport) AllGather(words []uint64) error {
	bytes := int64(8 * len(words) / m.Size() * (m.Size() - 1))
	m.note(bfs.BitmapForm, bytes, bytes)
	return m.exchanging(func() error { return m.Transport.AllGather(words) })
}

// AllToAll is the transport's.
func (m *meetingTransport) AllToAll(send [][]byte) (recv [][]byte, err error) {
	err = m.exchanging(func() (err error) { recv, err = m.Transport.AllToAll(send); return err })
	m.note(bfs.BinsForm, m.others(send), m.others(recv))
	return recv, err
}

// AllToAllInto is the transport's.
func (m *meetingTransport) AllToAllInto(send, into [][]byte) (recv [][]byte, err error) {
	err = m.exchanging(func() (err error) { recv, err = m.Transport.AllToAllInto(send, into); return err })
	m.note(bfs.BinsForm, m.others(send), m.others(recv))
	return recv, err
}

// others is how many bytes of messages are not this rank's to itself.
func (m *meetingTransport) others(messages [][]byte) (bytes int64) {
	for r, message := range messages {
		if r != m.Rank() {
			bytes += int64(len(message))
		}
	}
	return bytes
}
