// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"

	"g500/bench"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/lists"
	"g500/internal/trace"
	"g500/policy"
)

// Options configure an engine, the same on all ranks.
type Options struct {
	cuda.SearchOptions       // New sets Sharers
	Known              int64 // number of labels that every rank stores
	kernel1.Options
}

// DefaultOptions are the options of a run that sets none.
func DefaultOptions() Options {
	search := cuda.SearchOptions{Exchange: "auto", Policy: policy.Default(), Bits: 64}
	return Options{SearchOptions: search, Known: policy.KnownLabels}
}

// Engine searches a graph that is distributed over the devices of all ranks.
type Engine struct {
	*kernel1.Graph
	t        device.Transport
	options  Options
	search   *cuda.Search
	window   *device.Window    // for writes of peers during a search
	labels   *device.Window    // the known labels; nil on one rank
	exposed  []*device.Window  // arrays of the graph that peers read; nil unless all ranks are peers
	deferred *kernel1.Exchange // looks up labels after a search; nil if no labels are deferred
}

// New is kernel 1.
func New(t device.Transport, given graph.Tuples, o Options) (*Engine, error) {
	e := &Engine{t: t, options: o}
	if err := e.construct(given); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) construct(given graph.Tuples) (err error) {
	if e.Graph, err = kernel1.Build(e.t, given, e.options.Options); err != nil {
		return err
	}
	if err := e.prepare(); err != nil {
		return err
	}
	return e.connect()
}

// prepare derives from the graph the arrays that a search reads.
func (e *Engine) prepare() error {
	err := e.check()
	if err == nil {
		e.options.Sharers = len(e.t.Sharers())
		e.search, err = e.NewSearch(e.options.SearchOptions)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	first := e.search.FirstNeighbours()
	return kernel1.LookUpLabels(e.t, e.Graph.Graph, first, e.NonIsolated(), first.Words)
}

var (
	_ bench.Noter    = (*Engine)(nil)
	_ engine.Counter = (*Engine)(nil) // by the graph
)

// Note implements bench.Noter.
func (e *Engine) Note() string { return bench.PackedNote(e.Packed(), e.Edges()) }

// check returns an error if the options do not fit the graph.
func (e *Engine) check() error {
	n, directed, exchange := e.NonLeaves(), e.Directed(), e.options.Exchange
	switch {
	case e.options.Bits == 32 && e.Vertices() > kernel1.MaxIDs32:
		return fmt.Errorf("gpu: label %d does not fit into a 32-bit parent: choose 64", e.Vertices()-1)
	case directed && exchange == "bitmap":
		return errors.New("gpu: levels of a directed graph are top-down, and with --exchange bitmap bottom-up: " +
			"use --exchange auto or bins")
	case directed && n >= kernel1.MostQueued:
		return fmt.Errorf("gpu: a rank has fewer than %d vertices of a directed graph, and this one has %d: use more ranks",
			kernel1.MostQueued, n)
	case exchange == "bins" && n >= kernel1.MostQueued:
		return fmt.Errorf("gpu: with --exchange bins a rank has fewer than %d vertices with two edges or more, "+
			"and this one has %d: use --exchange auto, or more ranks", kernel1.MostQueued, n)
	}
	return nil
}

var _ bench.Prelauncher = (*Engine)(nil)

// Prelaunch launches the kernel of the next search, which waits for its root.
func (e *Engine) Prelaunch() error { return e.search.Prelaunch() }

var _ bench.Abandoner = (*Engine)(nil)

// Abandon ends the running search.
func (e *Engine) Abandon() { e.search.End() }

// Search searches from root. The tree stays on the devices.
func (e *Engine) Search(root graph.Global) (engine.Result, error) {
	err := device.Abandoned(e.search.Run(uint64(root)))
	if err == nil && e.deferred != nil {
		err = e.lookUpDeferred()
	}
	if err == nil && e.deferred != nil {
		err = e.search.WriteResult(uint64(root))
	}
	return device.Result{Parents: e.search.Parents(), Vertices: e.Owned(), Bits: e.options.Bits}, err
}

// Close frees the graph and everything derived from it.
func (e *Engine) Close() error {
	var faults []error
	if e.search != nil {
		faults = append(faults, e.search.CancelPrelaunch()) // freeing memory waits for the kernel
	}
	faults = append(faults, e.deferred.Close(), e.window.Close(), e.labels.Close(), cuda.Free(e.search))
	faults = append(faults, lists.Of(e.exposed, (*device.Window).Close)...)
	return errors.Join(append(faults, e.Graph.Close())...)
}

// Trace returns the steps of the last search.
func (e *Engine) Trace() ([]trace.Step, error) { return e.search.Trace() }
