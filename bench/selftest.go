// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
	"g500/validate"
)

// A run of at least scale selfTestFrom begins with a run on a small graph, whose time is negligible.
const (
	selfTestFrom  = 22
	selfTestScale = 10
	selfTestKeys  = 8
)

// selfTest runs the backend on a small graph before a large run, and validates its trees on the CPU against tuples that
// the CPU generated, which shares no code with the generator, engine and validator of another backend.
func (b *benchmark) selfTest(ctx context.Context) error {
	if b.cfg.Graph.Scale < selfTestFrom {
		return nil
	}
	p := b.cfg.Params()
	p.Scale = selfTestScale
	_, err := step(b, fmt.Sprintf("self-test at scale %d", selfTestScale), 0, new(float64),
		func() (struct{}, error) { return struct{}{}, tryBackend(ctx, b.t, b.backend, p) })
	return err
}

// tryBackend searches from a few keys and compares the verdicts of the backend's validator and the CPU's.
func tryBackend(ctx context.Context, t comm.Transport, backend Backend, p kronecker.Params) error {
	first, count := shareOf(p.Edges(), t.Rank(), t.Size())
	tuples, err := backend.Generate(ctx, p, graph.Range{First: first, Count: count}, func(int64) {})
	if err := comm.Agree(t, err); err != nil {
		return err
	}
	e, err := backend.Kernel1(t, tuples)
	if err != nil {
		return err
	}
	defer e.Close()
	mine, err := backend.NewValidator(t, e.Layout(), tuples)
	if err != nil {
		return err
	}
	again := graph.NewHostTuples(graph.Range{Count: count})
	p.Fill(first, again.Edges, nil)
	reference, err := validate.New(t, e.Layout(), again, 1)
	if err != nil {
		return err
	}
	keys, err := sampleKeys(t, p, e, selfTestKeys)
	if err != nil {
		return err
	}
	for _, root := range keys {
		tree, err := e.Search(root)
		if err != nil {
			return err
		}
		got, err := mine.Validate(root, tree)
		if err != nil {
			return err
		}
		want, err := reference.Validate(root, tree)
		switch {
		case err != nil:
			return err
		case want.Fault != nil:
			return fmt.Errorf("the self-test found a wrong tree: %w; do not trust this program on this machine", want.Fault)
		case got != want:
			return fmt.Errorf("the self-test found a wrong validator: its verdict on the tree from root %d is %+v, and the "+
				"CPU's is %+v; do not trust this program on this machine", root, got, want)
		}
	}
	return nil
}
