// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"unsafe"
)

// mapShared maps a file that rank 0 has made.
var mapShared = sharedFile.mapped

// SharedWords returns n > 0 words of memory, all 0, that the ranks share, and a function that unmaps them on this rank.
// The ranks must be on one node. It returns no words if a rank's system refuses such memory; only Linux has it. It is
// collective.
func SharedWords(t Transport, n int) (words []uint64, unmap func() error, err error) {
	bytes := 8 * n
	remove := func() {}
	file, err := OfFirst(t, func() (file sharedFile, _ error) {
		file, remove = newSharedFile(bytes)
		return file, nil
	})
	defer func() { remove() }()
	if err != nil {
		return nil, nil, err
	}
	memory, unmap := mapShared(file, bytes)
	least, err := Reduce(t, int64(len(memory)), Min) // rank 0 removes its file after all ranks have mapped it
	if err != nil || least == 0 {
		return nil, nil, cmp.Or(err, unmap())
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), n), unmap, nil
}
