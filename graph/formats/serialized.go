package formats

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unsafe"
)

// serialized is the header of a serialized graph of the GAP benchmark suite (Beamer, Asanovic, Patterson: The GAP
// Benchmark Suite, 2015): one byte, 1 for a directed graph; the numbers of entries and vertices. The offsets of rows
// follow, then neighbours in 32 bits, in .wsg files each with a weight. A directed graph has the rows of the opposite
// direction after them, which are not used. All numbers are little-endian.
type serialized struct {
	directed          bool
	entries, vertices int64
	weighted          bool
}

const serializedBytes = 1 + 8 + 8 // of the header

// rowBytes returns the size of offsets and entries, in memory and in the file.
func (s serialized) rowBytes() int64 {
	each := int64(4)
	if s.weighted {
		each = 8
	}
	return 8*(s.vertices+1) + each*s.entries
}

func (s serialized) fileBytes() int64 {
	if s.directed {
		return serializedBytes + 2*s.rowBytes()
	}
	return serializedBytes + s.rowBytes()
}

// readSerialized reads a graph without weights.
func readSerialized(on task, h *header) (*list, error) { return h.readRows(on, false) }

// readSerializedWeights reads a graph with weights.
func readSerializedWeights(on task, h *header) (*list, error) { return h.readRows(on, true) }

// readRows reads the rows of a serialized graph.
func (h *header) readRows(on task, weighted bool) (*list, error) {
	s, err := h.serialized(weighted)
	if err != nil {
		return nil, err
	}
	if err := on.fitBytes(fixedMemory + h.memory + s.rowBytes()); err != nil {
		return nil, err
	}
	g := &Graph{Directed: s.directed, Offsets: make([]int64, s.vertices+1), Neighbours: make([]uint32, s.entries)}
	_, err = io.ReadFull(h.in, bytesOf(g.Offsets))
	if err == nil && weighted {
		g.Weights = make([]float32, s.entries)
		err = h.weightedEntries(g)
	} else if err == nil {
		_, err = io.ReadFull(h.in, bytesOf(g.Neighbours))
	}
	rest := int64(0)
	if err == nil {
		rest, err = io.Copy(io.Discard, h.in)
	}
	if errors.Is(err, io.EOF) || err == nil && serializedBytes+s.rowBytes()+rest != s.fileBytes() {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, h.broken(err)
	}
	if err := g.checkRows(on.workers); err != nil {
		return nil, fmt.Errorf("%s: %w: the file is damaged, or not a serialized graph of GAP", h.path, err)
	}
	return &list{vertices: s.vertices, rows: g, undirected: !s.directed, arcs: s.directed}, nil
}

// serialized reads and checks the header.
func (h *header) serialized(weighted bool) (s serialized, err error) {
	var head [serializedBytes]byte
	if _, err := io.ReadFull(h.in, head[:]); err != nil {
		return s, h.broken(io.ErrUnexpectedEOF)
	}
	s = serialized{head[0] == 1, int64(binary.LittleEndian.Uint64(head[1:])), int64(binary.LittleEndian.Uint64(head[9:])),
		weighted}
	const most = 1 << 50
	valid := head[0] <= 1 && s.entries >= 0 && s.entries < most && s.vertices >= 1 && s.vertices <= MaxVertices
	if valid && h.packed == 0 && !h.file.Pipe {
		valid = h.length == s.fileBytes()
	}
	if !valid {
		return s, fmt.Errorf("%s is not a serialized graph of GAP, or cut off: its length or first %d bytes do not fit",
			h.path, serializedBytes)
	}
	return s, nil
}

// weightedEntries reads neighbours with weights.
func (h *header) weightedEntries(g *Graph) error {
	buffer := make([][2]int32, blockBytes/8)
	for done := 0; done < len(g.Neighbours); done += len(buffer) {
		buffer = buffer[:min(len(buffer), len(g.Neighbours)-done)]
		if _, err := io.ReadFull(h.in, bytesOf(buffer)); err != nil {
			return err
		}
		for i, e := range buffer {
			w := float32(e[1])
			g.Neighbours[done+i], g.Weights[done+i] = uint32(e[0]), w
			if float64(w) != float64(e[1]) {
				h.rounded++
			}
		}
	}
	return nil
}

// bytesOf returns the memory of a slice, which on a little-endian machine is its form in the file.
func bytesOf[T int64 | uint32 | [2]int32](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// writeSerialized writes a graph without weights.
func writeSerialized(w *writer, _ string, g *Graph) error { return g.serialize(w, false) }

// writeSerializedWeights writes a graph with weights. Without weights each is 1.
func writeSerializedWeights(w *writer, _ string, g *Graph) error { return g.serialize(w, true) }

func (g *Graph) serialize(w *writer, weighted bool) error {
	head := make([]byte, serializedBytes)
	if g.Directed {
		head[0] = 1
	}
	binary.LittleEndian.PutUint64(head[1:], uint64(g.Entries()))
	binary.LittleEndian.PutUint64(head[9:], uint64(g.Vertices()))
	if _, err := w.Write(head); err != nil {
		return err
	}
	err := g.writeRows(w, weighted)
	if err == nil && g.Directed {
		err = g.transposed().writeRows(w, weighted)
	}
	return err
}

// writeRows writes offsets and entries.
func (g *Graph) writeRows(w *writer, weighted bool) error {
	_, err := w.Write(bytesOf(g.Offsets))
	if err == nil && !weighted {
		_, err = w.Write(bytesOf(g.Neighbours))
		return err
	}
	for at := 0; err == nil && at < len(g.Neighbours); at++ {
		entry := [][2]int32{{int32(g.Neighbours[at]), 1}}
		if g.Weights != nil {
			entry[0][1] = int32(g.Weights[at])
		}
		_, err = w.Write(bytesOf(entry))
	}
	return err
}
