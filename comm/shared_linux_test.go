// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"sync/atomic"
	"testing"

	"g500/internal/expect"
)

// A rank maps only the file that rank 0 made, although a container may have another one of the same path.
func TestAnotherFileIsNotMapped(t *testing.T) {
	file, remove := newSharedFile(16)
	defer remove()
	mapped, unmap := file.mapped(16)
	expect.Equal(t, mapped, make([]byte, 16))
	expect.NoError(t, unmap())
	other, removeOther := newSharedFile(16)
	defer removeOther()
	for _, wrong := range []sharedFile{{}, {file.Path, file.Device, other.Inode}, {"/dev/zero", file.Device, file.Inode}} {
		mapped, unmap = wrong.mapped(16)
		expect.Equal(t, mapped, nil, wrong)
		expect.NoError(t, unmap())
	}
	mapped, _ = file.mapped(24)
	expect.Equal(t, mapped, nil, "more bytes than the file has")
}

// If the system refuses the memory to one rank, no rank has it.
func TestRefusedMemory(t *testing.T) {
	var maps atomic.Int32
	expect.Set(t, &mapShared, func(f sharedFile, bytes int) ([]byte, func() error) {
		if maps.Add(1) == 2 {
			f.Inode++
		}
		return f.mapped(bytes)
	})
	expect.NoError(t, Loopback(3, func(tr Transport) error {
		words, _, err := SharedWords(tr, 100)
		expect.That(t, words == nil, "rank %d has %d words", tr.Rank(), len(words))
		return err
	}))
}
