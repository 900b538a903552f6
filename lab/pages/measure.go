// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"g500/lab"
)

// Layout is the size of pages, and the number of spare pages after a load.
type Layout struct{ PageBytes, Spare int }

// Done has the effects of a batch, the time until the new graph was complete, and the time for updating the levels.
type Done struct {
	Tally        `json:"tally"`
	Seconds      float64 `json:"seconds"`
	LevelSeconds float64 `json:"level_seconds,omitempty"`
	Lost         int64   `json:"levels_lost,omitempty"` // vertices that lost their level, also temporarily
}

// Plan is the set of measurements.
type Plan struct {
	lab.Graphs // one
	Layout
	Batch      func(reference *Graph, number int) []Update // returns nil after the last batch; edges in one direction
	Strategies []lab.Strategy                              // of searches after all batches, on pages and on rows
	Sources    int
	Seed       uint64
	Clock      func() time.Duration // of batches without a GPU
}

// Report has the figures of all batches and searches.
type Report struct {
	Machine   string            `json:"machine"`
	Graph     string            `json:"graph"`
	Vertices  int               `json:"vertices"`
	Edges     int               `json:"directed_edges"`
	PageBytes int               `json:"page_bytes"`
	PagesFree int               `json:"pages_free"` // before the batches
	Bytes     int64             `json:"pages_bytes"`
	FreeBytes int64             `json:"free_pages_bytes"` // of these
	RowsBytes int64             `json:"rows_bytes"`       // of the same graph in compressed sparse rows
	Batches   []BatchReport     `json:"batches"`
	LeftOut   string            `json:"left_out,omitempty"` // why there are no levels and searches
	Pages     *lab.GraphFigures `json:"searches_on_pages,omitempty"`
	Rows      *lab.GraphFigures `json:"searches_on_rows,omitempty"`
	Scratch   float64           `json:"search_seconds,omitempty"` // mean of the fastest strategy on pages
}

// BatchReport has the figures of a batch.
type BatchReport struct {
	Updates   int `json:"updates"`
	PagesFree int `json:"pages_free"`
	Done
}

// Measure applies all batches on a GPU and then searches. A reference on a CPU applies them too; a difference is an
// error. Without a GPU, which is nil, only the reference does. If the graph is symmetric, a batch changes every edge in
// both directions, and levels are followed. The report is nil if the graph could not be loaded.
func Measure(ctx context.Context, p Plan, on *lab.Child, w lab.Watcher) (r *Report, err error) {
	var gpu *GPU
	reference := NewGraph(p.Layout)
	machines := []lab.Loader{reference}
	if on != nil {
		gpu = &GPU{Child: on, Layout: p.Layout}
		machines = append(machines, gpu)
		reference.watch = func(done int) { w.Advance(int64(done)) }
	}
	err = lab.EachGraph(ctx, p.Graphs, machines, w, func(g *lab.Graph) error {
		one := measurement{Plan: p, gpu: gpu, reference: reference, watch: w, graph: g}
		r = &one.Report
		err := one.prepare(machines[len(machines)-1])
		if err == nil {
			err = one.batches(ctx)
		}
		if err == nil && one.LeftOut == "" && len(p.Strategies) > 0 {
			err = one.searches(ctx)
		}
		return err
	})
	return r, err
}

type measurement struct {
	Plan
	Report
	graph     *lab.Graph
	gpu       *GPU
	reference *Graph
	root      uint32 // of levels
	watch     lab.Watcher
}

// prepare begins the report on a machine, and follows levels if it can.
func (o *measurement) prepare(on lab.Loader) error {
	g := o.graph
	o.Report = Report{Machine: on.Name(), Graph: g.Name, Vertices: g.Vertices(), Edges: len(g.Columns),
		PageBytes: o.Layout.PageBytes, PagesFree: o.reference.PagesFree()}
	o.Bytes, o.FreeBytes = on.(interface{ Bytes() (all, free int64) }).Bytes()
	o.RowsBytes = int64(8*len(g.Offsets) + 4*len(g.Columns))
	sources := g.Sources(1, o.Seed)
	switch {
	case len(sources) == 0 || !g.Symmetric:
		o.LeftOut = "only an undirected graph with edges has levels to follow and is searched"
	case o.gpu == nil:
		o.LeftOut = lab.ReasonOf(lab.ErrElsewhere)
	default:
		o.root = sources[0]
		return o.gpu.Follow(o.root)
	}
	return nil
}

