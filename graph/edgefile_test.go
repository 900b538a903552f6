// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"g500/graph"
	"g500/internal/expect"
	"g500/internal/infile"
)

// edgesIn writes an edge list and returns its path.
func edgesIn(t *testing.T, format graph.Format, edges ...graph.Edge) string {
	t.Helper()
	text := expect.Written(t, func(w io.Writer) error { return graph.WriteEdges(w, format, edges) })
	return expect.File(t, "edges", text)
}

// A list of another length than a multiple of its tuples is refused, and so is a label of another scale.
func TestRefusedEdgeLists(t *testing.T) {
	for _, format := range []graph.Format{graph.Packed, graph.U64} {
		for label, want := range map[graph.Global]string{15: "", 16: "not below 2^4"} {
			list, err := graph.OpenEdgeFile(edgesIn(t, format, graph.NewEdge(label, 0)), format, 4)
			if err == nil {
				_, err = read(list.Part(0, 1))(make([]graph.Edge, 1))
			}
			expect.Error(t, err, want, format, "label", label)
		}
		path := expect.File(t, "edges", strings.Repeat("x", 35))
		expect.Error(t, expect.Err(graph.OpenEdgeFile(path, format, 4)), "truncated", format)
	}
}

// Both formats keep labels of up to 47 bits, which the Graph500 reference code can read.
func TestFilesKeepLabels(t *testing.T) {
	edges := []graph.Edge{
		graph.NewEdge(1<<47-1, 0), graph.NewEdge(1<<32, 1<<46), graph.NewEdge(0x1234_5678_9ABC, 1<<32-1),
	}
	for _, format := range []graph.Format{graph.Packed, graph.U64} {
		path := edgesIn(t, format, edges...)
		list := expect.Value(graph.OpenEdgeFile(path, format, graph.MaxScale))(t)
		var want infile.Fingerprint
		_, _ = want.Write([]byte(expect.Read(t, path)))
		got := make([]graph.Edge, list.Tuples)
		for cut := range len(edges) + 1 { // the parts of two ranks
			begin, before := read(list.Part(0, int64(cut)))(got[:cut])
			end, after := read(list.Part(int64(cut), int64(len(edges)-cut)))(got[cut:])
			expect.NoError(t, errors.Join(before, after), format)
			expect.Equal(t, got, edges, format)
			expect.Equal(t, begin.Then(end), want, format)
		}
	}
}

// read returns a function that reads a part completely and returns its fingerprint.
func read[T any](part *graph.FilePart[T], err error) func(into []T) (infile.Fingerprint, error) {
	return func(into []T) (infile.Fingerprint, error) {
		if err != nil {
			return infile.Fingerprint{}, err
		}
		err := errors.Join(part.Read(into), part.Close())
		return part.Fingerprint, err
	}
}

// Errors name directories and devices, which ranks cannot read in parts, and do not call them truncated.
func TestDirectoriesAndDevices(t *testing.T) {
	for path, want := range map[string]string{t.TempDir(): "is a directory", os.DevNull: "is a device"} {
		expect.Error(t, expect.Err(graph.OpenEdgeFile(path, graph.Packed, 4)), want)
	}
	list := graph.EdgeFile{Path: filepath.Join(t.TempDir(), "edges"), Tuples: 0}
	expect.NoError(t, os.Mkdir(graph.WeightsPath(list.Path), 0o755))
	expect.Error(t, list.CheckWeights(), "is a directory")
}

// withWeights returns an edge list and writes weights for it.
func withWeights(t *testing.T, tuples int64, weights []float32) graph.EdgeFile {
	t.Helper()
	text := expect.Written(t, func(w io.Writer) error { return graph.WriteWeights(w, weights) })
	path := expect.File(t, "edges.weights", text)
	return graph.EdgeFile{Path: strings.TrimSuffix(path, ".weights"), Format: graph.Packed, Tuples: tuples, Scale: 4}
}

// Weights are read bit by bit as written, from any tuple on.
func TestFilesKeepWeights(t *testing.T) {
	weights := []float32{0, 1, 0.1, math.SmallestNonzeroFloat32, graph.MostWeight}
	file := withWeights(t, int64(len(weights)), weights)
	for first := range weights {
		got := make([]float32, len(weights)-first)
		expect.NoError(t, expect.Err(read(file.Weights(int64(first), int64(len(got))))(got)))
		expect.Equal(t, got, weights[first:], "from", first, "on")
	}
	expect.Error(t, expect.Err(read(file.Weights(3, 3))(make([]float32, 3))), "ends at tuple 5")
}

// A weights file that is missing, truncated, or of another list is refused, and so is an invalid weight.
func TestRefusedWeights(t *testing.T) {
	missing := graph.EdgeFile{Path: filepath.Join(t.TempDir(), "edges"), Tuples: 2}
	expect.Error(t, missing.CheckWeights(), "generate --weights")
	for _, n := range []int{1, 3} {
		expect.Error(t, withWeights(t, 2, make([]float32, n)).CheckWeights(), "truncated", n)
	}
	for _, w := range []float32{-1, float32(math.NaN()), float32(math.Inf(1)), 2e28} {
		_, err := read(withWeights(t, 2, []float32{0.5, w}).Weights(0, 2))(make([]float32, 2))
		expect.Error(t, err, "tuple 1", "weight", w)
	}
}

func FuzzEdge(f *testing.F) {
	labels := []int64{0, 1, 1<<16 - 1, 1 << 16, 1<<32 - 1, 1 << 32, 0x123456789ABC, 1<<47 - 1, 1 << 47, 1<<48 - 1}
	for _, u := range labels {
		for _, v := range labels {
			f.Add(u, v)
		}
	}
	f.Fuzz(func(t *testing.T, x, y int64) {
		u, v := graph.Global(x&(1<<48-1)), graph.Global(y&(1<<48-1))
		e := graph.NewEdge(u, v)
		expect.That(t, e.U() == u && e.V() == v && e.SelfLoop() == (u == v), "<%#x, %#x> is stored as %v", u, v, e)
	})
}

// A tuple in memory is the official packed record: the low 32 bits of both labels, then their high 16, little-endian.
func TestEdgeIsTheOfficialRecord(t *testing.T) {
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) != 1 {
		t.Skip("this machine is big-endian; only its edge files are official, not its memory")
	}
	edges := []graph.Edge{
		graph.NewEdge(299, 797),
		graph.NewEdge(0x112233445566, 0x778899AABBCC),
	}
	want := []byte{
		0x2B, 0x01, 0, 0, 0x1D, 0x03, 0, 0, 0, 0, 0, 0,
		0x66, 0x55, 0x44, 0x33, 0xCC, 0xBB, 0xAA, 0x99, 0x22, 0x11, 0x88, 0x77,
	}
	got := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(edges))), len(edges)*graph.EdgeBytes)
	expect.Equal(t, got, want)
}
