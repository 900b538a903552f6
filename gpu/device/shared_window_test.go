//go:build cuda && cgo

package device_test

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

// checkSharedWindows has each rank leave a word in its window, and looks for those of the others.
func checkSharedWindows(tr device.Transport) error {
	host, d := tr.Host(), tr.Device()
	s, err := device.OpenSharedWindows(tr, device.Granule)
	if err != nil {
		return err
	}
	if want := host.Size() - 1; device.FaultOf(s) != nil || s.Ranks() != int64(want) {
		return fmt.Errorf("windows of %d of %d other ranks: %v", s.Ranks(), want, device.FaultOf(s))
	}
	word, err := d.Alloc("word", 8)
	if err != nil {
		return err
	}
	windows := s.Memory()
	own := windows[host.Rank()]
	err = errors.Join(cuda.Write(word.Memory, 0, pattern(host.Rank(), 0, 0, 8)),
		d.Copy(own.Part(8, 8), word.Memory), tr.Barrier())
	for r, window := range windows {
		got := []uint64{0}
		err = errors.Join(err, d.Copy(word.Memory, window.Part(8, 8)), cuda.Read(got, word.Memory, 0))
		if got[0] != pattern(r, 0, 0, 8)[0] {
			err = errors.Join(err, fmt.Errorf("rank %d reads %#x in the window of rank %d", host.Rank(), got[0], r))
		}
	}
	return errors.Join(err, word.Free(), s.Close())
}

func TestSharedWindows(t *testing.T) {
	err := comm.Loopback(3, func(host comm.Transport) error {
		return gputest.Joined(host, device.MPITransport, checkSharedWindows)
	})
	if err != nil {
		t.Error(err)
	}
}
