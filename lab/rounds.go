// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"g500/internal/lists"
	"g500/internal/machine"
)

// Rounds are rules by which strategies take turns: each runs once per round, so that drift of the machine and the load
// of other programs affect all of them. Each round begins with another strategy.
type Rounds struct {
	Least  int                       // rounds that Enough and Most do not prevent
	Enough func(f GraphFigures) bool // reports whether the figures need no more rounds; nil: never
	Most   time.Duration             // for the rounds of a graph, on average by strategy; 0: no limit
	Until  time.Duration             // of Clock, at which Measure returns ErrUnfinished; 0: no limit
	Clock  func() time.Duration      // nil without Most and Until
	Before *GraphFigures             // of an earlier call that was unfinished, to which rounds are added; or nil
}

// ErrUnfinished is the error of a measurement that reached Rounds.Until. Its figures are of complete rounds.
var ErrUnfinished = errors.New("lab: the time limit was reached")

// Batch is the number of rounds between two looks at Enough.
const Batch = together

// Turns are strategies that take turns on a graph.
type Turns struct {
	Name    string                                     // of the step, for the watcher
	Engine  string                                     // for GraphFigures.Took
	To      int                                        // rounds, with earlier ones
	Source  func(round int) uint32                     // of searches
	Begin   func(round int) error                      // called before each batch
	Record  func(t *Turn, round int, m Measures) error // adds a run to its row
	Figures func() GraphFigures                        // of the rounds so far
	All     []*Turn                                    // of the strategies
}

// Turn is a strategy with its row on a machine.
type Turn struct {
	*Row
	By    Strategy // with all its settings
	On    Machine
	short bool // its runs are short: each follows an untimed one
	left  bool // it was left out
}

// Start adds the turn of a strategy on the first machine that runs it, with its earlier runs, and returns it; nil if
// the strategy is left out.
func (t *Turns) Start(f, before *GraphFigures, s Strategy, all []Machine) (*Turn, error) {
	one := &Turn{Row: &Row{Strategy: s}, By: s}
	var err error
	one.On, err = First(all, func(m Machine) error {
		one.On = m
		return t.warm(one)
	})
	one.Machine = one.On.Name()
	if old := before.Row(s.Name); old != nil {
		*one.Row = *old
	}
	if err = one.failed(err); err != nil {
		return nil, f.leaveOut(s.Name, err)
	}
	t.All = append(t.All, one)
	return one, nil
}

// warm runs a strategy untimed, and finds whether its runs are so short that they depend on what ran before. A search
// of 3.6 ms on an H200 took 7% longer if the search before it had used other memory. Such strategies run untimed, too,
// before each turn, so that all turns begin alike. The first run loads kernels, so a long one is run again. Runs
// without a time have 0 s, and need none.
func (t *Turns) warm(one *Turn) error {
	const short = 0.02
	var m Measures
	err := one.On.Prepare(one.By)
	for runs := 0; err == nil && (runs == 0 || runs == 1 && m.Seconds >= short); runs++ {
		m, err = one.On.Run(t.Source(0))
	}
	one.short = 0 < m.Seconds && m.Seconds < short
	return err
}

// take runs a strategy, unless an earlier run ended it.
func (t *Turns) take(one *Turn, round int) error {
	if one.Ended() || one.left {
		return nil
	}
	var m Measures
	err := one.On.Prepare(one.By)
	if err == nil && one.short {
		_, err = one.On.Run(t.Source(round))
	}
	if err == nil {
		m, err = one.On.Run(t.Source(round))
	}
	if err == nil {
		err = t.Record(one, round, m)
	}
	one.left = errors.Is(err, ErrLeftOut)
	return one.failed(err)
}

// failed makes ErrFailed a fault of the row, and returns any other error.
func (r *Row) failed(err error) error {
	if errors.Is(err, ErrFailed) {
		r.Fault = err.Error()
		return nil
	}
	return err
}

// leaveOut adds the reason why a strategy is left out if the error is ErrLeftOut. It returns any other error.
func (f *GraphFigures) leaveOut(strategy string, err error) error {
	if errors.Is(err, ErrLeftOut) {
		f.LeftOut = append(f.LeftOut, LeftOut{strategy, ReasonOf(err)})
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s on %s: %w", strategy, f.Graph, err)
	}
	return nil
}

// With returns the figures with the rows of turns, nil ones omitted. summarise computes the figures of a row that has
// runs, and that no run ended.
func (f GraphFigures) With(turns []*Turn, summarise func(*Row)) GraphFigures {
	for _, t := range turns {
		if t == nil || t.left {
			continue
		}
		if t.Ended() || t.runs() == 0 {
			t.Seconds, t.Directed, t.TEPS, t.Work = nil, nil, nil, nil
		} else {
			summarise(t.Row)
		}
		f.Rows = append(f.Rows, *t.Row)
	}
	return f
}

// Run runs rounds, and adds their time and the load of other programs to the figures.
func (r Rounds) Run(ctx context.Context, f *GraphFigures, w Watcher, t Turns) error {
	if len(t.All) == 0 {
		return nil
	}
	took := &Took{}
	if r.Clock == nil {
		r.Clock = func() time.Duration { return 0 }
	} else {
		took = lists.At(&f.Took, func(other Took) bool { return other.Engine == t.Engine }, Took{Engine: t.Engine})
	}
	usage := machine.Here.BeginUsage()
	defer func() { f.OtherLoad = max(f.OtherLoad, usage.Others()) }()
	from := t.complete()
	begin := from
	for round := from; round < t.To; round++ {
		if t.over() || round >= r.Least && r.ends(took.Seconds, round, t) {
			return nil
		}
		if r.Until > 0 && r.Clock() >= r.Until {
			return ErrUnfinished
		}
		if round%Batch == 0 || round == from {
			if err := t.Begin(round); err != nil {
				return err
			}
			begin = round
			w.Step(t.Name, int64(t.To-begin))
		}
		began := r.Clock()
		for i := range t.All {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			turn := t.All[(round+i)%len(t.All)]
			if err := f.leaveOut(turn.Strategy.Name, t.take(turn, round)); err != nil {
				return err
			}
		}
		took.Seconds += (r.Clock() - began).Seconds()
		w.Advance(int64(round + 1 - begin))
	}
	return nil
}

// over reports whether no strategy can go on.
func (t Turns) over() bool {
	return !slices.ContainsFunc(t.All, func(one *Turn) bool { return !one.Ended() && !one.left })
}

// complete returns the number of rounds that all rows have which can go on, or all without one. It removes later ones,
// which an interrupted call has left.
func (t Turns) complete() int {
	from := t.To
	for _, r := range t.All {
		if !r.Ended() {
			from = min(from, r.runs())
		}
	}
	for _, r := range t.All {
		r.Searches = r.Searches[:min(from, len(r.Searches))]
		if r.Coloring != nil {
			r.Coloring.Runs = r.Coloring.Runs[:min(from, len(r.Coloring.Runs))]
		}
	}
	return from
}

// runs returns the number of searches or colourings.
func (r *Row) runs() int {
	if r.Coloring != nil {
		return len(r.Coloring.Runs)
	}
	return len(r.Searches)
}

// ends reports whether the rounds end after some that took this many seconds.
func (r Rounds) ends(took float64, round int, t Turns) bool {
	return r.Most > 0 && took > r.Most.Seconds()*float64(len(t.All)) ||
		r.Enough != nil && round%Batch == 0 && r.Enough(t.Figures())
}
