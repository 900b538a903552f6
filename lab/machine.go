// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/internal/lists"
	"g500/internal/trace"
)

// Loader is a GPU or the CPU cores of this machine. It holds one graph at a time.
type Loader interface {
	Name() string // for reports
	Load(g *Graph) error
	Close() error
}

// Machine searches or colours a graph with strategies, one at a time.
type Machine interface {
	Loader
	// Prepare allocates memory for runs of a strategy. An error that wraps ErrLeftOut, also of Run, has the reason why
	// the machine cannot run it.
	Prepare(s Strategy) error
	// Run searches from a vertex, or colours, and measures the time.
	Run(source uint32) (Measures, error)
	// Result returns the result of the last run, until the next call.
	Result() (Result, error)
}

// ErrLeftOut is wrapped by the reasons why a machine does not run a strategy.
var ErrLeftOut = errors.New("left out")

// ErrElsewhere is the ErrLeftOut of a machine that runs no strategy of this kind. All programs have CPU cores, so a
// strategy without another reason needs a GPU.
var ErrElsewhere = fmt.Errorf("%w: it needs a GPU, and a program that is built with CUDA", ErrLeftOut)

// ReasonOf returns the text that follows ErrLeftOut in an error.
func ReasonOf(err error) string {
	return strings.TrimPrefix(err.Error(), ErrLeftOut.Error()+": ")
}

// OwnStrategies returns the strategies that machines bring, in addition to the rows of tables.
func OwnStrategies(machines []Machine) (all []Strategy) {
	for _, m := range machines {
		if own, has := m.(interface{ Strategies() []Strategy }); has {
			all = append(all, own.Strategies()...)
		}
	}
	return all
}

// First returns the first machine on which try succeeds. It stops at an error other than ErrLeftOut. If all machines
// leave the work out, it returns the first reason, or if possible the first one that is not ErrElsewhere.
func First(machines []Machine, try func(Machine) error) (m Machine, err error) {
	var reason error
	for _, m = range machines {
		if err := try(m); err == nil || !errors.Is(err, ErrLeftOut) {
			return m, err
		} else if reason == nil || errors.Is(reason, ErrElsewhere) {
			reason = err
		}
	}
	return m, reason
}

// EachGraph makes each graph, loads it on all machines in order, and measures it.
func EachGraph[M Loader](ctx context.Context, graphs Graphs, machines []M, w Watcher,
	measure func(*Graph) error) error {
	for _, name := range graphs.Names {
		w.Step(name+": reading or generating", 0)
		g, err := graphs.Load(ctx, name)
		if err != nil {
			return err
		}
		w.Step(name+": copying to the machines", 0)
		for _, m := range machines {
			if err := m.Load(g); err != nil {
				return err
			}
		}
		if err := measure(g); err != nil {
			return err
		}
	}
	return nil
}

// ReportOf returns the report on all graphs, of which measure returns the figures. It ends with the graph whose figures
// come with an error.
func ReportOf[M Loader](ctx context.Context, graphs Graphs, machines []M, w Watcher,
	measure func(*Graph) (GraphFigures, error)) (*Report, error) {
	r := &Report{Machines: slices.Compact(lists.Of(machines, M.Name))} // a GPU has two, one after the other
	err := EachGraph(ctx, graphs, machines, w, func(g *Graph) error {
		figures, err := measure(g)
		figures.compare()
		r.Graphs = append(r.Graphs, figures)
		return err
	})
	return r, err
}

// None means no vertex, or no distance.
const None = ^uint32(0)

// Result has an entry per vertex: its distance from the source, or its parent, None if it was not reached; or its
// colour, from 1 on. The other arrays are nil.
type Result struct{ Distances, Parents, Colors []uint32 }

// Measures are the figures of one search or colouring.
type Measures struct {
	Seconds float64 `json:"seconds"` // from the source to the result in the machine's memory; 0 if only counted
	*Counts         // nil if the machine does not count
	Machine string  `json:"-"` // that searched, if it is not the machine with the measures
	Full    bool    `json:"-"` // duplicates filled a queue: there is no result
	ByLevel []Level `json:"-"` // nil if the machine has no levels
	Shares  []Share `json:"-"` // nil if the graph is not partitioned

	Coloring ColoringRun `json:"-"` // its rounds and conflicts
}

// Counts are the operations of one search, and its memory.
type Counts struct {
	Vertices  int64 `json:"expanded_vertices"` // top-down, including duplicates
	Inspected int64 `json:"inspected_edges"`
	Repeated  int64 `json:"repeated_vertices"`  // expanded more than once
	CacheHits int64 `json:"cache_hits"`         // inspected neighbours found in the hub cache
	Children  int64 `json:"children,omitempty"` // kernels that threads launched for rows
	Launches  int64 `json:"launches"`           // of kernels, with children
	Queues    int64 `json:"-"`                  // bytes of queues and lookup tables, without graph and result

	// Share of all vertices in the queue when the search turned bottom-up; 0: it did not.
	Switched float64 `json:"switched_share,omitempty"`
}

// Share is the work of one GPU on its part of a partitioned graph.
type Share struct {
	GPU      int   `json:"gpu"`      // its number; several shares can be on one GPU
	Vertices int64 `json:"vertices"` // expanded, including duplicates
	Edges    int64 `json:"edges"`    // inspected
	Filtered int64 `json:"filtered"` // of these, the duplicates that the GPU found by itself
	Pulled   int64 `json:"pulled"`   // bytes read from other shares
}

// Level is the work of one level of a search.
type Level struct {
	BottomUp bool    `json:"bottom_up"`
	Vertices int64   `json:"vertices"` // expanded, including duplicates; bottom-up: vertices that looked for a parent
	Edges    int64   `json:"edges"`    // inspected
	Launches int64   `json:"launches"` // 0 if the loop over levels is on the device
	Seconds  float64 `json:"seconds"`

	FrontierVertices int64 `json:"frontier_vertices"` // in the frontier, without duplicates
	FrontierEdges    int64 `json:"frontier_edges"`    // that leave the frontier
}

// Direction returns the name of the direction.
func (l Level) Direction() string {
	if l.BottomUp {
		return trace.BottomUpStep
	}
	return trace.TopDownStep
}
