// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"g500/record"
)

// Plan is the set of measurements.
type Plan struct {
	Graphs
	Strategies []Strategy
	Output     string // "distance" or "parent" for the strategies that do not name one; "" for the default of each
	Sources    int
	Seed       uint64
	Validate   bool
	Trace      bool

	Most  time.Duration        // for the searches of a strategy on a graph, with their validation; 0 for no limit
	Clock func() time.Duration // for Most
	Least int                  // searches, even beyond Most
}

// Watcher shows progress.
type Watcher interface {
	Step(name string, total int64)
	Advance(done int64)
	Note(text string)
}

// Steps shows the progress of several strategies, each with the same number of searches, as one step.
type Steps struct {
	watch       Watcher
	name        string
	each        int
	done, total int64
}

// NewSteps begins a step.
func NewSteps(w Watcher, name string, strategies, each int) *Steps {
	s := &Steps{watch: w, name: name, each: each, total: int64(strategies) * int64(each)}
	w.Step(name, s.total)
	return s
}

// Next counts a search.
func (s *Steps) Next() {
	s.done++
	s.watch.Advance(s.done)
}

// Resume begins the step again after another one, with the searches that are left.
func (s *Steps) Resume() {
	s.total, s.done = s.total-s.done, 0
	s.watch.Step(s.name, s.total)
}

// Skip removes searches from the total.
func (s *Steps) Skip(searches int) {
	s.total -= int64(searches)
	s.watch.Step(s.name, s.total)
}

// LeaveOut removes the searches of a strategy from the total.
func (s *Steps) LeaveOut() { s.Skip(s.each) }

// Measure searches each graph from the same sources with each strategy, on the first machine that runs the strategy. A
// wrong result is no error: the report has it.
func Measure(ctx context.Context, p Plan, machines []Machine, w Watcher) (*Report, error) {
	r, err := ReportOf(ctx, p.Graphs, machines, w, func(g *Graph) (GraphFigures, error) {
		one := onGraph{Plan: p, machines: machines, watch: w, g: g}
		return one.measure(ctx)
	})
	if err != nil {
		return nil, err
	}
	r.Seed, r.Validated, r.Traced = p.Seed, p.Validate, p.Trace
	return r, nil
}

// onGraph is the measurement of one graph.
type onGraph struct {
	Plan
	machines []Machine
	watch    Watcher
	steps    *Steps
	g        *Graph
	sources  []uint32
	truths   []truth // of the first sources, made when a strategy needs them
	ref      *reference
}

func (s *onGraph) measure(ctx context.Context) (figures GraphFigures, err error) {
	s.sources = s.g.Sources(s.Sources, s.Seed)
	if len(s.sources) == 0 {
		return figures, fmt.Errorf("lab: no vertex of %s has an edge to another one: choose another graph", s.g.Name)
	}
	figures = FiguresOf(s.g)
	figures.Sources = s.sources
	var kept []uint32
	if slices.ContainsFunc(s.Strategies, func(s Strategy) bool { return s.Of(countKey) == keptEdges }) {
		kept = s.g.differentNeighbours(runtime.GOMAXPROCS(0))
	}
	s.ref = newReference(s.g, kept, runtime.GOMAXPROCS(0))
	s.steps = NewSteps(s.watch, s.g.Name+": searching", len(s.Strategies), len(s.sources))
	for _, strategy := range s.Strategies {
		if s.Output != "" && strategy.Of("output") == "" && strategy.Of(engineKey) == "" {
			strategy = strategy.with("output", s.Output)
		}
		row, err := s.run(ctx, strategy)
		if errors.Is(err, ErrLeftOut) {
			s.steps.LeaveOut()
		}
		if err := figures.Add(strategy.Name, row, err); err != nil {
			return figures, err
		}
	}
	return figures, nil
}

// FiguresOf returns the figures of a graph, without strategies.
func FiguresOf(g *Graph) GraphFigures {
	return GraphFigures{Graph: g.Name, Vertices: int64(g.Vertices()), Edges: int64(len(g.Columns)), Symmetric: g.Symmetric}
}

// Add adds the row of a strategy, or the reason if the error is ErrLeftOut. It returns any other error.
func (f *GraphFigures) Add(strategy string, row Row, err error) error {
	switch {
	case errors.Is(err, ErrLeftOut):
		f.LeftOut = append(f.LeftOut, LeftOut{strategy, ReasonOf(err)})
	case err != nil:
		return fmt.Errorf("%s on %s: %w", strategy, f.Graph, err)
	default:
		f.Rows = append(f.Rows, row)
	}
	return nil
}

