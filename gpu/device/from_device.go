//go:build cuda && cgo

package device

import "g500/comm"

// fromDevice has an MPI that is CUDA-aware carry words between remote ranks, from device memory to device memory.
type fromDevice struct {
	host       comm.Transport
	ranks      []int    // that are no peers of this one
	send, into [][]byte // of AllToAllInto, by rank: device memory
}

func newFromDevice(t comm.Transport, ranks []int) *fromDevice {
	return &fromDevice{t, ranks, make([][]byte, t.Size()), make([][]byte, t.Size())}
}

// String says for people how the words go.
func (f *fromDevice) String() string { return "MPI from device memory" }

func (f *fromDevice) move(all []transfer, _ int64) error {
	for _, r := range f.ranks {
		f.send[r], f.into[r] = all[r].send.Foreign(), all[r].here.Foreign()
	}
	got, err := f.host.AllToAllInto(f.send, f.into)
	if err != nil {
		return err
	}
	for _, r := range f.ranks {
		if err := checkLength(r, got[r], all[r].here); err != nil {
			return err
		}
	}
	return nil
}

func (f *fromDevice) close() error { return nil }
