// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"g500/internal/lists"
	"g500/record"
)

// Plan is the set of measurements. Colourings have no seed and output, and are always validated.
type Plan struct {
	Graphs
	Strategies []Strategy
	Output     string // "distance" or "parent" for the strategies that do not name one; "" for the default of each
	Runs       int    // of each strategy: searches, each from another source, or colourings
	Seed       uint64 // of the sources
	Validate   bool
	Trace      bool
	Rounds     // one per run
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
	turns    []*Turn // in the order of the plan
}

func (s *onGraph) measure(ctx context.Context) (GraphFigures, error) {
	s.figures, s.truths = FiguresOf(s.g, s.Before), map[int][]truth{}
	s.figures.Sources = s.g.Sources(s.Runs, s.Seed)
	if len(s.figures.Sources) == 0 {
		return s.figures, fmt.Errorf("lab: no vertex of %s has an edge to another one: choose another graph", s.g.Name)
	}
	var kept []uint32
	if slices.ContainsFunc(s.Strategies, func(s Strategy) bool { return s.Of(countKey) == keptEdges }) {
		kept = s.g.count(isKept)
	}
	s.ref = newReference(s.g, kept)
	engines := []string{""}
	for _, strategy := range s.Strategies {
		engine := strategy.takesTurnsWith()
		lists.At(&engines, func(other string) bool { return other == engine }, engine)
	}
	s.turns = make([]*Turn, len(s.Strategies))
	for _, engine := range engines {
		if err := s.takeTurns(ctx, engine); err != nil {
			return s.soFar(), err
		}
	}
	return s.soFar(), nil
}

// takeTurns searches with the strategies of an engine; "" for strategies of papers and plugins.
func (s *onGraph) takeTurns(ctx context.Context, engine string) (err error) {
	t := Turns{Name: s.g.Name + ": searching", Engine: engine, To: len(s.figures.Sources), Figures: s.soFar,
		Begin: func(round int) error { return s.searchTruths(ctx, round/Batch) }, Record: s.record,
		Source: func(round int) uint32 { return s.figures.Sources[round] }}
	for i, strategy := range s.Strategies {
		if strategy.takesTurnsWith() != engine {
			continue
		}
		if s.Output != "" && strategy.Of("output") == "" && strategy.Of(engineKey) == "" {
			strategy = strategy.With("output", s.Output)
		}
		if s.turns[i], err = t.Start(&s.figures, s.Before, strategy, s.machines); err != nil {
			return err
		}
	}
	return s.Rounds.Run(ctx, &s.figures, s.watch, t)
}

// soFar returns the figures of the searches so far.
func (s *onGraph) soFar() GraphFigures { return s.figures.With(s.turns, (*Row).summarise) }

// FiguresOf returns the figures of a graph, with the times of an earlier measurement if it is not nil.
func FiguresOf(g *Graph, before *GraphFigures) GraphFigures {
	f := GraphFigures{Graph: g.Name, Vertices: int64(g.Vertices()), Edges: int64(len(g.Columns)), Symmetric: g.Symmetric}
	if before != nil {
		f.Took, f.OtherLoad, f.OtherGPU = slices.Clone(before.Took), before.OtherLoad, before.OtherGPU
	}
	return f
}

// record validates a search from the source of a round, and adds it to the row.
func (s *onGraph) record(turn *Turn, round int, measures Measures) error {
	row, t := turn.Row, s.truths[round/Batch][round%Batch]
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
	row.OnlyTimes = s.Validate && row.Strategy.Of(engineKey) == timesEngine
	if !s.Validate || row.OnlyTimes {
		return nil
	}
	result, err := turn.On.Result()
	if err != nil {
		return err
	}
	if fault := t.validate(s.g, result); fault != "" {
		row.Fault = fmt.Sprintf("source %d: %s", t.source, fault)
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

// summarise computes the figures of a row from its searches.
func (r *Row) summarise() {
	var seconds, perEdge []float64
	queues := int64(0)
	if r.Work != nil {
		queues = r.QueueBytes // of searches of an earlier call, too
	}
	for _, s := range r.Searches {
		seconds = append(seconds, s.Seconds)
		if s.Edges > 0 {
			perEdge = append(perEdge, s.Seconds/float64(s.Edges))
		}
		if s.Counts != nil {
			queues = max(queues, s.Queues)
		}
	}
	r.SetTimes(seconds, func(i int) int64 { return r.Searches[i].DirectedEdges })
	if len(perEdge) > 0 && r.Seconds != nil {
		teps := record.RatesOf(perEdge)
		r.TEPS = &teps
	}
	if slices.ContainsFunc(r.Searches, func(s Search) bool { return s.Counts == nil }) {
		return
	}
	sum := func(of func(Search) int64) float64 {
		return lists.Sum(r.Searches, func(s Search) float64 { return float64(of(s)) })
	}
	n, inspected := float64(len(seconds)), sum(func(s Search) int64 { return s.Inspected })
	r.Work = &Work{QueueBytes: queues,
		Launches:       sum(func(s Search) int64 { return s.Launches }) / n,
		Children:       sum(func(s Search) int64 { return s.Children }) / n,
		InspectedShare: inspected / sum(func(s Search) int64 { return s.DirectedEdges }),
		RepeatedShare:  sum(func(s Search) int64 { return s.Repeated }) / sum(func(s Search) int64 { return s.Reached }),
		HitShare:       sum(func(s Search) int64 { return s.CacheHits }) / max(inspected, 1)}
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
