package lab

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"g500/record"
)

// Plan is what is to be measured.
type Plan struct {
	Graphs     []string // names, which Load understands
	Load       func(ctx context.Context, name string) (*Graph, error)
	Strategies []Strategy
	Output     string // "distance" or "parent" for all strategies that leave the choice; "" for each strategy's own
	Sources    int
	Seed       uint64
	Validate   bool
	Trace      bool
}

// Watcher is told what goes on.
type Watcher interface {
	Step(name string, total int64)
	Advance(done int64)
	Note(text string)
}

// Measure has each strategy search each graph from the same sources. Machines are asked in order; the first that does
// not leave a strategy out searches by it. A fault of a result is no error: the report tells it.
func Measure(ctx context.Context, p Plan, machines []Machine, w Watcher) (*Report, error) {
	r := &Report{Seed: p.Seed, Validated: p.Validate}
	for _, m := range machines {
		if !slices.Contains(r.Machines, m.Name()) {
			r.Machines = append(r.Machines, m.Name())
		}
	}
	for _, name := range p.Graphs {
		g, err := p.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		one := onGraph{Plan: p, machines: machines, w: w, g: g}
		figures, err := one.measure(ctx)
		if err != nil {
			return nil, err
		}
		r.Graphs = append(r.Graphs, figures)
	}
	return r, nil
}

// onGraph is the measurement of one graph.
type onGraph struct {
	Plan
	machines []Machine
	w        Watcher
	g        *Graph
	truths   []truth
}

// mostTwins search at a time: each has a distance and a place in a queue for every vertex.
const mostTwins = 8

func (s *onGraph) measure(ctx context.Context) (figures GraphFigures, err error) {
	sources := s.g.Sources(s.Sources, s.Seed)
	if len(sources) == 0 {
		return figures, fmt.Errorf("lab: no vertex of %s has an edge to another one: choose another graph", s.g.Name)
	}
	figures = GraphFigures{Graph: s.g.Name, Vertices: int64(s.g.Vertices()), Edges: int64(len(s.g.Columns)),
		Symmetric: s.g.Symmetric, Sources: sources}
	for _, m := range s.machines {
		if err := m.Load(s.g); err != nil {
			return figures, err
		}
	}
	s.w.Step(s.g.Name+": searching with the reference implementation", 0)
	s.truths = make([]truth, len(sources))
	var group errgroup.Group
	group.SetLimit(min(runtime.GOMAXPROCS(0), mostTwins))
	for i, source := range sources {
		group.Go(func() error {
			s.truths[i] = truthOf(s.g, source)
			return context.Cause(ctx)
		})
	}
	if err := group.Wait(); err != nil {
		return figures, err
	}
	for _, strategy := range s.Strategies {
		if s.Output != "" && strategy.Of("output") == "" && strategy.Of(engineKey) == "" {
			strategy = strategy.with("output", s.Output)
		}
		row, err := s.run(ctx, strategy)
		if errors.Is(err, ErrLeftOut) {
			figures.LeftOut = append(figures.LeftOut, LeftOut{strategy.Name, ReasonOf(err)})
			continue
		}
		if err != nil {
			return figures, fmt.Errorf("%s on %s: %w", strategy.Name, s.g.Name, err)
		}
		figures.Rows = append(figures.Rows, row)
	}
	figures.Compare()
	return figures, nil
}

// ReasonOf is what stands behind ErrLeftOut.
func ReasonOf(err error) string {
	return strings.TrimPrefix(err.Error(), ErrLeftOut.Error()+": ")
}

// run searches from all sources by one strategy. The first search is done twice, and timed the second time: the first
// loads what later ones find loaded.
func (s *onGraph) run(ctx context.Context, strategy Strategy) (row Row, err error) {
	m, err := s.prepare(strategy)
	if err != nil {
		return row, err
	}
	s.w.Step(s.g.Name+": "+strategy.Name, int64(len(s.truths)))
	row = Row{Strategy: strategy, Machine: m.Name()}
	if _, err := m.Search(s.truths[0].source); err != nil {
		return row, err
	}
	for i, t := range s.truths {
		if err := context.Cause(ctx); err != nil {
			return row, err
		}
		measures, err := m.Search(t.source)
		if err != nil {
			return row, err
		}
		if measures.Full {
			row.Full = true
			s.w.Note(fmt.Sprintf("%s: duplicates fill a queue of %s; more room is edge_room or vertex_room=400, in percent",
				s.g.Name, strategy.Name))
			break
		}
		row.add(t, measures, s.g.Symmetric)
		if i == 0 {
			row.Shares = m.Shares()
		}
		if s.Trace && i == 0 {
			row.Levels = t.beside(m.Levels())
		}
		if s.Validate && row.Fault == "" {
			result, err := m.Result()
			if err != nil {
				return row, err
			}
			if fault := t.validate(s.g, result); fault != "" {
				row.Fault = fmt.Sprintf("source %d: %s", t.source, fault)
			}
		}
		s.w.Advance(int64(i + 1))
	}
	row.summarise()
	return row, nil
}

// beside puts the logical frontiers beside what a machine did in each level.
func (t truth) beside(levels []Level) []Level {
	for i := range levels {
		if i < len(t.frontiers) {
			levels[i].FrontierVertices, levels[i].FrontierEdges = t.frontiers[i].vertices, t.frontiers[i].edges
		}
	}
	return levels
}

// prepare finds the machine for a strategy.
func (s *onGraph) prepare(strategy Strategy) (Machine, error) {
	var reasons error
	for _, m := range s.machines {
		err := m.Prepare(strategy)
		if err == nil {
			return m, nil
		}
		if !errors.Is(err, ErrLeftOut) {
			return nil, err
		}
		if reasons == nil || errors.Is(reasons, ErrElsewhere) {
			reasons = err
		}
	}
	return nil, reasons
}

// add counts one search.
func (r *Row) add(t truth, m Measures, symmetric bool) {
	search := Search{Source: t.source, Seconds: m.Seconds, Reached: t.reached, DirectedEdges: t.edges,
		Levels: t.levels, Vertices: m.Vertices, Inspected: m.Edges, Repeated: m.Repeated, CacheHits: m.Hits,
		Launches: m.Launches}
	if symmetric {
		search.Edges = (t.edges - t.loops) / 2
	}
	r.Searches = append(r.Searches, search)
	r.QueueBytes = max(r.QueueBytes, m.Queues)
}

// summarise derives the figures of a row from its searches.
func (r *Row) summarise() {
	if r.Full || r.Fault != "" {
		return
	}
	var seconds, perDirected, perEdge []float64
	var sum Search
	for _, s := range r.Searches {
		seconds = append(seconds, s.Seconds)
		perDirected = append(perDirected, s.Seconds/float64(s.DirectedEdges))
		if s.Edges > 0 {
			perEdge = append(perEdge, s.Seconds/float64(s.Edges))
		}
		sum.Launches += s.Launches
		sum.Inspected += s.Inspected
		sum.DirectedEdges += s.DirectedEdges
		sum.Repeated += s.Repeated
		sum.Reached += s.Reached
	}
	summary, rates := record.SummaryOf(seconds), record.RatesOf(perDirected)
	r.Seconds, r.Directed = &summary, &rates
	if len(perEdge) > 0 {
		teps := record.RatesOf(perEdge)
		r.TEPS = &teps
	}
	r.Launches = float64(sum.Launches) / float64(len(r.Searches))
	r.InspectedShare = float64(sum.Inspected) / float64(sum.DirectedEdges)
	r.RepeatedShare = float64(sum.Repeated) / float64(sum.Reached)
}
