// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import "g500/comm"

// collectAll takes the neighbours of the chosen rows from all tuples.
func (c *construction) collectAll() error {
	if c.builder.Collected() {
		return nil
	}
	if c.exchange == nil {
		return c.given.Each(c.weighted || c.collectsWeights, c.builder.CollectTuples)
	}
	return c.eachRound(c.weighted, c.collect)
}

// collect takes the neighbours of the chosen rows from the received messages. With 64-bit labels it first forwards
// their ends. In an undirected graph, a rank receives as many neighbours as ends, because both are messages about the
// ends that it owns; in a directed one it may receive more targets, so that one round may not be enough.
func (c *construction) collect(received int64) error {
	x, kind := c.exchange, c.messages(c.weighted)
	if !c.labels64 {
		return c.builder.Collect(kind, x.Receive[0].Memory, received)
	}
	most, err := comm.Reduce(c.t.Host(), received, comm.Max)
	if err != nil {
		return err
	}
	round := most
	return x.Rounds(1, most, &round, func(first int64) ([]int64, error) {
		first = min(first, received)
		count := min(round, received-first)
		ends := x.Receive[0].Part(first*kind.Bytes(), count*kind.Bytes())
		return x.Bins.Neighbours(c.builder, ends, count, x.Send.Memory)
	}, func(_ []int64, bytes int64) error {
		return c.builder.Collect(kind, x.Receive[1].Memory, bytes/kind.Bytes())
	})
}