func (o *measurement) batches(ctx context.Context) error {
	for number := 0; ; number++ {
		updates := o.Batch(o.reference, number)
		if updates == nil {
			break
		}
		if o.graph.Symmetric {
			updates = bothWays(updates)
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		o.watch.Step(fmt.Sprintf("batch %d", number+1), 2*int64(len(updates)))
		if err := o.apply(updates); err != nil {
			return fmt.Errorf("batch %d: %w", number+1, err)
		}
		o.watch.Advance(2 * int64(len(updates)))
	}
	o.watch.Step("checking the graph", 1)
	return o.compareRows()
}

// apply applies a batch to the reference and on the GPU, and compares the effects and the levels.
func (o *measurement) apply(updates []Update) (err error) {
	var done Done
	began := o.Clock()
	done.Tally, err = o.reference.Apply(updates)
	done.Seconds = (o.Clock() - began).Seconds()
	if want, wantErr := done.Tally, err; o.gpu != nil {
		if done, err = o.gpu.Apply(updates); (err == nil) != (wantErr == nil) {
			return fmt.Errorf("%s returns %v, and the reference on a CPU %v", o.gpu.Name(), err, wantErr)
		}
		if err == nil && (done.Tally != want || o.gpu.PagesFree() != o.reference.PagesFree()) {
			return fmt.Errorf("WRONG: %+v with %d pages free, and the reference on a CPU has %+v and %d", done.Tally,
				o.gpu.PagesFree(), want, o.reference.PagesFree())
		}
	}
	if err != nil {
		return err
	}
	o.Report.Batches = append(o.Report.Batches, BatchReport{len(updates), o.reference.PagesFree(), done})
	if o.LeftOut != "" {
		return nil
	}
	levels, err := o.gpu.Levels()
	if err == nil && !slices.Equal(levels, o.rows().Distances(o.root)) {
		err = errors.New("WRONG: the followed levels differ from a search on a CPU")
	}
	return err
}

// rows returns the graph of the reference.
func (o *measurement) rows() *lab.Graph {
	g, _ := o.reference.Rows()
	g.Name, g.Symmetric = o.graph.Name, true
	return g
}

func (o *measurement) compareRows() error {
	if o.gpu == nil {
		return nil
	}
	got, err := o.gpu.Rows()
	want := o.rows()
	if err == nil && (!slices.Equal(got.Offsets, want.Offsets) || !slices.Equal(got.Columns, want.Columns)) {
		err = errors.New("WRONG: the graph after the batches differs from the reference on a CPU")
	}
	return err
}

// searches searches the graph after the batches in its pages, and then in rows.
func (o *measurement) searches(ctx context.Context) (err error) {
	inPages, inRows := o.rows(), &lab.Child{Program: o.gpu.Program, On: o.gpu.On, Output: o.gpu.Output}
	inPages.InProcess = true
	defer inRows.Close()
	if err = o.gpu.Ask(nil, "pages search"); err != nil {
		return err
	}
	if o.Pages, err = o.search(ctx, o.gpu.Child, inPages); err != nil {
		return err
	}
	for _, row := range o.Pages.Rows {
		if s := row.Seconds; s != nil && (o.Scratch == 0 || s.Mean < o.Scratch) {
			o.Scratch = s.Mean
		}
	}
	o.Rows, err = o.search(ctx, inRows, o.rows())
	return err
}

func (o *measurement) search(ctx context.Context, m lab.Machine, g *lab.Graph) (f *lab.GraphFigures, err error) {
	plan := lab.Plan{Graphs: lab.GraphsOf(g), Strategies: o.Strategies, Runs: o.Sources, Seed: o.Seed, Validate: true}
	r, err := lab.Measure(ctx, plan, []lab.Machine{m}, o.watch)
	if err != nil {
		return nil, err
	}
	f = &r.Graphs[0]
	for _, row := range f.Rows {
		if row.Fault != "" {
			err = errors.Join(err, fmt.Errorf("WRONG: %s: %s", row.Strategy.Name, row.Fault))
		}
	}
	return f, err
}
