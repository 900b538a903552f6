// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
	Rounds     // one per source
}

// Watcher shows progress.
type Watcher interface {
	Step(name string, total int64)
	Advance(done int64)
	Note(text string)
}

// Measure searches each graph from the same sources with each strategy, on the first machine that runs the strategy. A
// wrong result is no error: the report has it. Strategies of papers take turns; then those of each engine of this
// project do, whose structure is constructed once. With ErrUnfinished and after a signal, the report has the figures so
// far.
func Measure(ctx context.Context, p Plan, machines []Machine, w Watcher) (*Report, error) {
	r, err := ReportOf(ctx, p.Graphs, machines, w, func(g *Graph) (GraphFigures, error) {
		one := onGraph{Plan: p, machines: machines, watch: w, g: g}
		return one.measure(ctx)
	})
	r.Seed, r.Validated, r.Traced = p.Seed, p.Validate, p.Trace
	return r, err
}

// onGraph is the measurement of one graph.
type onGraph struct {
	Plan
	machines []Machine
	watch    Watcher
	g        *Graph
	figures  GraphFigures    // without rows
	truths   map[int][]truth // by batch, made when a strategy needs them
	ref      *reference
	rows     []*running // in the order of the plan
}

// running is a strategy during its measurement.
type running struct {
	*Row
	machine Machine
	short   bool // searches, of which each follows an untimed one
	left    bool // out, after the first search
}

func (s *onGraph) measure(ctx context.Context) (GraphFigures, error) {
	s.figures, s.truths = FiguresOf(s.g, s.Before), map[int][]truth{}
	s.figures.Sources = s.g.Sources(s.Sources, s.Seed)
	if len(s.figures.Sources) == 0 {
		return s.figures, fmt.Errorf("lab: no vertex of %s has an edge to another one: choose another graph", s.g.Name)
	}
	var kept []uint32
	if slices.ContainsFunc(s.Strategies, func(s Strategy) bool { return s.Of(countKey) == keptEdges }) {
		kept = s.g.differentNeighbours()
	}
	s.ref = newReference(s.g, kept)
	engines := []string{""}
	for i, strategy := range s.Strategies {
		engine := strategy.takesTurnsWith()
		if s.Output != "" && strategy.Of("output") == "" && strategy.Of(engineKey) == "" {
			s.Strategies = slices.Clone(s.Strategies)
			s.Strategies[i] = strategy.with("output", s.Output)
		}
		if !slices.Contains(engines, engine) {
			engines = append(engines, engine)
		}
	}
	s.rows = make([]*running, len(s.Strategies))
	for _, engine := range engines {
		if err := s.takeTurns(ctx, engine); err != nil {
			return s.soFar(), err
		}
	}
	return s.soFar(), nil
}

// takeTurns searches with the strategies of an engine; "" for strategies of papers and plugins.
func (s *onGraph) takeTurns(ctx context.Context, engine string) error {
	var all []*running
	t := Turns{Name: s.g.Name + ": searching", Engine: engine, To: len(s.figures.Sources), Figures: s.soFar}
	for i, strategy := range s.Strategies {
		if strategy.takesTurnsWith() != engine {
			continue
		}
		short := false
		row, m, err := Start(&s.figures, s.Before, strategy, s.machines, func(m Machine) error {
			err := m.Prepare(strategy)
			if err == nil {
				short, err = Warm(func() (float64, error) {
					first, err := m.Search(s.figures.Sources[0])
					return first.Seconds, err
				})
			}
			return err
		})
		if err != nil {
			return err
		}
		if row != nil {
			s.rows[i] = &running{Row: row, machine: m, short: short}
			all, t.Rows = append(all, s.rows[i]), append(t.Rows, row)
		}
	}
	t.Prepare = func(round int) error { return s.searchTruths(ctx, round/Batch) }
	t.Run = func(round, i int) error {
		err := all[i].Failed(s.search(all[i], s.truths[round/Batch][round%Batch]))
		all[i].left = all[i].left || err != nil
		return s.figures.LeaveOut(all[i].Strategy.Name, err)
	}
	return s.Rounds.Run(ctx, &s.figures, s.watch, t)
}

// soFar returns the figures of the searches so far.
func (s *onGraph) soFar() GraphFigures {
	f := s.figures
	for _, one := range s.rows {
		if one != nil && !one.left {
			one.summarise()
			f.Rows = append(f.Rows, *one.Row)
		}
	}
	return f
}

// FiguresOf returns the figures of a graph, with the times of an earlier measurement if it is not nil.
func FiguresOf(g *Graph, before *GraphFigures) GraphFigures {
	f := GraphFigures{Graph: g.Name, Vertices: int64(g.Vertices()), Edges: int64(len(g.Columns)), Symmetric: g.Symmetric}
	if before != nil {
		f.Took, f.OtherLoad, f.OtherGPU = slices.Clone(before.Took), before.OtherLoad, before.OtherGPU
	}
	return f
}

// LeaveOut adds the reason why a strategy is left out if the error is ErrLeftOut. It returns any other error.
func (f *GraphFigures) LeaveOut(strategy string, err error) error {
	if errors.Is(err, ErrLeftOut) {
		f.LeftOut = append(f.LeftOut, LeftOut{strategy, ReasonOf(err)})
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s on %s: %w", strategy, f.Graph, err)
	}
	return nil
}

