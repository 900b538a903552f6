package main

import (
	"context"
	"runtime"

	"g500/graph/input"
	"g500/internal/machine"
	"g500/lab"
)

// loadLabGraph makes the graph that a spec names, in the order of its input.
func loadLabGraph(ctx context.Context, text string) (*lab.Graph, error) {
	spec, err := input.Parse(text)
	if err != nil {
		return nil, misuseError{err}
	}
	_, available := machine.Memory()
	g, err := spec.Make(ctx, runtime.GOMAXPROCS(0), available)
	if err != nil {
		return nil, err
	}
	return &lab.Graph{Name: spec.String(), Offsets: g.Offsets, Columns: g.Neighbours, Symmetric: !g.Directed}, nil
}
