// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"g500/comm"
	"g500/graph"
	"g500/partition"
	"g500/record"
)

// The endings of a search key's files in the folder trees/: parents, and for shortest paths distances.
const (
	treeEnding      = ".i64"
	pathsEnding     = ".sssp.i64"
	distancesEnding = ".sssp.f32"
)

// storeResult writes a kernel's last result to the output folder, with --trees. It is collective.
func (b *benchmark) storeResult(k *kernel, key int) error {
	if !b.cfg.Output.Trees {
		return nil
	}
	result, err := k.last.Host()
	if err != nil {
		return err
	}
	if b.store != nil { // which has space for the result
		err = errors.Join(os.MkdirAll(filepath.Join(b.store.dir, treesFolder), 0o777),
			b.store.results.spend(b.resultBytes(k.Kernel)))
	}
	if err := comm.Agree(b.t, err); err != nil {
		return err
	}
	layout := k.Layout()
	if k.Kernel == record.BFS {
		return writeArray(b.t, b.resultFile(key, treeEnding), layout, result.Parents)
	}
	if err := writeArray(b.t, b.resultFile(key, pathsEnding), layout, result.Parents); err != nil {
		return err
	}
	return writeArray(b.t, b.resultFile(key, distancesEnding), layout, result.Distances)
}

func (b *benchmark) resultFile(key int, ending string) string {
	return filepath.Join(b.cfg.Output.Dir, treesFolder, fmt.Sprint(key)+ending)
}

// bytesPerVertex is the size of a vertex in the result of a search.
func bytesPerVertex(paths bool) int64 {
	const parent, distance = 8, 4
	if paths {
		return parent + distance
	}
	return parent
}

// resultBytes is the size of one search's result in files, by kernel.
func (b *benchmark) resultBytes(k record.Kernel) int64 {
	return bytesPerVertex(k == record.SSSP) * int64(b.cfg.Params().Vertices())
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

// arrayPiece is the number of labels that rank 0 gathers at a time.
const arrayPiece = 1 << 20

// writeArray gathers an array on rank 0, which writes it to a file: a little-endian number per vertex, in the order of
// labels. own has the numbers of this rank's vertices. It is collective and returns the same error on all ranks.
func writeArray[T comm.Word](t comm.Transport, path string, layout partition.Layout, own []T) error {
	var out *os.File
	var err error
	if t.Rank() == 0 {
		out, err = os.Create(path)
	}
	if err := comm.Agree(t, err); err != nil {
		return err
	}
	err = gatherArray(t, layout, own, out)
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	return comm.Agree(t, err)
}

// gatherArray sends an array in pieces to rank 0, which writes it in the order of labels. An error in writing comes
// after the last piece, because the other ranks send until then.
func gatherArray[T comm.Word](t comm.Transport, layout partition.Layout, own []T, out io.Writer) (failed error) {
	next := 0 // number of this rank's vertices below the piece
	for first := graph.Global(0); first < layout.Vertices(); first += arrayPiece {
		end := min(first+arrayPiece, layout.Vertices())
		send := make([][]T, t.Size())
		from := next
		for next < len(own) && layout.Global(t.Rank(), graph.Local(next)) < end {
			next++
		}
		send[0] = own[from:next]
		got, err := comm.Exchange(t, send)
		if err != nil {
			return err
		}
		if t.Rank() != 0 {
			continue
		}
		piece := make([]T, 0, end-first)
		for v := first; v < end; v++ {
			r := layout.Owner(v)
			piece = append(piece, got[r][0])
			got[r] = got[r][1:]
		}
		failed = cmp.Or(failed, binary.Write(out, binary.LittleEndian, piece))
	}
	return failed
}
