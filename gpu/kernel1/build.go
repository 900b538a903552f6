//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"
	"math"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
)

// maxOwned bounds the labels of one rank, which the device counts in 31 bits.
const maxOwned = 1<<31 - 1

// limits bounds the memory of kernel 1 on each rank.
type limits struct {
	round int64 // tuples whose ends are sent at a time; 0 on one rank alone, which needs no messages
	work  int64 // bytes in which rows are sorted
	wide  bool  // the graph, if there are several ranks, also where it need not be: for tests
}

// defaultLimits returns the limits of a run.
func defaultLimits(ranks int) limits {
	if ranks == 1 {
		return limits{work: math.MaxInt64}
	}
	return limits{round: roundTuples, work: math.MaxInt64}
}

// checkLabels says why a graph with that many labels cannot be built on that many ranks.
func checkLabels(labels int64, ranks int) error {
	if labels > int64(ranks)*maxOwned {
		return fmt.Errorf("gpu: label %d is too high for %d ranks with the GPU engine, each of which owns "+
			"2^31-1 labels at most; use more, or --engine cpu", labels-1, ranks)
	}
	return nil
}

// positionForm is the shift of a graph of which the largest rank has that many hubs, and whether its positions need
// more than 32 bits.
func positionForm(hubs int64, ranks int) (shift int, wide bool) {
	shift = cuda.PositionBits(hubs)
	return shift, int64(ranks-1)<<shift+hubs > math.MaxUint32 // the highest position means none
}

// construction is kernel 1 on one rank.
//
// It goes over the tuples once to count degrees, after which each rank knows the hub ids of its vertices; and once for
// each piece of rows. One rank alone reads the tuples itself. Several send every tuple to the owners of both ends, in
// rounds; for rows the owner of one end passes its position on to the owner of the other. No rank keeps anything of
// vertices that it does not own but what comes in a round.
type construction struct {
	t        device.Transport
	weighted bool
	wide     bool // labels need more than 32 bits, or, as is known when hubs are ordered, positions do
	given    *Tuples
	limits   limits
	most     int64 // tuples of a rank at most
	sharing  device.Sharing
	exchange *Exchange // nil on one rank alone
	builder  *cuda.Builder
}

// Options choose the form of a graph.
type Options struct {
	Weighted bool // with the weights of the tuples
	Wide     bool // with ids of 64 bits on several ranks, also if the graph does not need them: for tests
}

// Build is kernel 1: it makes this rank's share of the graph from tuples that may be on any rank. It is collective; an
// error on one rank ends it on all of them.
func Build(t device.Transport, given graph.Tuples, o Options) (*Graph, error) {
	tuples, err := OnDevice(t.Device(), given)
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, err
	}
	l := defaultLimits(t.Host().Size())
	l.wide = o.Wide
	built, err := construct(&construction{t: t, weighted: o.Weighted, given: tuples, limits: l})
	if err != nil {
		return nil, err
	}
	return newGraph(t, built)
}

func construct(c *construction) (g *cuda.Graph, err error) {
	defer func() { err = errors.Join(err, c.close()) }()
	for _, step := range []func() error{c.prepare, c.countDegrees, c.order, c.fill} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	g, err = c.builder.Finish()
	return g, c.agree(err)
}

func (c *construction) agree(err error) error { return comm.Agree(c.t.Host(), err) }

func (c *construction) close() error {
	var err error
	if c.builder != nil {
		err = c.builder.Free()
	}
	return errors.Join(err, c.exchange.Close())
}

