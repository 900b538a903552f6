//go:build cuda && cgo

package device_test

import (
	"errors"
	"fmt"
	"slices"

	"g500/cuda"
	"g500/gpu/device"
)

// checkExpose: peers read what a rank exposes, of a length of its own, and nobody else sees it; it is given back when
// all have closed it.
func checkExpose(c device.Transport) error {
	const some = 64
	me := c.Host().Rank()
	own, err := c.Device().Alloc("exposed", int64(me+1)*device.Granule)
	if err != nil {
		return err
	}
	if err := cuda.Write(own.Memory, 0, pattern(me, me, 0, some)); err != nil {
		return err
	}
	exposed, err := c.Expose(own.Memory)
	if err != nil {
		return err
	}
	into, err := c.Device().Alloc("what a peer exposes", some)
	if err != nil {
		return err
	}
	seen := slices.Clone(exposed.Peers)
	for r, peer := range seen {
		if !c.Peer(r) {
			if peer.Bytes() != 0 {
				return fmt.Errorf("rank %d is no peer, and exposes %d bytes", r, peer.Bytes())
			}
			continue
		}
		if want := int64(r+1) * device.Granule; peer.Bytes() != want {
			return fmt.Errorf("rank %d exposes %d bytes, want %d", r, peer.Bytes(), want)
		}
		got := make([]uint64, some/8)
		err := errors.Join(c.Device().Copy(into.Memory, peer.Part(0, some)), c.Device().Synchronize(),
			cuda.Read(got, into.Memory, 0))
		if err != nil {
			return err
		}
		if want := pattern(r, r, 0, some); !slices.Equal(got, want) {
			return fmt.Errorf("rank %d exposes %x, want %x", r, got, want)
		}
	}
	freed := false
	err = errors.Join(into.Free(), exposed.Close(), c.Retire(func() error {
		freed = true
		return own.Free()
	}))
	if err != nil {
		return err
	}
	peers := slices.ContainsFunc(seen, func(m cuda.Memory) bool { return m.Bytes() > 0 })
	if freed == peers {
		return fmt.Errorf("memory is given back at once: %v, though a peer may have it open: %v", freed, peers)
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	if !freed {
		return errors.New("memory that all have closed is held after a barrier")
	}
	return nil
}
