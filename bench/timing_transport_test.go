package bench

import (
	"slices"
	"testing"
	"time"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
	"g500/internal/trace"
)

// Traffic between four ranks on two nodes counts by payload and transport.
func TestTrafficByPayloadAndTransport(t *testing.T) {
	expect.NoError(t, comm.Loopback(4, func(host comm.Transport) error {
		x := newTimingTransport(comm.EmulateNodes(host, []int{0, 0, 1, 1}), func() time.Duration { return 0 })
		x.timing = true
		send := make([][]byte, 4)
		for r := range send {
			send[r] = make([]byte, 10*x.Rank()+r)
		}
		if _, err := x.AllToAll(send); err != nil {
			return err
		}
		x.CountAs(trace.BitmapPayload)
		if _, err := x.AllToAll([][]byte{{}, {1, 2}, {3}, {}}); err != nil {
			return err
		}
		if err := x.AllGather(make([]uint64, 8)); err != nil {
			return err
		}
		if err := x.AllReduce(make([]int64, 3), comm.Sum); err != nil {
			return err
		}
		want := map[int][]trace.Traffic{
			0: {
				{Payload: "bins", Transport: "node", Sent: 1, Received: 10},
				{Payload: "bins", Transport: "network", Sent: 2 + 3, Received: 20 + 30},
				{Payload: "bitmap", Transport: "node", Sent: 2 + 16, Received: 16},
				{Payload: "bitmap", Transport: "network", Sent: 1 + 32, Received: 32},
				{Payload: "sums", Transport: "node", Sent: 24, Received: 24},
				{Payload: "sums", Transport: "network", Sent: 48, Received: 48},
			},
			3: {
				{Payload: "bins", Transport: "network", Sent: 30 + 31, Received: 3 + 13},
				{Payload: "bins", Transport: "node", Sent: 32, Received: 23},
				{Payload: "bitmap", Transport: "network", Sent: 2 + 32, Received: 32},
				{Payload: "bitmap", Transport: "node", Sent: 1 + 16, Received: 16},
				{Payload: "sums", Transport: "network", Sent: 48, Received: 48},
				{Payload: "sums", Transport: "node", Sent: 24, Received: 24},
			},
		}[x.Rank()]
		if got := x.traffic.Take(); want != nil && !slices.Equal(got, want) {
			t.Errorf("rank %d has %+v, want %+v", x.Rank(), got, want)
		}
		return nil
	}))
}

// The transport that times exchanges hides no optional interface.
func TestTimingTransportHidesNothing(t *testing.T) {
	wrap := func(t comm.Transport) comm.Transport { return newTimingTransport(t, nil) }
	expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
		if hidden := commtest.Hidden(tr, wrap, "CountAs"); len(hidden) > 0 {
			t.Errorf("it hides %v", hidden)
		}
		return nil
	}))
}
