//go:build cuda && cgo

package device

import (
	"g500/comm"
	"g500/internal/machine"
)

// Sharing says which ranks take memory of one GPU: one, unless a job has more ranks on a host than GPUs.
type Sharing struct {
	t     Transport
	Ranks []int
}

// NewSharing finds out who shares this rank's GPU. It is collective.
func NewSharing(t Transport) (Sharing, error) {
	busID, err := t.Device().BusID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return Sharing{}, err
	}
	ranks, err := comm.Sharers(t.Host(), machine.HostID()+" "+busID)
	return Sharing{t, ranks}, err
}

// Free is this rank's part of the memory that is free on its GPU. It is collective: nobody takes any while all look.
func (s Sharing) Free() (int64, error) {
	if err := s.t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := s.t.Device().Free()
	return free / int64(len(s.Ranks)), comm.Agree(s.t.Host(), err)
}
