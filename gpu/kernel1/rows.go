// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"math"

	"g500/comm"
	"g500/cuda"
)

// fill makes the rows, piece by piece. A rank without further rows keeps sending to the others.
func (c *construction) fill() error {
	packed, err := c.builder.PackedBound()
	if err := c.agree(err); err != nil {
		return err
	}
	work, err := c.work(packed)
	if err != nil {
		return err
	}
	if err := c.agree(c.prepareRows(min(work, c.limits.work))); err != nil {
		return err
	}
	for {
		rows, err := c.next()
		most, err := comm.ReduceAgreed(c.t.Host(), rows, comm.Max, err)
		if err != nil || most == 0 {
			return err
		}
		if err := c.collectAll(); err != nil {
			return err
		}
		if err := c.agree(c.builder.Store()); err != nil {
			return err
		}
	}
}

// next chooses the next rows. Packed ones may use all free memory, of which those so far have taken a part.
func (c *construction) next() (rows int64, err error) {
	var work int64
	if c.Packed {
		work, err = c.work(0)
	}
	if err == nil {
		rows, err = c.builder.Next(min(work, c.limits.work))
	}
	return rows, err
}

// prepareRows allocates the working memory of rows. On one rank alone the entries will also make the rows of the second
// graph if memory suffices.
func (c *construction) prepareRows(work int64) error {
	if c.exchange != nil || !c.Order.fits(c) {
		return c.builder.Rows(work)
	}
	if err := c.keepWeights(c.Order.builder); err != nil {
		return err
	}
	err := c.builder.RowsForBoth(c.Order.builder, work)
	var fault *cuda.Error
	if errors.As(err, &fault) && fault.Code == cuda.OutOfMemory { // in several pieces, or working memory is short
		return c.builder.Rows(work)
	}
	c.collectsWeights = err == nil
	return err
}

// collectAll takes the neighbours of the chosen rows from all tuples.
func (c *construction) collectAll() error {
	if c.builder.Collected() {
		return nil
	}
	if c.exchange == nil {
		return c.given.Each(Format{Weighted: c.Weighted || c.collectsWeights}, c.builder.CollectTuples)
	}
	return c.eachRound(c.Weighted, c.collect)
}

// collect takes the neighbours of the chosen rows from the received messages. With 64-bit labels it first forwards
// their ends. In an undirected graph, a rank receives as many neighbours as ends, because both are messages about the
// ends that it owns; in a directed one it may receive more targets, so that one round may not be enough.
func (c *construction) collect(received int64) error {
	x, kind := c.exchange, c.messages(c.Weighted)
	if !c.labels64 {
		return c.builder.Collect(kind, x.Receive[0].Memory, received)
	}
	round := int64(math.MaxInt64) // all at once, if they fit
	return x.Rounds(1, received, &round, func(first, count int64) ([]int64, error) {
		ends := x.Receive[0].Part(first*kind.Bytes(), count*kind.Bytes())
		return x.Bins.Neighbours(c.builder, ends, count, x.Send.Memory)
	}, func(_ []int64, bytes int64) error {
		return c.builder.Collect(kind, x.Receive[1].Memory, bytes/kind.Bytes())
	})
}
