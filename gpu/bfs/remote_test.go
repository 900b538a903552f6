//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
)

// failing is a host transport that fails after some exchanges.
type failing struct {
	comm.Transport
	left int // exchanges before that; below zero for ever
}

var errGone = errors.New("the network is gone")

func (f *failing) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	if f.left == 0 {
		return nil, errGone
	}
	f.left--
	return f.Transport.AllToAllInto(send, into)
}

// Ranks of one host search without a message.
func TestSearchThroughSharedWindows(t *testing.T) {
	edges := make(graph.HostTuples, gputest.Official(14).Edges())
	gputest.Official(14).Fill(0, edges)
	err := comm.Loopback(3, func(host comm.Transport) error {
		f := &failing{host, -1}
		e, err := engineOn(gputest.Chosen(device.MPITransport), searching("auto"))(f, edges)
		if err != nil {
			return err
		}
		f.left = 0
		_, err = e.Search(edges[0].U())
		f.left = -1
		return errors.Join(err, e.Close())
	})
	if err != nil {
		t.Error(err)
	}
}

// A search ends on all ranks when the hosts of some can exchange nothing more: BFS returns when its kernel has ended.
// Nothing is closed afterwards, as other ranks' kernels go on until this one has returned.
func TestSearchWithoutNetwork(t *testing.T) {
	gputest.WithoutSharedWindows(t)
	edges := make(graph.HostTuples, gputest.Official(14).Edges())
	gputest.Official(14).Fill(0, edges)
	for _, after := range []int{0, 1, 3} {
		t.Run(fmt.Sprintf("after=%d", after), func(t *testing.T) {
			err := comm.Loopback(3, func(host comm.Transport) error {
				f := &failing{host, -1}
				e, err := engineOn(gputest.Chosen(device.MPITransport), searching("auto"))(f, edges)
				if err != nil {
					return err
				}
				if host.Rank() == 1 {
					f.left = after
				}
				_, err = e.Search(edges[0].U())
				if want := [...]error{comm.ErrAborted, errGone, comm.ErrAborted}[host.Rank()]; !errors.Is(err, want) {
					t.Errorf("rank %d: a search without a network gives %v", host.Rank(), err)
				}
				return err
			})
			if !errors.Is(err, errGone) {
				t.Error(err)
			}
		})
	}
}
