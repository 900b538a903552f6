//go:build cuda && cgo

package gpu

import (
	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
)

// sharing says which ranks take memory of one GPU: one, unless a job has more ranks on a host than GPUs.
type sharing struct {
	t     DeviceTransport
	ranks []int
}

// newSharing finds out who shares this rank's GPU. It is collective.
func newSharing(t DeviceTransport) (sharing, error) {
	busID, err := t.Device().BusID()
	if err := comm.Agree(t.Host(), err); err != nil {
		return sharing{}, err
	}
	ranks, err := bench.Sharers(t.Host(), machine.HostID()+" "+busID)
	return sharing{t, ranks}, err
}

// free is this rank's part of the memory that is free on its GPU. It is collective: nobody takes any while all look.
func (s sharing) free() (int64, error) {
	if err := s.t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := s.t.Device().Free()
	return free / int64(len(s.ranks)), comm.Agree(s.t.Host(), err)
}
