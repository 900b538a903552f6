package bench

import (
	"slices"
	"time"

	"g500/bfs"
	"g500/comm"
)

// hostCarrier is how words go that the ranks exchange by way of their transport.
const hostCarrier = "host"

// timingTransport is a transport that can put a barrier before each exchange. It counts how long the ranks waited at
// the barriers, how long the exchanges took, and what went to other ranks and came from them.
type timingTransport struct {
	comm.Transport
	clock  func() time.Duration
	timing bool
	spent  bfs.Level // what was counted: Wait, Exchange and Traffic
}

// Advance is the transport's: a wrapper must not hide it.
func (t *timingTransport) Advance(done, total int64) { comm.Advance(t.Transport, done, total) }

// barrier waits for the other ranks.
func (t *timingTransport) barrier() error {
	began := t.clock()
	err := t.Transport.Barrier()
	t.spent.Wait += int64(t.clock() - began)
	return err
}

// exchanging runs an exchange. Where times are counted, that is after a barrier.
func (t *timingTransport) exchanging(exchange func() error) error {
	if !t.timing {
		return exchange()
	}
	if err := t.barrier(); err != nil {
		return err
	}
	began := t.clock()
	err := exchange()
	t.spent.Exchange += int64(t.clock() - began)
	return err
}

// count adds to the traffic in one form.
func (t *timingTransport) count(form string, sent, received int64) {
	if !t.timing || t.Size() == 1 {
		return
	}
	i := slices.IndexFunc(t.spent.Traffic, func(known bfs.Traffic) bool { return known.Form == form })
	if i < 0 {
		i = len(t.spent.Traffic)
		t.spent.Traffic = append(t.spent.Traffic, bfs.Traffic{Form: form, Carrier: hostCarrier})
	}
	t.spent.Traffic[i].Sent += sent
	t.spent.Traffic[i].Received += received
}

// AllReduce is the transport's. Each rank's values are counted as sent to each other.
func (t *timingTransport) AllReduce(vals []int64, op comm.Op) error {
	bytes := int64(8 * len(vals) * (t.Size() - 1))
	t.count(bfs.SumsForm, bytes, bytes)
	return t.exchanging(func() error { return t.Transport.AllReduce(vals, op) })
}

// AllGather is the transport's.
func (t *timingTransport) AllGather(words []uint64) error {
	bytes := int64(8 * len(words) / t.Size() * (t.Size() - 1))
	t.count(bfs.BitmapForm, bytes, bytes)
	return t.exchanging(func() error { return t.Transport.AllGather(words) })
}

// AllToAll is the transport's.
func (t *timingTransport) AllToAll(send [][]byte) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.AllToAll(send); return err })
	t.count(bfs.BinsForm, t.others(send), t.others(recv))
	return recv, err
}

// AllToAllInto is the transport's.
func (t *timingTransport) AllToAllInto(send, into [][]byte) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.AllToAllInto(send, into); return err })
	t.count(bfs.BinsForm, t.others(send), t.others(recv))
	return recv, err
}

// others is how many bytes of messages are not this rank's to itself.
func (t *timingTransport) others(messages [][]byte) (bytes int64) {
	for r, message := range messages {
		if r != t.Rank() {
			bytes += int64(len(message))
		}
	}
	return bytes
}
