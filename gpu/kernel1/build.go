// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
)

// maxOwned bounds the labels of one rank, which the device counts in 31 bits.
const maxOwned = 1<<31 - 1

// limits bounds the memory of kernel 1 on each rank.
type limits struct {
	round int64 // tuples whose ends are sent at a time; 0 on one rank alone, which sends no messages
	work  int64 // bytes in which rows are sorted
	long  bool  // Options.Labels64
	table int64 // bytes of a table of all labels
}

// checkLabels returns an error if that many labels are too many for that many ranks.
func checkLabels(labels int64, ranks int) error {
	if labels > int64(ranks)*maxOwned {
		return fmt.Errorf("gpu: label %d is too high for %d ranks with the GPU engine, each of which owns "+
			"2^31-1 labels at most; use more, or --engine cpu", labels-1, ranks)
	}
	return nil
}

// construction is kernel 1 on one rank.
//
// One pass over the tuples counts the degrees, from which each rank orders its vertices; then each piece of rows takes
// one pass. One rank alone reads its tuples directly. Several ranks add up their counts of ends in a table of all
// labels, and then gather the local ids there. For rows they send both ends of each tuple to the owners, in rounds,
// with the packed global id of the other end. With 64-bit labels they send them with the label of the other end, and
// the owner of one end forwards its global id to the owner of the other; without memory for the table they also count
// such messages.
//
// Rows of a directed graph have the ends of edges from their vertex; the degrees, and so the order, count both ends.
type construction struct {
	Options
	t        device.Transport
	labels64 bool // labels exceed 32 bits, or there is no memory for a table of all labels
	ids64    bool // after allocate: packed ids have 64 bits
	given    *Tuples
	limits   limits
	vertices int64          // of all ranks: the highest label plus one; 0 on one rank alone
	most     int64          // largest number of tuples of a rank; 0 on one rank alone
	exchange *Exchange      // nil on one rank alone
	slice    int64          // labels of a rank in the table
	table    *device.Window // a word for each label, by rank; nil on one rank or without memory
	builder  *cuda.Builder
	ordered  bool // the builder has the order of another graph

	collectsWeights bool // for the other graph
}

// Options choose the format of a graph.
type Options struct {
	Weighted bool   // with the weights of the tuples
	Labels64 bool   // with 64-bit labels on several ranks, also if the graph does not need them: for tests
	Order    *Order // shared with another graph of the same tuples; nil for one graph
	Packed   bool   // with packed rows: 32-bit labels, without weights
}

// Build is kernel 1: it builds this rank's share of the graph from the tuples of all ranks. It is collective, and
// returns an error on all ranks if one fails.
func Build(t device.Transport, given graph.Tuples, o Options) (*Graph, error) {
	tuples, err := OnDevice(t.Device(), given)
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, err
	}
	l := limits{work: math.MaxInt64, long: o.Labels64, table: math.MaxInt64}
	if t.Host().Size() > 1 {
		l.round = RoundTuples
	}
	built, err := construct(&construction{Options: o, t: t, given: tuples, limits: l})
	if err != nil {
		return nil, err
	}
	return newGraph(t, built)
}

func construct(c *construction) (g *cuda.Graph, err error) {
	defer func() { err = errors.Join(err, c.close()) }()
	for _, step := range []func() error{c.prepare, c.order, c.allocate, c.fill} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	g, err = c.builder.Finish()
	return g, c.agree(err)
}

func (c *construction) agree(err error) error { return comm.Agree(c.t.Host(), err) }

func (c *construction) close() error {
	return errors.Join(cuda.Free(c.builder), c.exchange.Close(), c.table.Close())
}

