//go:build cuda && cgo

package device

import (
	"g500/comm"
	"g500/internal/machine"
)

// Sharing has the ranks on this rank's GPU: only this one, unless a node has more ranks than GPUs.
type Sharing struct {
	t     Transport
	Ranks []int
}

// NewSharing finds the ranks on this rank's GPU. It is collective.
func NewSharing(t Transport) (Sharing, error) {
	busID, err := t.Device().BusID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return Sharing{}, err
	}
	ranks, err := comm.Sharers(t.Host(), machine.NodeID()+" "+busID)
	return Sharing{t, ranks}, err
}

// Free returns this rank's share of the free memory of its GPU. It is collective, so that no rank allocates meanwhile.
func (s Sharing) Free() (int64, error) {
	if err := s.t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := s.t.Device().Free()
	return free / int64(len(s.Ranks)), comm.Agree(s.t.Host(), err)
}
