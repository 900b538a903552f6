package main

import (
	"context"
	"io"
	"runtime"

	"g500/graph/formats"
	"g500/internal/machine"
	"g500/lab"
)

// labGraphs returns a function that makes the graph of a spec, in the order of its input, and writes the notes of the
// reader of a file to errOut.
func labGraphs(errOut io.Writer) func(ctx context.Context, text string) (*lab.Graph, error) {
	return func(ctx context.Context, text string) (*lab.Graph, error) {
		spec, err := formats.Parse(text)
		if err != nil {
			return nil, misuseError{err}
		}
		_, available := machine.Memory()
		g, err := spec.Make(ctx, runtime.GOMAXPROCS(0), available)
		if err != nil {
			return nil, err
		}
		writeNotes(errOut, g)
		return &lab.Graph{Name: spec.String(), Offsets: g.Offsets, Columns: g.Neighbours, Symmetric: !g.Directed}, nil
	}
}
