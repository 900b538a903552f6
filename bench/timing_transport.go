// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"time"

	"g500/comm"
	"g500/internal/trace"
)

// timingTransport is a transport that can put a barrier before each exchange. It adds up the time at these barriers,
// the time of the exchanges, and the traffic between this rank and others.
type timingTransport struct {
	comm.Wrapper
	clock   func() time.Duration
	timing  bool
	payload string // of messages, if the engine sets it; else bins

	wait, exchange int64 // nanoseconds of the step so far
	traffic        trace.Meter
}

func newTimingTransport(t comm.Transport, clock func() time.Duration) *timingTransport {
	traffic := trace.NewMeter(t.Rank(), t.Nodes())
	return &timingTransport{Wrapper: comm.Wrapper{Transport: t}, clock: clock, traffic: traffic}
}

// take moves the times and the traffic since the last call into a step.
func (t *timingTransport) take(s *trace.Step) {
	s.Wait, s.Exchange, s.Traffic = t.wait, t.exchange, t.traffic.Take()
	t.wait, t.exchange = 0, 0
}

// CountAs sets the payload of the following messages.
func (t *timingTransport) CountAs(payload string) { t.payload = payload }

// barrier waits for the other ranks.
func (t *timingTransport) barrier() error {
	began := t.clock()
	err := t.Transport.Barrier()
	t.wait += int64(t.clock() - began)
	return err
}

// exchanging runs an exchange, after a barrier if times are counted.
func (t *timingTransport) exchanging(exchange func() error) error {
	if !t.timing {
		return exchange()
	}
	if err := t.barrier(); err != nil {
		return err
	}
	began := t.clock()
	err := exchange()
	t.exchange += int64(t.clock() - began)
	return err
}

// count counts the bytes of an exchange, if exchanges are timed.
func (t *timingTransport) count(payload string, bytes func(rank int) (sent, received int)) {
	for r := range t.Size() {
		if t.timing {
			sent, received := bytes(r)
			t.traffic.Count(payload, r, sent, received)
		}
	}
}

// AllReduce is the transport's. Each rank's values are counted as sent to each other.
func (t *timingTransport) AllReduce(vals []int64, op comm.Op) error {
	bytes := 8 * len(vals)
	t.count(trace.SumsPayload, func(int) (int, int) { return bytes, bytes })
	return t.exchanging(func() error { return t.Transport.AllReduce(vals, op) })
}

// AllGather is the transport's.
func (t *timingTransport) AllGather(words []uint64) error {
	bytes := 8 * len(words) / t.Size()
	t.count(trace.BitmapPayload, func(int) (int, int) { return bytes, bytes })
	return t.exchanging(func() error { return t.Transport.AllGather(words) })
}

// AllToAll is the transport's.
func (t *timingTransport) AllToAll(send [][]byte) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.AllToAll(send); return err })
	t.countMessages(send, recv)
	return recv, err
}

// NeighbourAllToAll is the transport's.
func (t *timingTransport) NeighbourAllToAll(send [][]byte, n comm.Neighbours) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.NeighbourAllToAll(send, n); return err })
	t.countMessages(send, recv)
	return recv, err
}

// AllToAllInto is the transport's.
func (t *timingTransport) AllToAllInto(send, into [][]byte) error {
	err := t.exchanging(func() error { return t.Transport.AllToAllInto(send, into) })
	if err == nil {
		t.countMessages(send, into)
	}
	return err
}

// countMessages counts an exchange of messages. recv of a failed exchange is shorter than send.
func (t *timingTransport) countMessages(send, recv [][]byte) {
	if len(recv) < len(send) {
		return
	}
	t.count(cmp.Or(t.payload, trace.BinsPayload), func(r int) (int, int) { return len(send[r]), len(recv[r]) })
}
