// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
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
		return parentEncoding.write(b.t, b.resultFile(key, treeEnding), layout, result.Parents)
	}
	if err := parentEncoding.write(b.t, b.resultFile(key, pathsEnding), layout, result.Parents); err != nil {
		return err
	}
	return distanceEncoding.write(b.t, b.resultFile(key, distancesEnding), layout, result.Distances)
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

// encoding is the form of an array in a file: one little-endian number per vertex, in the order of labels.
type encoding[T comm.Word] struct {
	bytes int64 // size of a number
	put   func(word []byte, value T)
}

// The encodings of the arrays of a result.
var (
	parentEncoding = encoding[graph.Global]{
		bytes: 8,
		put:   func(word []byte, v graph.Global) { binary.LittleEndian.PutUint64(word, uint64(v)) },
	}
	distanceEncoding = encoding[float32]{
		bytes: 4,
		put:   func(word []byte, d float32) { binary.LittleEndian.PutUint32(word, math.Float32bits(d)) },
	}
)

// arrayPiece is the number of labels that rank 0 gathers at a time.
const arrayPiece = 1 << 20

// write gathers an array on rank 0, which writes it to a file. own has the numbers of this rank's vertices. It is
// collective and returns the same error on all ranks.
func (f encoding[T]) write(t comm.Transport, path string, layout partition.Layout, own []T) error {
	var out *os.File
	var err error
	if t.Rank() == 0 {
		out, err = os.Create(path)
	}
	if err := comm.Agree(t, err); err != nil {
		return err
	}
	err = f.gather(t, layout, own, out)
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	return comm.Agree(t, err)
}

// gather sends an array to rank 0 in pieces, which writes it in the order of labels. It returns an error in writing
// after the last piece, because the other ranks send until then.
func (f encoding[T]) gather(t comm.Transport, layout partition.Layout, own []T, out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<20)
	word := make([]byte, f.bytes)
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
		for v := first; v < end; v++ {
			r := layout.Owner(v)
			f.put(word, got[r][0])
			got[r] = got[r][1:]
			_, _ = w.Write(word) // Flush returns the first error
		}
	}
	return w.Flush()
}
