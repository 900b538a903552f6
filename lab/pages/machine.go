package pages

import (
	"time"

	"g500/lab"
)

// Machine holds a graph in pages, and applies batches to it.
type Machine interface {
	// Name is the machine's, for people.
	Name() string
	// Load lays a graph out in pages, with a number of spare ones.
	Load(g *lab.Graph, pageBytes, spare int) error
	// Follow has the levels of a search from a root be kept up to date from now on. The graph must be symmetric, and
	// stay so. An error that is lab.ErrLeftOut says why the machine does not.
	Follow(root uint32) error
	// Apply applies a batch, as Graph.Apply does.
	Apply(updates []Update) (Done, error)
	// PagesFree is the number of pages that no row has.
	PagesFree() int
	// Rows is the graph as it is, its rows in any order.
	Rows() (offsets []int64, columns []uint32, err error)
	// Levels are those that are followed; lab.None for what is not reached.
	Levels() ([]uint32, error)
	// Searcher searches the graph where it is, until the next batch; or a graph that it loads, in rows. An error that is
	// lab.ErrLeftOut says why not.
	Searcher(inPages bool) (lab.Machine, error)
	// Close gives the machine back.
	Close() error
}

// Done is what a batch did, and its time: to the new graph, and to the levels that follow it.
type Done struct {
	Tally
	Seconds, LevelSeconds float64
	Lost                  int64 // vertices that lost their level for a while
}

// Core is a machine of one CPU thread.
type Core struct {
	*Graph
	clock func() time.Duration
}

// NewCore makes one.
func NewCore(clock func() time.Duration) *Core { return &Core{clock: clock} }

// Name is the machine's.
func (c *Core) Name() string { return "1 CPU thread" }

// Load lays a graph out in pages.
func (c *Core) Load(g *lab.Graph, pageBytes, spare int) (err error) {
	c.Graph, err = Load(g.Offsets, g.Columns, pageBytes, spare)
	return err
}

// Follow is for GPUs.
func (c *Core) Follow(uint32) error { return lab.ErrElsewhere }

// Apply applies a batch.
func (c *Core) Apply(updates []Update) (d Done, err error) {
	began := c.clock()
	d.Tally, err = c.Graph.Apply(updates)
	d.Seconds = (c.clock() - began).Seconds()
	return d, err
}

// Rows is the graph as it is.
func (c *Core) Rows() (offsets []int64, columns []uint32, err error) {
	offsets, columns = c.Graph.Rows()
	return offsets, columns, nil
}

// Levels are none.
func (c *Core) Levels() ([]uint32, error) { return nil, lab.ErrElsewhere }

// Searcher is for GPUs.
func (c *Core) Searcher(bool) (lab.Machine, error) { return nil, lab.ErrElsewhere }

// Close has nothing to give back.
func (c *Core) Close() error { return nil }