// prepare finds the number of vertices and allocates the memory that all steps need.
func (c *construction) prepare() error {
	host, d := c.t.Host(), c.t.Device()
	vertices, err := c.findVertices()
	if err := c.agree(err); err != nil {
		return err
	}
	highest := []int64{vertices, c.given.count}
	if err := host.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	vertices, c.most = highest[0], highest[1]
	if err := c.agree(checkLabels(vertices, host.Size())); err != nil {
		return err
	}
	c.wide = host.Size() > 1 && (c.limits.wide || vertices > MaxNarrow)
	if c.sharing, err = device.NewSharing(c.t); err != nil {
		return err
	}
	if err := c.agree(c.checkForm()); err != nil {
		return err
	}
	if c.limits.round > 0 {
		if err := c.openExchange(); err != nil {
			return err
		}
	}
	c.builder, err = d.NewBuilder(host.Size(), host.Rank(), vertices)
	if err == nil && c.weighted {
		c.builder.KeepWeights()
	}
	return c.agree(err)
}

// checkForm refuses wide graphs with weights, which are not implemented.
func (c *construction) checkForm() error {
	if c.wide && c.weighted {
		return fmt.Errorf("gpu: shortest paths have positions and labels of 32 bits on GPUs, and this graph needs more: " +
			"use a smaller scale, kernel bfs, or --engine cpu")
	}
	return nil
}

// findVertices finds the highest label of this rank's tuples plus one.
func (c *construction) findVertices() (vertices int64, err error) {
	err = c.given.Each(func(piece cuda.Memory) error {
		n, err := c.t.Device().Vertices(piece)
		vertices = max(vertices, n)
		return err
	})
	return vertices, err
}

// openExchange settles how many tuples make a round: as many as asked for, fewer where memory is short, and no more
// than there are or come from host memory at a time.
func (c *construction) openExchange() error {
	free, err := c.sharing.Free()
	if err != nil {
		return err
	}
	ranks := c.t.Host().Size()
	round := max(min(c.limits.round, c.most, c.given.pieceLimit()), 1)
	for round > 1 && exchangeBytes(roundCapacity(round, ranks), c.message()) > free/4 {
		round /= 2
	}
	if c.limits.round, err = comm.Reduce(c.t.Host(), round, comm.Min); err != nil {
		return err
	}
	room := max(c.message()*roundCapacity(c.limits.round, ranks), cuda.WideMessageBytes*2*int64(ranks))
	c.exchange, err = NewExchange(c.t, room, 2)
	return err
}

// message is the size of the longest messages that are exchanged.
func (c *construction) message() int64 {
	switch {
	case c.weighted:
		return cuda.WeightedMessageBytes
	case c.wide:
		return cuda.WideMessageBytes
	}
	return cuda.MessageBytes
}

// ends puts the ends of a piece's tuples into the send buffer, with weights if the piece has them.
func (c *construction) ends(p piece) (bytes []int64, err error) {
	if p.weights.Bytes() > 0 {
		return c.exchange.Bins.WeightedEnds(p.edges, p.weights, c.exchange.Send.Memory)
	}
	if c.wide {
		return c.exchange.Bins.WideEnds(p.edges, c.exchange.Send.Memory)
	}
	return c.exchange.Bins.Ends(p.edges, c.exchange.Send.Memory)
}

// eachRound sends all ends to their owners, with weights if they are asked for, and calls body with the number of bytes
// that came here, round by round. Where many tuples end with one rank, rounds become smaller until what comes to it
// fits.
func (c *construction) eachRound(weighted bool, body func(received int64) error) error {
	x := c.exchange
	for first := int64(0); first < c.most; {
		mine := min(first, c.given.count)
		count := min(c.limits.round, c.given.count-mine)
		piece, err := c.given.run(run{mine, count, weighted})
		if err != nil {
			return err
		}
		ends, err := c.ends(piece)
		if err != nil {
			return err
		}
		fits, err := x.fits(ends)
		if err != nil {
			return err
		}
		if !fits {
			c.limits.round = (c.limits.round + 1) / 2
			continue
		}
		_, received, err := x.Run(x.Send.Memory, ends, 0)
		if err == nil {
			err = body(received)
		}
		if err != nil {
			return err
		}
		first += c.limits.round
	}
	return nil
}

