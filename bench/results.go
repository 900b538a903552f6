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

// The files of a search key's results in the folder trees/: the parents that breadth-first search found, and the
// parents and distances of shortest paths.
const (
	treeEnding      = ".i64"
	pathsEnding     = ".sssp.i64"
	distancesEnding = ".sssp.f32"
)

// storeResult writes a kernel's last result to the output folder, if the run stores results. It is collective.
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
		return parentForm.write(b.t, b.resultFile(key, treeEnding), layout, result.Parents)
	}
	if err := parentForm.write(b.t, b.resultFile(key, pathsEnding), layout, result.Parents); err != nil {
		return err
	}
	return distanceForm.write(b.t, b.resultFile(key, distancesEnding), layout, result.Distances)
}

// makeTreesFolder makes the folder of results on rank 0, which writes them, and frees the space that was reserved for
// one result of a kernel. It is collective.
func (b *benchmark) makeTreesFolder(k record.Kernel) error {
	var err error
	if b.store != nil {
		err = errors.Join(os.MkdirAll(filepath.Join(b.store.dir, treesFolder), 0o755),
			b.store.results.spend(b.resultBytes(k)))
	}
	return comm.Agree(b.t, err)
}

func (b *benchmark) resultFile(key int, ending string) string {
	return filepath.Join(b.cfg.Output.Dir, treesFolder, fmt.Sprint(key)+ending)
}

// resultBytes is the size of one search's result in files, by kernel.
func (b *benchmark) resultBytes(k record.Kernel) int64 {
	bytes := parentForm.bytes
	if k == record.SSSP {
		bytes += distanceForm.bytes
	}
	return bytes * int64(b.cfg.Params().Vertices())
}

// DistancesFile is the file of distances that a run stores next to a file of parents of shortest paths. It returns an
// error if the name of the latter is not one that a run gives.
func DistancesFile(tree string) (string, error) {
	stem, ends := strings.CutSuffix(tree, pathsEnding)
	if !ends {
		return "", fmt.Errorf("the name %s does not end in %s, as trees of shortest paths do: name the file of distances "+
			"too, with --distances FILE", filepath.Base(tree), pathsEnding)
	}
	return stem + distancesEnding, nil
}
