// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"testing"

	"g500/internal/expect"
)

// A rank maps no other file than that of rank 0, although a container may have one of the same path.
func TestAnotherFileIsNotMapped(t *testing.T) {
	file, remove := newSharedFile(16)
	defer remove()
	mapped, unmap := file.mapped(16)
	expect.Equal(t, mapped, make([]byte, 16))
	expect.NoError(t, unmap())
	other, removeOther := newSharedFile(16)
	defer removeOther()
	for _, wrong := range []sharedFile{{}, {Path: file.Path, Inode: other.Inode}, {Path: "/dev/zero", Inode: file.Inode}} {
		mapped, unmap = wrong.mapped(16)
		expect.Equal(t, mapped, nil, wrong)
		expect.NoError(t, unmap())
	}
	mapped, _ = file.mapped(24)
	expect.Equal(t, mapped, nil, "more bytes than the file has")
}
