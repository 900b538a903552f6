// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"g500/comm"
	"g500/record"
)

// The endings of a search key's files in the folder trees/: parents of breadth-first search, and parents and distances
// of shortest paths.
const (
	treeEnding      = ".i64"
	pathsEnding     = ".sssp.i64"
	distancesEnding = ".sssp.f32"
)

// storeResult writes a kernel's last result to the output folder, with --trees. It is collective.
func (b *benchmark) storeResult(k kernel, key int) error {
	if !b.cfg.Output.Trees {
		return nil
	}
	result, err := k.host()
	if err != nil {
		return err
	}
	if err := b.makeTreesFolder(k.Kernel); err != nil {
		return err
	}
	layout := k.Layout()
	if k.Kernel == record.BFS {
		return parentEncoding.write(b.t, b.resultFile(key, treeEnding), layout, result.Parents)
	}
	if err := parentEncoding.write(b.t, b.resultFile(key, pathsEnding), layout, result.Parents); err != nil {
		return err
	}
	return distanceEncoding.write(b.t, b.resultFile(key, distancesEnding), layout, result.Distances)
}

// makeTreesFolder creates the folder of results on rank 0, and frees the space reserved for one result of a kernel. It
// is collective.
func (b *benchmark) makeTreesFolder(k record.Kernel) error {
	var err error
	if b.store != nil {
		err = errors.Join(os.MkdirAll(filepath.Join(b.store.dir, treesFolder), 0o777),
			b.store.results.spend(b.resultBytes(k)))
	}
	return comm.Agree(b.t, err)
}

func (b *benchmark) resultFile(key int, ending string) string {
	return filepath.Join(b.cfg.Output.Dir, treesFolder, fmt.Sprint(key)+ending)
}

// resultBytes is the size of one search's result in files, by kernel.
func (b *benchmark) resultBytes(k record.Kernel) int64 {
	bytes := parentEncoding.bytes
	if k == record.SSSP {
		bytes += distanceEncoding.bytes
	}
	return bytes * int64(b.cfg.Params().Vertices())
}

// DistancesFile returns the file of distances that belongs to a file of parents of shortest paths. It returns an error
// if no run gives the file of parents that name.
func DistancesFile(tree string) (string, error) {
	stem, ends := strings.CutSuffix(tree, pathsEnding)
	if !ends {
		return "", fmt.Errorf("the name %s does not end in %s, as trees of shortest paths do: name the file of distances "+
			"too, with --distances FILE", filepath.Base(tree), pathsEnding)
	}
	return stem + distancesEnding, nil
}