func (c *construction) countDegrees() error {
	if c.exchange == nil {
		return c.given.Each(c.builder.CountTuples)
	}
	return c.eachRound(false, func(received int64) error {
		if c.wide {
			return c.builder.CountWide(c.exchange.Receive[0].Memory, received/cuda.WideMessageBytes)
		}
		return c.builder.Count(c.exchange.Receive[0].Memory, received/cuda.MessageBytes)
	})
}

// work returns the working memory of a step, in addition to the reserved bytes. It is collective.
func (c *construction) work(reserved int64) (int64, error) {
	free, err := c.sharing.Free()
	if err != nil {
		return 0, err
	}
	work := free - reserved - Spare/2
	if work <= 0 {
		err = fmt.Errorf("gpu: kernel 1 needs more than %d bytes of device memory beside the tuples, and %d are free: "+
			"use a smaller scale, or more ranks", reserved, free)
	}
	return work, c.agree(err)
}

// order numbers the vertices, and takes the memory of the columns.
func (c *construction) order() error {
	ranks := c.t.Host().Size()
	owned := c.builder.Owned()
	work, err := c.work((RowBytes + HubOfBytes) * owned)
	if err != nil {
		return err
	}
	hubs, core, err := c.builder.Order(work)
	if err := c.agree(err); err != nil {
		return err
	}
	highest := []int64{hubs, core}
	if err := c.t.Host().AllReduce(highest, comm.Max); err != nil {
		return err
	}
	shift, wide := positionForm(highest[0], ranks)
	if wide && !c.wide { // a round's messages are twice as long from now on
		c.wide, c.limits.round = true, max(c.limits.round/2, 1)
	}
	if err = c.checkForm(); err == nil {
		err = c.builder.Columns(shift, highest[1], c.wide)
	}
	return c.agree(err)
}

// fill makes the rows, piece by piece; a rank that is done goes on sending to the others.
func (c *construction) fill() error {
	work, err := c.work(0)
	if err != nil {
		return err
	}
	if err := c.agree(c.builder.Rows(min(work, c.limits.work))); err != nil {
		return err
	}
	for {
		rows, err := c.builder.Next()
		if err := c.agree(err); err != nil {
			return err
		}
		most, err := comm.Reduce(c.t.Host(), rows, comm.Max)
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

// collectAll takes the neighbours of all tuples that belong into the piece of rows.
func (c *construction) collectAll() error {
	if c.exchange == nil && c.weighted {
		return c.given.EachWeighted(c.builder.CollectWeighted)
	}
	if c.exchange == nil {
		return c.given.Each(c.builder.CollectTuples)
	}
	bins, b := c.exchange.Bins, c.builder
	by := collecting{cuda.MessageBytes, bins.Neighbours, b.Collect}
	switch {
	case c.weighted:
		by = collecting{cuda.WeightedMessageBytes, bins.WeightedNeighbours, b.CollectToldWeighted}
	case c.wide:
		by = collecting{cuda.WideMessageBytes, bins.WideNeighbours, b.CollectWide}
	}
	return c.eachRound(c.weighted, func(received int64) error { return c.collect(by, received) })
}

// collecting is how messages of one form are passed on, and taken into rows.
type collecting struct {
	messageBytes int64
	passOn       func(of *cuda.Builder, ends cuda.Memory, count int64, into cuda.Memory) (bytes []int64, err error)
	take         func(messages cuda.Memory, count int64) error
}

// collect passes on the ends that came here, and takes the neighbours that belong into its rows. A rank gets as many
// messages as in the step before: both count the ends of which it is the owner.
func (c *construction) collect(by collecting, received int64) error {
	x := c.exchange
	ends := received / by.messageBytes
	neighbours, err := by.passOn(c.builder, x.Receive[0].Memory, ends, x.Send.Memory)
	if err != nil {
		return err
	}
	_, received, err = x.Run(x.Send.Memory, neighbours, 1)
	if err != nil {
		return err
	}
	return by.take(x.Receive[1].Memory, received/by.messageBytes)
}
