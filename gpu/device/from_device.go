//go:build cuda && cgo

package device

import "g500/comm"

// fromDevice moves data between the device memories of remote ranks by a CUDA-aware MPI.
type fromDevice struct {
	host       comm.Transport
	ranks      []int    // remote ranks
	send, into [][]byte // by rank: device memory, arguments of AllToAllInto
}

func (f *fromDevice) String() string { return "MPI from device memory" }

func (f *fromDevice) move(all []transfer, _ int64) error {
	for _, r := range f.ranks {
		f.send[r], f.into[r] = all[r].send.Foreign(), all[r].receive.Foreign()
	}
	got, err := f.host.AllToAllInto(f.send, f.into)
	if err != nil {
		return err
	}
	for _, r := range f.ranks {
		if err := checkLength(r, got[r], all[r].receive); err != nil {
			return err
		}
	}
	return nil
}

func (f *fromDevice) close() error { return nil }
