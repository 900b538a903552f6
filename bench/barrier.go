package bench

import (
	"cmp"
	"slices"
	"time"

	"g500/comm"
	"g500/internal/trace"
)

// timingTransport is a transport that can put a barrier before each exchange. It counts how long the ranks waited at
// the barriers, how long the exchanges took, and what went to other ranks and came from them.
type timingTransport struct {
	comm.Wrapper
	clock  func() time.Duration
	timing bool
	form   string     // of messages, where the engine says what they carry; else bins
	spent  trace.Step // what was counted: Wait, Exchange and Traffic
}

// CarryForm sets the form of the following messages.
func (t *timingTransport) CarryForm(form string) { t.form = form }

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

// count adds to the traffic in one form what goes to and comes from each other rank.
func (t *timingTransport) count(form string, bytes func(rank int) (sent, received int64)) {
	if !t.timing {
		return
	}
	hosts := t.Hosts()
	for r, host := range hosts {
		if r == t.Rank() {
			continue
		}
		carrier := trace.HostCarrier
		if host != hosts[t.Rank()] {
			carrier = trace.NetworkCarrier
		}
		way := t.traffic(form, carrier)
		sent, received := bytes(r)
		way.Sent += sent
		way.Received += received
	}
}

// traffic is what was counted in one form by one carrier.
func (t *timingTransport) traffic(form, carrier string) *trace.Traffic {
	i := slices.IndexFunc(t.spent.Traffic, func(known trace.Traffic) bool {
		return known.Form == form && known.Carrier == carrier
	})
	if i < 0 {
		i = len(t.spent.Traffic)
		t.spent.Traffic = append(t.spent.Traffic, trace.Traffic{Form: form, Carrier: carrier})
	}
	return &t.spent.Traffic[i]
}

// AllReduce is the transport's. Each rank's values are counted as sent to each other.
func (t *timingTransport) AllReduce(vals []int64, op comm.Op) error {
	bytes := int64(8 * len(vals))
	t.count(trace.SumsForm, func(int) (int64, int64) { return bytes, bytes })
	return t.exchanging(func() error { return t.Transport.AllReduce(vals, op) })
}

// AllGather is the transport's.
func (t *timingTransport) AllGather(words []uint64) error {
	bytes := int64(8 * len(words) / t.Size())
	t.count(trace.BitmapForm, func(int) (int64, int64) { return bytes, bytes })
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
func (t *timingTransport) AllToAllInto(send, into [][]byte) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.AllToAllInto(send, into); return err })
	t.countMessages(send, recv)
	return recv, err
}

// countMessages counts an exchange of messages; none have come from an exchange that failed.
func (t *timingTransport) countMessages(send, recv [][]byte) {
	if len(recv) < len(send) {
		return
	}
	t.count(cmp.Or(t.form, trace.BinsForm), func(r int) (int64, int64) { return int64(len(send[r])), int64(len(recv[r])) })
}
