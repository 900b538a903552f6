package graph_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/graph"
)

// withWeights writes a weights file of an edge list that has so many tuples.
func withWeights(t *testing.T, tuples int64, weights []float32) graph.EdgeFile {
	t.Helper()
	list := graph.EdgeFile{Path: filepath.Join(t.TempDir(), "edges"), Format: graph.Packed, Tuples: tuples, Scale: 4}
	var text bytes.Buffer
	if err := graph.WriteWeights(&text, weights); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(graph.WeightsPath(list.Path), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return list
}

// Weights come back to the bit, from any tuple on.
func TestFilesKeepWeights(t *testing.T) {
	weights := []float32{0, 1, 0.1, math.SmallestNonzeroFloat32, graph.MostWeight}
	file, err := graph.OpenWeightFile(withWeights(t, int64(len(weights)), weights))
	if err != nil {
		t.Fatal(err)
	}
	for first := range weights {
		got := make([]float32, len(weights)-first)
		if err := readWeights(t, file, int64(first), got); err != nil || !slices.Equal(got, weights[first:]) {
			t.Errorf("from %d on: %v (%v), want %v", first, got, err, weights[first:])
		}
	}
	if err := readWeights(t, file, 3, make([]float32, 3)); err == nil || !strings.Contains(err.Error(), "end at tuple 5") {
		t.Errorf("beyond the end: %v", err)
	}
}

// A weights file that is missing, cut off, or of another list is refused, and so is what is no weight.
func TestWeightsThatAreRefused(t *testing.T) {
	missing := graph.EdgeFile{Path: filepath.Join(t.TempDir(), "edges"), Tuples: 2}
	if _, err := graph.OpenWeightFile(missing); err == nil || !strings.Contains(err.Error(), "generate --weights") {
		t.Errorf("missing: %v", err)
	}
	for _, n := range []int{1, 3} {
		_, err := graph.OpenWeightFile(withWeights(t, 2, make([]float32, n)))
		if err == nil || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("%d weights of 2 tuples: %v", n, err)
		}
	}
	for _, w := range []float32{-1, float32(math.NaN()), float32(math.Inf(1)), 2e28} {
		file, err := graph.OpenWeightFile(withWeights(t, 2, []float32{0.5, w}))
		if err == nil {
			err = readWeights(t, file, 0, make([]float32, 2))
		}
		if err == nil || !strings.Contains(err.Error(), "tuple 1") {
			t.Errorf("weight %g: %v", w, err)
		}
	}
}

func readWeights(t *testing.T, file graph.WeightFile, first int64, into []float32) error {
	t.Helper()
	part, err := file.Part(first, int64(len(into)))
	if err != nil {
		t.Fatal(err)
	}
	return errors.Join(part.Read(into), part.Close())
}
