// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/partition"
	"g500/validate"
)

// forgiving is a validator that finds every tree right.
type forgiving struct{ Validator }

func (forgiving) Tree(graph.Global, bfs.Tree) (validate.Verdict, error) {
	return validate.Verdict{}, nil
}

func TestSelfTestFindsWhatIsWrong(t *testing.T) {
	good := onCPU()
	drop := faultySetup(config(10), 3, dropVertex).Backend
	otherGraph, blind := good, good
	otherGraph.Generate = func(ctx context.Context, p kronecker.Params, s graph.Range, advance func(int64)) (graph.Tuples,
		error) {
		p.Seed1++
		return good.Generate(ctx, p, s, advance)
	}
	blind.NewValidator = func(comm.Transport, partition.Layout, graph.Tuples) (Validator, error) {
		return forgiving{}, nil
	}

	for name, c := range map[string]struct {
		backend Backend
		want    string // in the error, "" for none
	}{
		"nothing":       {good, ""},
		"the engine":    {drop, "wrong tree"},
		"the generator": {otherGraph, "wrong tree"},
		"the validator": {blind, "wrong validator"},
	} {
		for _, ranks := range []int{1, 3} {
			err := comm.Loopback(ranks, func(tr comm.Transport) error {
				return tryBackend(context.Background(), tr, c.backend, config(selfTestScale).Params())
			})
			expect.Error(t, err, c.want, name, "is wrong,", ranks, "ranks")
		}
	}
}
