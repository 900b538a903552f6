//go:build cuda && cgo

package gpu

import (
	"os"

	"g500/comm"
)

// sharing says how many ranks take memory of one GPU: one, unless a job has more ranks on a host than GPUs.
type sharing struct {
	t       DeviceTransport
	sharers int64
}

// newSharing finds out who shares this rank's GPU. It is collective.
func newSharing(t DeviceTransport) (sharing, error) {
	host, err := os.Hostname()
	address := ""
	if err == nil {
		address, err = t.Device().Address()
	}
	if err := comm.Agree(t.Host(), err); err != nil {
		return sharing{}, err
	}
	mine := host + " " + address
	send := make([][]byte, t.Host().Size())
	for r := range send {
		send[r] = []byte(mine)
	}
	all, err := t.Host().AllToAll(send)
	s := sharing{t: t}
	for _, theirs := range all {
		if string(theirs) == mine {
			s.sharers++
		}
	}
	return s, err
}

// free is this rank's part of the memory that is free on its GPU. It is collective: nobody takes any while all look.
func (s sharing) free() (int64, error) {
	if err := s.t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := s.t.Device().Free()
	return free / s.sharers, comm.Agree(s.t.Host(), err)
}