// run searches from all sources with one strategy. It searches once before, without measuring, since the first search
// loads the kernels.
func (s *onGraph) run(ctx context.Context, strategy Strategy) (row Row, err error) {
	m, err := First(s.machines, func(m Machine) error { return m.Prepare(strategy) })
	if err != nil {
		return row, err
	}
	row = Row{Strategy: strategy, Machine: m.Name()}
	if _, err := m.Search(s.sources[0]); err != nil {
		return row, err
	}
	began := s.now()
	for i := range s.sources {
		if err := context.Cause(ctx); err != nil {
			return row, err
		}
		if s.Most > 0 && i >= s.Least && s.now()-began > s.Most {
			s.steps.Skip(len(s.sources) - i)
			break
		}
		ready := s.now()
		t, err := s.truth(ctx, i)
		if err != nil {
			return row, err
		}
		began += s.now() - ready
		measures, err := m.Search(t.source)
		if err != nil {
			return row, err
		}
		row.Machine = cmp.Or(measures.Machine, row.Machine)
		if row.Full = measures.Full; row.Full {
			s.watch.Note(fmt.Sprintf("%s: duplicates fill a queue of %s; enlarge it with edge_capacity=400 or "+
				"vertex_capacity=400 (percent)", s.g.Name, strategy.Name))
			s.steps.Skip(len(s.sources) - i)
			return row, nil
		}
		row.Searches = append(row.Searches, s.search(strategy, t, measures))
		if i == 0 {
			row.Shares = measures.Shares
		}
		if i == 0 && s.Trace {
			row.Levels = t.withFrontiers(measures.ByLevel)
		}
		if s.Validate && row.Fault == "" {
			if err := s.validate(&row, t, m); err != nil {
				return row, err
			}
		}
		s.steps.Next()
	}
	if row.Fault == "" {
		row.summarise()
	}
	return row, nil
}

// truth returns the result of the reference implementation from a source.
func (s *onGraph) truth(ctx context.Context, i int) (truth, error) {
	for n := len(s.truths); n <= i; n = len(s.truths) {
		s.watch.Step(s.g.Name+": searching with the reference implementation", 0)
		truths, err := s.ref.search(ctx, s.sources[n:min(n+together, len(s.sources))])
		if err != nil {
			return truth{}, err
		}
		s.truths = append(s.truths, truths...)
		s.steps.Resume()
	}
	return s.truths[i], nil
}

// now returns the time of the clock; 0 if there is no limit.
func (s *onGraph) now() time.Duration {
	if s.Most == 0 {
		return 0
	}
	return s.Clock()
}

// validate validates the last result of a machine.
func (s *onGraph) validate(row *Row, t truth, m Machine) error {
	result, err := m.Result()
	if errors.Is(err, ErrOnlyTimes) {
		row.OnlyTimes = true
		return nil
	}
	if err != nil {
		return err
	}
	if fault := t.validate(s.g, result, runtime.GOMAXPROCS(0)); fault != "" {
		row.Fault = fmt.Sprintf("source %d: %s", t.source, fault)
	}
	return nil
}

// search returns a search from the source of t.
func (s *onGraph) search(strategy Strategy, t truth, m Measures) Search {
	search := Search{Source: t.source, Reached: t.reached, DirectedEdges: t.edges, Levels: len(t.frontiers), Measures: m}
	edges := t.edges - t.loops
	if strategy.Of(countKey) == keptEdges {
		search.DirectedEdges, edges = t.kept, t.kept
	}
	if s.g.Symmetric {
		search.Edges = edges / 2
	}
	return search
}

// withFrontiers adds the frontiers of the reference search to levels.
func (t truth) withFrontiers(levels []Level) []Level {
	for i := range min(len(levels), len(t.frontiers)) {
		levels[i].FrontierVertices, levels[i].FrontierEdges = t.frontiers[i].vertices, t.frontiers[i].edges
	}
	return levels
}

// summarise computes the figures of a row from its searches.
func (r *Row) summarise() {
	var seconds, perEdge []float64
	var directed, reached float64
	sum, counted := Counts{}, true
	for _, s := range r.Searches {
		seconds = append(seconds, s.Seconds)
		if s.Edges > 0 {
			perEdge = append(perEdge, s.Seconds/float64(s.Edges))
		}
		directed += float64(s.DirectedEdges)
		reached += float64(s.Reached)
		if counted = s.Counts != nil; counted {
			sum.Launches += s.Launches
			sum.Inspected += s.Inspected
			sum.Repeated += s.Repeated
			sum.Queues = max(sum.Queues, s.Queues)
		}
	}
	r.SetTimes(seconds, func(i int) int64 { return r.Searches[i].DirectedEdges })
	if len(perEdge) > 0 {
		teps := record.RatesOf(perEdge)
		r.TEPS = &teps
	}
	if counted {
		r.Work = &Work{Launches: float64(sum.Launches) / float64(len(r.Searches)), QueueBytes: sum.Queues,
			InspectedShare: float64(sum.Inspected) / directed, RepeatedShare: float64(sum.Repeated) / reached}
	}
}

// SetTimes sets the time and the rate of a row from the seconds of each run and its number of directed edges.
func (r *Row) SetTimes(seconds []float64, edges func(i int) int64) {
	perEdge := make([]float64, len(seconds))
	for i, s := range seconds {
		perEdge[i] = s / float64(max(edges(i), 1))
	}
	summary, rates := record.SummaryOf(seconds), record.RatesOf(perEdge)
	r.Seconds, r.Directed = &summary, &rates
}