// prepare allocates the memory that all steps need. Several ranks first find the number of vertices; one rank alone
// finds it while it counts the degrees.
func (c *construction) prepare() (err error) {
	host := c.t.Host()
	if c.limits.round > 0 {
		for _, step := range []func() error{c.findVertices, c.openTable, c.openExchange} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	if c.ordered = c.Order.has(c.given); c.ordered {
		c.builder, *c.Order = c.Order.builder, Order{Spare: c.Order.Spare}
	} else {
		c.builder, err = c.t.Device().NewBuilder(host.Size(), host.Rank(), c.vertices)
	}
	if err == nil && c.given.directed {
		c.builder.KeepDirections()
	}
	if err == nil && c.Packed {
		c.builder.KeepPacked()
	}
	if err == nil && c.Weighted {
		err = c.keepWeights(c.builder)
	}
	return c.agree(err)
}

// sampledWeights is the number of weights whose median is taken as typical.
const sampledWeights = 1 << 12

// keepWeights selects a graph with weights.
func (c *construction) keepWeights(of *cuda.Builder) error {
	weights := make([]float32, min(sampledWeights, c.given.count, c.given.PieceLimit()))
	if len(weights) == 0 { // a rank without tuples may own vertices
		of.KeepWeights(0)
		return nil
	}
	first, err := c.given.piece(run{count: int64(len(weights)), Format: Format{Weighted: true}})
	if err == nil {
		err = cuda.Read(weights, first.weights, 0)
	}
	if err != nil {
		return err
	}
	slices.Sort(weights)
	of.KeepWeights(weights[len(weights)/2])
	return nil
}

// findVertices finds the highest label of all ranks plus one, and the largest number of tuples of a rank, unless
// another graph has found them. It is collective.
func (c *construction) findVertices() error {
	if c.Order.has(c.given) {
		c.vertices, c.most = c.Order.vertices, c.Order.most
		return nil
	}
	highest := []int64{0, c.given.count}
	err := c.given.Each(Format{}, func(tuples, _ cuda.Memory) error {
		n, err := c.t.Device().Vertices(tuples)
		highest[0] = max(highest[0], n)
		return err
	})
	if err := c.agree(err); err != nil {
		return err
	}
	if err := c.t.Host().AllReduce(highest, comm.Max); err != nil {
		return err
	}
	c.vertices, c.most = highest[0], highest[1]
	return c.agree(checkLabels(c.vertices, c.t.Host().Size()))
}

// checkFormat returns an error for 64-bit labels together with weights or packed rows.
func (c *construction) checkFormat() error {
	if c.labels64 && c.Weighted {
		return errors.New("gpu: shortest paths have 32-bit labels on GPUs, and this graph needs more, or more memory: " +
			"use a smaller scale, kernel bfs, or --engine cpu")
	}
	if c.labels64 && c.Packed {
		return errors.New("gpu: packed rows have 32-bit labels, and this graph needs more, or more memory: " +
			"use --graph-form plain, or more nodes")
	}
	return nil
}

// openExchange chooses the number of tuples of a round: the limit, or fewer if memory is short, if no rank has as many,
// or if smaller pieces come from host memory.
func (c *construction) openExchange() error {
	free, err := device.Free(c.t)
	if err != nil {
		return err
	}
	ranks, message := c.t.Host().Size(), c.messages(c.Weighted).Bytes()
	round := max(min(c.limits.round, c.most, c.given.PieceLimit()), 1)
	for round > 1 && ExchangeBytes(roundCapacity(round, ranks), message) > free/4 {
		round /= 2
	}
	if c.limits.round, err = comm.Reduce(c.t.Host(), round, comm.Min); err != nil {
		return err
	}
	capacity := max(message*roundCapacity(c.limits.round, ranks), cuda.Messages64.Bytes()*2*int64(ranks))
	c.exchange, err = NewExchange(c.t, capacity)
	return err
}

// messages returns the kind of messages to send, with weights if weighted is set.
func (c *construction) messages(weighted bool) cuda.MessageKind {
	switch {
	case weighted:
		return cuda.WeightedMessages
	case c.labels64:
		return cuda.Messages64
	}
	return cuda.Messages32
}

// eachRound sends all ends to their owners, with weights if weighted is set, and calls body with the number of messages
// received, round by round.
func (c *construction) eachRound(weighted bool, body func(received int64) error) error {
	x, kind := c.exchange, c.messages(weighted)
	return x.Rounds(0, c.given.count, &c.limits.round, func(first, count int64) ([]int64, error) {
		piece, err := c.given.piece(run{first, count, Format{Weighted: weighted}})
		if err != nil {
			return nil, err
		}
		return x.Bins.Ends(kind, piece.edges, piece.weights, x.Send.Memory)
	}, func(_ []int64, bytes int64) error { return body(bytes / kind.Bytes()) })
}

func (c *construction) countDegrees() error {
	switch {
	case c.exchange == nil:
		return c.given.Each(Format{}, c.countTuples)
	case c.table != nil:
		return c.addCounts()
	}
	return c.eachRound(false, func(received int64) error {
		return c.builder.Count(c.exchange.Receive[0].Memory, received)
	})
}

// countTuples counts the ends of a piece of the tuples, on one rank alone.
func (c *construction) countTuples(tuples, _ cuda.Memory) error {
	vertices, err := c.builder.Vertices(tuples)
	if err == nil {
		err = checkLabels(vertices, 1)
	}
	if err == nil {
		err = c.builder.Grow(vertices)
	}
	if err == nil {
		err = c.builder.CountTuples(tuples)
	}
	return err
}

// work returns the working memory of a step, in addition to the reserved bytes. It is collective.
func (c *construction) work(reserved int64) (int64, error) {
	free, err := device.Free(c.t)
	if err != nil {
		return 0, err
	}
	work := free - reserved - Spare/2
	if work <= 0 {
		err = fmt.Errorf("gpu: kernel 1 needs more than %d bytes of device memory, and %d are free: "+
			"use a smaller scale, or more ranks", reserved+Spare/2, free)
	}
	return work, c.agree(err)
}

// order gives the vertices their local ids, unless they have them from another graph, and keeps them for another one.
func (c *construction) order() error {
	if c.ordered {
		return nil
	}
	if err := c.countDegrees(); err != nil {
		return err
	}
	work, err := c.work((RowBytes + LocalIDBytes) * c.builder.Graph().Owned())
	if err != nil {
		return err
	}
	err = c.builder.Order(work)
	if err == nil {
		err = c.Order.keep(c)
	}
	return c.agree(err)
}

// allocate chooses the format of global ids and allocates the arrays of neighbours. From now on messages are for rows.
// Ids have 64 bits if their numbers need them, or if there are 64-bit labels and some ranks are no peers.
func (c *construction) allocate() error {
	ranks := c.t.Host().Size()
	g := c.builder.Graph()
	highest := []int64{g.NonIsolated(), g.NonLeaves(), device.RemoteRanks(c.t)}
	if err := c.t.Host().AllReduce(highest, comm.Max); err != nil {
		return err
	}
	shift := cuda.LocalIDBits(highest[0])
	c.ids64 = needIDs64(highest[0], shift, ranks) || c.labels64 && highest[2] > 0
	if c.ids64 && !c.labels64 { // from now on messages are twice as long
		c.labels64, c.limits.round = true, max(c.limits.round/2, 1)
	}
	if c.labels64 {
		c.builder.KeepLabels64()
	}
	if c.exchange != nil && c.given.directed {
		c.exchange.Bins.OneWay()
	}
	err := c.checkFormat()
	if err == nil {
		err = c.builder.AllocateCols(shift, highest[1], c.ids64)
	}
	if err := c.agree(err); err != nil || c.exchange == nil || c.labels64 {
		return err
	}
	return c.gatherLocalIDs(shift)
}

// needIDs64 reports whether packed global ids exceed 32 bits, if the largest rank has that many non-isolated
// vertices. The highest 32-bit word means no vertex.
func needIDs64(most int64, shift, ranks int) bool {
	return int64(ranks-1)<<shift+most > math.MaxUint32
}
