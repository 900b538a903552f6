//go:build cuda && cgo

package lab

import (
	"errors"
	"math/bits"
	"slices"

	"g500/cuda"
	"g500/lab"
	"g500/lab/pages"
)

// paged holds a graph in pages on one GPU.
type paged struct {
	device *cuda.Device
	graph  *lab.Graph
	pages  *cuda.Pages
	levels *cuda.Levels // nil if no levels are followed
	root   uint32
	there  []byte // 1 for each vertex that exists, 0 for removed ones
}

// NewPages returns a machine on the first GPU.
func NewPages() (pages.Follower, error) {
	d, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	return &paged{device: d}, nil
}

// Name returns the name of the GPU.
func (p *paged) Name() string { return p.device.String() }

// Load puts a graph into pages.
func (p *paged) Load(g *lab.Graph, pageBytes, spare int) (err error) {
	if err := pages.CheckPageBytes(pageBytes); err != nil {
		return err
	}
	p.graph, p.there = g, slices.Repeat([]byte{1}, g.Vertices())
	rows := cuda.LabGraph{Offsets: g.Offsets, Columns: g.Columns, Symmetric: g.Symmetric}
	p.pages, err = p.device.NewPages(rows, bits.TrailingZeros(uint(pageBytes/4)), spare)
	return err
}

// Follow searches from a root; Apply then keeps the levels up to date.
func (p *paged) Follow(root uint32) (err error) {
	p.root = root
	p.levels, err = p.pages.NewLevels(root)
	return err
}

// Apply applies a batch as alternating runs of updates of edges and of vertices. If there are not enough pages for one
// run, Apply undoes all runs and returns pages.ErrFull.
func (p *paged) Apply(updates []pages.Update) (d pages.Done, err error) {
	before := slices.Clone(p.there)
	p.pages.Begin()
	for len(updates) > 0 {
		n := runOf(updates)
		if err = p.run(updates[:n], &d); err != nil {
			break
		}
		updates = updates[n:]
	}
	if errors.Is(err, pages.ErrFull) {
		p.there = before
		return pages.Done{}, errors.Join(err, p.pages.SetVertices(p.there), p.pages.Undo(), p.searchAgain())
	}
	p.pages.Keep()
	return d, err
}

// searchAgain finds the levels anew, after a batch was undone.
func (p *paged) searchAgain() error {
	if p.levels == nil {
		return nil
	}
	return errors.Join(p.levels.Free(), p.Follow(p.root))
}

func ofVertex(u pages.Update) bool { return u.Kind >= pages.AddVertex }

// runOf returns the number of updates at the beginning that are all of edges, or all of vertices.
func runOf(updates []pages.Update) int {
	n := slices.IndexFunc(updates, func(u pages.Update) bool { return ofVertex(u) != ofVertex(updates[0]) })
	if n < 0 {
		return len(updates)
	}
	return n
}

// run applies updates of one sort and updates the levels.
func (p *paged) run(updates []pages.Update, d *pages.Done) error {
	var totals cuda.PagesTotals
	var err error
	if ofVertex(updates[0]) {
		totals, err = p.changeVertices(updates, d)
	} else {
		words := make([]uint64, len(updates))
		for i, u := range updates {
			words[i] = p.pages.Update(uint64(u.Kind), u.U, u.V)
		}
		totals, err = p.pages.Apply(words)
		d.Inserted, d.Deleted = d.Inserted+totals.Inserted, d.Deleted+totals.Deleted
		d.Unchanged, d.Unknown = d.Unchanged+totals.Unchanged, d.Unknown+totals.Unknown
		d.Found, d.Missing = d.Found+totals.Found, d.Missing+totals.Missing
	}
	d.Seconds += totals.Seconds
	if totals.Full {
		return pages.ErrFull
	}
	if err != nil || p.levels == nil {
		return err
	}
	seconds, lost, err := p.levels.Update()
	d.LevelSeconds, d.Lost = d.LevelSeconds+seconds, d.Lost+lost
	return err
}

// changeVertices adds and removes vertices. A removed vertex loses its edges, even if a later update adds it again.
func (p *paged) changeVertices(updates []pages.Update, d *pages.Done) (cuda.PagesTotals, error) {
	gone := make([]byte, len(p.there))
	for _, u := range updates {
		switch known := int(u.U) < len(p.there); {
		case !known && u.Kind == pages.AddVertex:
			d.Unknown++
		case !known || (p.there[u.U] == 1) == (u.Kind == pages.AddVertex):
			d.Unchanged++
		case u.Kind == pages.AddVertex:
			p.there[u.U] = 1
			d.Added++
		default:
			p.there[u.U], gone[u.U] = 0, 1
			d.Removed++
		}
	}
	totals, err := p.pages.Isolate(gone)
	return totals, errors.Join(err, p.pages.SetVertices(p.there))
}

// PagesFree returns the number of pages that no row uses.
func (p *paged) PagesFree() int { return p.pages.Unused() }

// Bytes returns the device memory of the graph, and of its free pages.
func (p *paged) Bytes() (all, free int64) { return p.pages.Bytes() }

// Rows returns the graph.
func (p *paged) Rows() (offsets []int64, columns []uint32, err error) { return p.pages.Read() }

// Levels returns the levels that Follow keeps up to date.
func (p *paged) Levels() ([]uint32, error) {
	words := make([]uint32, len(p.there))
	return words, cuda.Read(words, p.levels.Words(), 0)
}

// Searcher returns a machine that searches the graph in its pages, or graphs in rows.
func (p *paged) Searcher(inPages bool) (lab.Machine, error) {
	m := &laboratory{device: p.device, engines: &lab.Engines{}}
	if inPages {
		m.paged = p.pages
	}
	return m, nil
}

// Close frees all memory and the GPU.
func (p *paged) Close() (err error) {
	if p.levels != nil {
		err = p.levels.Free()
	}
	if p.pages != nil {
		err = errors.Join(err, p.pages.Free())
	}
	return errors.Join(err, p.device.Close())
}
