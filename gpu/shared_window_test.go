//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
)

// checkSharedWindows has each rank leave a word in its window, and looks for those of the others.
func checkSharedWindows(tr DeviceTransport) error {
	host, d := tr.Host(), tr.Device()
	s, err := openSharedWindows(tr, granule)
	if err != nil {
		return err
	}
	if want := host.Size() - 1; s.fault != nil || s.ranks() != int64(want) {
		return fmt.Errorf("windows of %d of %d other ranks: %v", s.ranks(), want, s.fault)
	}
	word, err := d.Alloc("word", 8)
	if err != nil {
		return err
	}
	own := s.of[host.Rank()]
	err = errors.Join(cuda.Write(word.Memory, 0, []uint64{probeWord(host.Rank())}),
		d.Copy(own.Part(8, 8), word.Memory), tr.Barrier())
	for r, window := range s.of {
		got := []uint64{0}
		err = errors.Join(err, d.Copy(word.Memory, window.Part(8, 8)), cuda.Read(got, word.Memory, 0))
		if got[0] != probeWord(r) {
			err = errors.Join(err, fmt.Errorf("rank %d reads %#x in the window of rank %d", host.Rank(), got[0], r))
		}
	}
	return errors.Join(err, word.Free(), s.Close())
}

func TestSharedWindows(t *testing.T) {
	err := comm.Loopback(3, func(host comm.Transport) error { return joined(host, carrierMPI, checkSharedWindows) })
	if err != nil {
		t.Error(err)
	}
}
