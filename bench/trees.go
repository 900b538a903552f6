package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// A tree in a file is one 64-bit little-endian number for every vertex, in label order: its parent's label, or -1.

// treePiece is how many labels are gathered on rank 0 at a time.
const treePiece = 1 << 20

// keepTree writes a tree to the output folder, as trees/KEY.i64.
func (b *benchmark) keepTree(layout partition.Layout, key int, tree bfs.Tree) error {
	parents, err := tree.Parents()
	if err != nil {
		return err
	}
	var out *os.File
	if b.store != nil {
		dir := filepath.Join(b.store.dir, treesFolder)
		if err = os.MkdirAll(dir, 0o755); err == nil {
			out, err = os.Create(filepath.Join(dir, fmt.Sprintf("%d.i64", key)))
		}
	}
	if err := comm.Agree(b.t, err); err != nil {
		return err
	}
	err = gatherTree(b.t, layout, parents, out)
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	return comm.Agree(b.t, err)
}

// gatherTree brings a tree to rank 0, piece by piece, and writes it there in label order. What goes wrong in writing is
// told at the end: until then the other ranks send.
func gatherTree(t comm.Transport, layout partition.Layout, parents []graph.Global, out io.Writer) error {
	var w *bufio.Writer
	if t.Rank() == 0 {
		w = bufio.NewWriter(out)
	}
	piece := make([]graph.Global, treePiece)
	next := 0 // this rank's vertices below the piece
	var failed error
	for first := graph.Global(0); first < layout.Vertices(); first += treePiece {
		end := min(first+treePiece, layout.Vertices())
		send := make([][]graph.Global, t.Size())
		from := next
		for next < len(parents) && layout.Global(t.Rank(), graph.Local(next)) < end {
			next++
		}
		send[0] = parents[from:next]
		got, err := comm.Exchange(t, send)
		if err != nil {
			return err
		}
		if t.Rank() != 0 {
			continue
		}
		for v := first; v < end; v++ {
			r := layout.Owner(v)
			piece[v-first], got[r] = got[r][0], got[r][1:]
		}
		if failed == nil {
			failed = binary.Write(w, binary.LittleEndian, piece[:end-first])
		}
	}
	if w != nil && failed == nil {
		failed = w.Flush()
	}
	return failed
}

// readTree reads this rank's part of a tree from a file. Programs end it at the highest label of an edge, as this one
// does, or at any label above that: vertices that it does not name were not reached.
func readTree(path string, layout partition.Layout, rank int, highest graph.Global) ([]graph.Global, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the tree: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	least, most := 8*int64(highest+1), 8*int64(layout.Vertices())
	if info.Size() < least || info.Size() > most || info.Size()%8 != 0 {
		return nil, fmt.Errorf("tree %s has %d bytes, but the edge list has labels up to %d and the graph %d vertices, "+
			"which takes from %d to %d bytes, 8 for each: the file is truncated, damaged or of another graph",
			path, info.Size(), highest, layout.Vertices(), least, most)
	}
	parents := make([]graph.Global, layout.Count(rank))
	in := bufio.NewReaderSize(file, 1<<20)
	var word [8]byte
	next := 0
	for v := graph.Global(0); v < graph.Global(info.Size()/8); v++ {
		if _, err := io.ReadFull(in, word[:]); err != nil {
			return nil, fmt.Errorf("tree %s: %w", path, err)
		}
		if layout.Owner(v) == rank {
			parents[next] = graph.Global(binary.LittleEndian.Uint64(word[:]))
			next++
		}
	}
	for ; next < len(parents); next++ {
		parents[next] = graph.NoParent
	}
	return parents, nil
}
