// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"g500/internal/machine"
)

// freeSpace is machine.FreeSpace, except in tests.
var freeSpace = machine.FreeSpace

// CheckSpace returns an error if the file system of path has fewer bytes free. The path need not exist yet.
func CheckSpace(path string, bytes int64) error {
	dir := filepath.Clean(path)
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if free, known := freeSpace(dir); known && free < bytes {
		return fmt.Errorf("%s takes %s of disk, and its file system has %s free: free some space, or name a path on "+
			"another one", path, Bytes(bytes), Bytes(free))
	}
	return nil
}

// checkSpace returns an error if the stored results and the labels of renumbered vertices do not fit on the disk of the
// output folder. Rank 0 writes them.
func (b *benchmark) checkSpace() error {
	if b.cfg.Output.Dir == "" || b.t.Rank() != 0 {
		return nil
	}
	file, bytes := labelsFile, b.graph.labelBytes()
	if b.cfg.Output.Trees {
		file, bytes = treesFolder, bytes+min(b.allResultBytes(), math.MaxInt64-bytes)
	}
	return CheckSpace(filepath.Join(b.cfg.Output.Dir, file), bytes)
}

// allResultBytes returns the size of the stored results of all remaining searches.
func (b *benchmark) allResultBytes() (bytes int64) {
	for _, k := range b.run.Kernels {
		searches, each := int64(k.Keys-len(k.Searches)), b.resultBytes(k.Kernel)
		bytes += min(searches, (math.MaxInt64-bytes)/each) * each
	}
	return bytes
}
