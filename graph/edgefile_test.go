package graph_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"g500/graph"
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
		if err := list.Read(0, got); err != nil || !slices.Equal(got, edges) {
			t.Errorf("%s: %v came back as %v (%v)", format, edges, got, err)
		}
	}
}