// Start returns the row of a strategy, with its earlier runs, and the first machine on which try succeeds. It runs the
// strategy once without measuring, since that loads kernels. The row is nil if the strategy is left out.
func Start[M Loader](f, before *GraphFigures, s Strategy, all []M, try func(M) error) (*Row, M, error) {
	m, err := First(all, try)
	row := &Row{Strategy: s, Machine: m.Name()}
	if old := before.Row(s.Name); old != nil {
		*row = *old
	}
	if err = row.Failed(err); errors.Is(err, ErrLeftOut) {
		row = nil
	}
	return row, m, f.LeaveOut(s.Name, err)
}

// Failed makes ErrFailed a fault of the row, and returns any other error.
func (r *Row) Failed(err error) error {
	if errors.Is(err, ErrFailed) {
		r.Fault = err.Error()
		return nil
	}
	return err
}

// search searches from the source of a truth, unless an earlier search of the row ended it.
func (s *onGraph) search(one *running, t truth) error {
	if one.Ended() || one.left {
		return nil
	}
	m, row := one.machine, one.Row
	if err := m.Prepare(row.Strategy); err != nil {
		return err
	}
	if one.short {
		if _, err := m.Search(t.source); err != nil {
			return err
		}
	}
	measures, err := m.Search(t.source)
	if err != nil {
		return err
	}
	row.Machine = cmp.Or(measures.Machine, row.Machine)
	if row.Full = measures.Full; row.Full {
		s.watch.Note(fmt.Sprintf("%s: duplicates fill a queue of %s; enlarge it with edge_capacity=400 or "+
			"vertex_capacity=400 (percent)", s.g.Name, row.Strategy.Name))
		return nil
	}
	row.Searches = append(row.Searches, s.measured(row.Strategy, t, measures))
	if len(row.Searches) == 1 {
		row.Shares = measures.Shares
		if s.Trace {
			row.Levels = t.withFrontiers(measures.ByLevel)
		}
	}
	if s.Validate {
		return s.validate(row, t, m)
	}
	return nil
}

// searchTruths searches from the sources of a batch with the reference implementation.
func (s *onGraph) searchTruths(ctx context.Context, batch int) (err error) {
	if s.truths[batch] == nil {
		s.watch.Step(s.g.Name+": searching with the reference implementation", 0)
		sources := s.figures.Sources[batch*Batch:]
		s.truths[batch], err = s.ref.search(ctx, sources[:min(Batch, len(sources))])
	}
	return err
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
	if fault := t.validate(s.g, result); fault != "" {
		row.Fault = fmt.Sprintf("source %d: %s", t.source, fault)
	}
	return nil
}

// measured returns a search from the source of t.
func (s *onGraph) measured(strategy Strategy, t truth, m Measures) Search {
	turned := slices.IndexFunc(m.ByLevel, func(l Level) bool { return l.BottomUp })
	if turned >= 0 && m.Counts != nil {
		m.Counts.Switched = float64(m.ByLevel[turned].Vertices) / float64(s.g.Vertices())
	}
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

// Ended reports whether a row has no more searches or runs.
func (r *Row) Ended() bool { return r.Full || r.Fault != "" }

// summarise computes the figures of a row from its searches, unless a search ended it.
func (r *Row) summarise() {
	if r.Ended() || len(r.Searches) == 0 {
		r.Seconds, r.Directed, r.TEPS, r.Work = nil, nil, nil, nil
		return
	}
	var seconds, perEdge []float64
	var directed, reached float64
	sum, counted := Counts{}, true
	if r.Work != nil {
		sum.Queues = r.QueueBytes // of searches of an earlier call, too
	}
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
			sum.Children += s.Children
			sum.CacheHits += s.CacheHits
			sum.Queues = max(sum.Queues, s.Queues)
		}
	}
	r.SetTimes(seconds, func(i int) int64 { return r.Searches[i].DirectedEdges })
	if len(perEdge) > 0 && r.Seconds != nil {
		teps := record.RatesOf(perEdge)
		r.TEPS = &teps
	}
	if counted {
		r.Work = &Work{Launches: float64(sum.Launches) / float64(len(r.Searches)), QueueBytes: sum.Queues,
			InspectedShare: float64(sum.Inspected) / directed, RepeatedShare: float64(sum.Repeated) / reached,
			Children: float64(sum.Children) / float64(len(r.Searches)),
			HitShare: float64(sum.CacheHits) / float64(max(sum.Inspected, 1))}
	}
}

// SetTimes sets the time and the rate of a row from the seconds of each run and its number of directed edges, unless
// the machine only counts.
func (r *Row) SetTimes(seconds []float64, edges func(i int) int64) {
	if seconds[0] == 0 {
		return
	}
	perEdge := make([]float64, len(seconds))
	for i, s := range seconds {
		perEdge[i] = s / float64(max(edges(i), 1))
	}
	summary, rates := record.SummaryOf(seconds), record.RatesOf(perEdge)
	r.Seconds, r.Directed = &summary, &rates
}
