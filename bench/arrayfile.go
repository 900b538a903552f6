package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"g500/comm"
	"g500/graph"
	"g500/internal/infile"
	"g500/partition"
)

// encoding is the form of an array in a file: one little-endian number per vertex, in the order of labels.
type encoding[T comm.Word] struct {
	name  string // of the file, in errors
	bytes int64  // size of a number
	put   func(word []byte, value T)
	get   func(word []byte) T
	none  T // value of a vertex that was not reached
}

// The encodings of the arrays of a result.
var (
	parentEncoding = encoding[graph.Global]{
		name: "tree", bytes: 8, none: graph.NoParent,
		put: func(word []byte, v graph.Global) { binary.LittleEndian.PutUint64(word, uint64(v)) },
		get: func(word []byte) graph.Global { return graph.Global(binary.LittleEndian.Uint64(word)) },
	}
	distanceEncoding = encoding[float32]{
		name: "file of distances", bytes: 4, none: -1,
		put: func(word []byte, d float32) { binary.LittleEndian.PutUint32(word, math.Float32bits(d)) },
		get: func(word []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(word)) },
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

// extent bounds the vertices in a file: at least up to the highest label of an edge, at most all of the layout.
type extent struct {
	layout  partition.Layout
	highest graph.Global
}

// read reads the numbers of a rank's vertices from a file. Vertices beyond its end were not reached: a file may end at
// the highest label of an edge or above.
func (f encoding[T]) read(path string, has extent, rank int) ([]T, error) {
	size, err := infile.Regular(path, "the "+f.name)
	if err != nil {
		return nil, err
	}
	if err := f.checkSize(path, size, has); err != nil {
		return nil, err
	}
	file, err := infile.OpenRegular(path, "the "+f.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	own := make([]T, has.layout.Count(rank))
	in := bufio.NewReaderSize(file, 1<<20)
	word := make([]byte, f.bytes)
	next := 0
	for v := graph.Global(0); v < graph.Global(size/f.bytes); v++ {
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, fmt.Errorf("%s %s: %w", f.name, path, err)
		}
		if has.layout.Owner(v) == rank {
			own[next] = f.get(word)
			next++
		}
	}
	for ; next < len(own); next++ {
		own[next] = f.none
	}
	return own, nil
}

// checkSize returns an error for a file with too few or too many bytes for the graph.
func (f encoding[T]) checkSize(path string, size int64, has extent) error {
	least, most := f.bytes*int64(has.highest+1), f.bytes*int64(has.layout.Vertices())
	if least <= size && size <= most && size%f.bytes == 0 {
		return nil
	}
	takes := fmt.Sprintf("from %d to %d bytes", least, most)
	if least == most {
		takes = fmt.Sprintf("%d bytes", most)
	}
	return fmt.Errorf("%s %s has %d bytes, but the edge list has labels up to %d and the graph %d vertices, "+
		"which take %s, %d each: the file is truncated, damaged or of another graph",
		f.name, path, size, has.highest, has.layout.Vertices(), takes, f.bytes)
}
