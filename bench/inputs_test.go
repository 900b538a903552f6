package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/bfs"
	"g500/graph"
	"g500/internal/infile"
	"g500/record"
)

// edgesOf is a configuration that reads the official graph of its scale from a file.
func edgesOf(t *testing.T, scale int) record.Config {
	t.Helper()
	c := config(scale)
	all := make([]graph.Edge, c.Params().Edges())
	c.Params().Fill(0, all)
	c.Graph.Edges = edgeListFile(t, all)
	return c
}

// contentOf is the record of a file.
func contentOf(t *testing.T, use, path string) record.Input {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f infile.Fingerprint
	_, _ = f.Write(text)
	return record.Input{Use: use, Path: path, Bytes: f.Bytes, CRC64: f.Hex()}
}

// A run records the size and the checksum of each file that it read, on any number of ranks.
func TestInputsAreRecorded(t *testing.T) {
	c := edgesOf(t, 8)
	c.Search.Roots = filepath.Join(t.TempDir(), "roots")
	if err := os.WriteFile(c.Search.Roots, []byte("220\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []record.Input{contentOf(t, record.RootsUse, c.Search.Roots), contentOf(t, record.EdgesUse, c.Graph.Edges)}
	for _, ranks := range []int{1, 2, 5} {
		r, err := run(t.Context(), ranks, hybrid(c))
		if err != nil || len(r.Inputs) != 2 || r.Inputs[0] != want[0] || r.Inputs[1] != want[1] {
			t.Errorf("%d ranks: %+v, want %+v (%v)", ranks, r.Inputs, want, err)
		}
	}
}

// A run whose edge list has changed is not resumed. It keeps its searches and can be resumed with the original file.
func TestAChangedEdgeListIsNotResumed(t *testing.T) {
	c := edgesOf(t, 9)
	c.Output.Dir = t.TempDir()
	cutOffIn(t, c, 5)
	right, err := os.ReadFile(c.Graph.Edges)
	if err != nil {
		t.Fatal(err)
	}
	wrong := append([]byte(nil), right...)
	copy(wrong, right[len(right)-12:]) // another edge in place of the first
	if err := os.WriteFile(c.Graph.Edges, wrong, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err = resume(t, c.Output.Dir)
		if err == nil || !strings.Contains(err.Error(), c.Graph.Edges+" (edges) has changed since the run to resume") {
			t.Errorf("changed: %v", err)
		}
	}
	if err := os.WriteFile(c.Graph.Edges, right, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := resume(t, c.Output.Dir)
	if err != nil || r.Status != record.Valid || r.Resumed != 5 {
		t.Fatalf("restored: %+v, %v", r, err)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "the graph was read again") {
		t.Errorf("notes %q", notes)
	}
}

// An error of a resumed run does not show the content of a file: another user's configuration may name any file.
func TestResumeShowsNoContentOfAFile(t *testing.T) {
	const secret = "3 secret 7\n"
	path := filepath.Join(t.TempDir(), "list.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for use, c := range map[string]record.Config{"roots": config(9), "graph": config(4), "edges": edgesOf(t, 9)} {
		c.Output.Dir, c.Search.Keys = t.TempDir(), 3
		setup, content := hybrid(c), secret
		switch use {
		case "roots":
			write("220\n458\n214\n")
			setup.Config.Search.Roots = path
		case "graph":
			write("0 1\n1 2\n2 3\n3 4\n")
			setup.Config.Graph.Spec = "file:" + path + ",format=snap"
			setup.Graph, _ = NewSpecGraph(setup.Config)
		default:
			path = c.Graph.Edges
			content = strings.Repeat("secret!!", int(c.Params().Edges())*12/8)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		setup.Watch = signalAfter{silent{}, interrupt, 1}
		if first, err := run(ctx, 1, setup); err != nil || first.Status != record.Incomplete {
			t.Fatalf("%s: %v, %+v", use, err, first)
		}
		write(content)
		s := resuming(t, c.Output.Dir)
		s.Graph, _ = NewSpecGraph(s.Config)
		_, err := run(t.Context(), 1, s)
		if want := "(" + use + ") cannot be read as the run to resume read it"; err == nil ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v, want %q", use, err, want)
		}
	}
}

// A run that has read a pipe is not resumed: the pipe is empty by then.
func TestARunFromAPipeIsNotResumed(t *testing.T) {
	c := config(9)
	c.Output.Dir = t.TempDir()
	ctx, interrupt := context.WithCancel(t.Context())
	s := faultySetup(c, 3, func(int, bfs.HostTree) error { interrupt(); return nil })
	s.Config.Search.Roots = pipeOf(t, "220\n458\n214\n12\n")
	if r, err := run(ctx, 2, s); err != nil || r.Pipe() != s.Config.Search.Roots {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err := record.ReadEarlier(c.Output.Dir)
	if err == nil || !strings.Contains(err.Error(), "a pipe that cannot be read again") {
		t.Errorf("%v", err)
	}
}
