//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"slices"

	"g500/cuda"
)

// checkShow: peers read what a rank shows, of a length of its own, and nobody else sees it; it is given back when all
// have closed it.
func checkShow(c *carrier) error {
	const some = 64
	me := c.host.Rank()
	own, err := c.device.Alloc("shown", int64(me+1)*granule)
	if err != nil {
		return err
	}
	if err := cuda.Write(own.Memory, 0, pattern(me, me, 0, some)); err != nil {
		return err
	}
	shown, err := c.Show(own.Memory)
	if err != nil {
		return err
	}
	into, err := c.device.Alloc("what a peer shows", some)
	if err != nil {
		return err
	}
	for r, peer := range shown.Peers {
		if !c.Peer(r) {
			if peer.Bytes() != 0 {
				return fmt.Errorf("rank %d is no peer, and shows %d bytes", r, peer.Bytes())
			}
			continue
		}
		if want := int64(r+1) * granule; peer.Bytes() != want {
			return fmt.Errorf("rank %d shows %d bytes, want %d", r, peer.Bytes(), want)
		}
		got := make([]uint64, some/8)
		err := errors.Join(c.device.Copy(into.Memory, peer.Part(0, some)), c.device.Synchronize(), cuda.Read(got, into.Memory, 0))
		if err != nil {
			return err
		}
		if want := pattern(r, r, 0, some); !slices.Equal(got, want) {
			return fmt.Errorf("rank %d shows %x, want %x", r, got, want)
		}
	}
	freed := false
	err = errors.Join(into.Free(), shown.Close(), c.Retire(func() error {
		freed = true
		return own.Free()
	}))
	if err != nil {
		return err
	}
	if peers := slices.ContainsFunc(c.routes, route.peer); freed == peers {
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
