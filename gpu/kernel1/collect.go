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

// collect forwards the received ends and takes the neighbours of the chosen rows; with a table, they are neighbours
// already. In an undirected graph, a rank receives as many neighbours as ends, because both are messages about the ends
// that it owns.
func (c *construction) collect(received int64) error {
	x, kind := c.exchange, c.messages(c.weighted)
	if c.table != nil {
		return c.builder.Collect(kind, x.Receive[0].Memory, received)
	}
	if c.given.directed {
		return c.collectArcs(received)
	}
	neighbours, err := x.Bins.Neighbours(kind, c.builder, x.Receive[0].Memory, received, x.Send.Memory)
	if err != nil {
		return err
	}
	_, bytes, err := x.Run(x.Send.Memory, neighbours, 1)
	if err != nil {
		return err
	}
	return c.builder.Collect(kind, x.Receive[1].Memory, bytes/kind.Bytes())
}

// collectArcs is collect for a directed graph. A rank may receive more targets than ends, so that one round may not be
// enough.
func (c *construction) collectArcs(received int64) error {
	x, kind := c.exchange, c.messages(c.weighted)
	most, err := comm.Reduce(c.t.Host(), received, comm.Max)
	if err != nil {
		return err
	}
	round := most
	return x.Rounds(1, most, &round, func(first int64) ([]int64, error) {
		first = min(first, received)
		count := min(round, received-first)
		ends := x.Receive[0].Part(first*kind.Bytes(), count*kind.Bytes())
		return x.Bins.Neighbours(kind, c.builder, ends, count, x.Send.Memory)
	}, func(_ []int64, bytes int64) error {
		return c.builder.Collect(kind, x.Receive[1].Memory, bytes/kind.Bytes())
	})
}
