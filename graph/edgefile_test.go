package graph_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/infile"
)

// Labels of up to 47 bits, as the official program reads them back, come back from both kinds of edge file.
func TestFilesKeepLabels(t *testing.T) {
	edges := []graph.Edge{
		graph.NewEdge(1<<47-1, 0), graph.NewEdge(1<<32, 1<<46), graph.NewEdge(0x1234_5678_9ABC, 1<<32-1),
	}
	for _, format := range []graph.Format{graph.Packed, graph.U64} {
		path := filepath.Join(t.TempDir(), "edges")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := graph.WriteEdges(file, format, edges); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		list, err := graph.OpenEdgeFile(path, format, graph.MaxScale)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]graph.Edge, list.Tuples)
		for cut := range len(edges) + 1 { // the parts of two ranks
			begin, before := readPart(t, list, 0, got[:cut])
			end, after := readPart(t, list, int64(cut), got[cut:])
			if err := errors.Join(before, after); err != nil || !slices.Equal(got, edges) {
				t.Errorf("%s: %v came back as %v (%v)", format, edges, got, err)
			}
			if whole := begin.Then(end); whole != fingerprint(t, path) {
				t.Errorf("%s: the parts have the fingerprint %v", format, whole)
			}
		}
	}
}

func readPart(t *testing.T, list graph.EdgeFile, first int64, into []graph.Edge) (infile.Fingerprint, error) {
	t.Helper()
	part, err := list.Part(first, int64(len(into)))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(part.Read(into), part.Close())
	return part.Fingerprint, err
}

// fingerprint returns the fingerprint of a file.
func fingerprint(t *testing.T, path string) (f infile.Fingerprint) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write(text)
	return f
}

// A file that ranks cannot read in parts is named, and is not called truncated.
func TestEdgeListsOfTheWrongKindAreNamed(t *testing.T) {
	for path, want := range map[string]string{t.TempDir(): "is a directory", os.DevNull: "is a device"} {
		_, err := graph.OpenEdgeFile(path, graph.Packed, 4)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("edge list: %v, want %q", err, want)
		}
	}
	list := graph.EdgeFile{Path: filepath.Join(t.TempDir(), "edges"), Tuples: 0}
	if err := os.Mkdir(graph.WeightsPath(list.Path), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.OpenWeightFile(list); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("weights: %v", err)
	}
}
