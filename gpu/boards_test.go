//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
)

// checkBoards has each rank leave a word on its board, and looks for those of the others.
func checkBoards(tr DeviceTransport) error {
	host, d := tr.Host(), tr.Device()
	b, err := openBoards(tr, granule)
	if err != nil {
		return err
	}
	if want := host.Size() - 1; b.fault != nil || b.shared() != int64(want) {
		return fmt.Errorf("%d boards of %d other ranks: %v", b.shared(), want, b.fault)
	}
	word, err := d.Alloc("word", 8)
	if err != nil {
		return err
	}
	err = errors.Join(cuda.Write(word.Memory, 0, []uint64{mark(host.Rank())}), d.Copy(b.of[host.Rank()].Part(8, 8), word.Memory), tr.Barrier())
	for r, board := range b.of {
		got := []uint64{0}
		err = errors.Join(err, d.Copy(word.Memory, board.Part(8, 8)), cuda.Read(got, word.Memory, 0))
		if got[0] != mark(r) {
			err = errors.Join(err, fmt.Errorf("rank %d reads %#x on the board of rank %d", host.Rank(), got[0], r))
		}
	}
	return errors.Join(err, word.Free(), b.Close())
}

func TestBoards(t *testing.T) {
	err := comm.Loopback(3, func(host comm.Transport) error { return joined(host, carrierMPI, checkBoards) })
	if err != nil {
		t.Error(err)
	}
}
