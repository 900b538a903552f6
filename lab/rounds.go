// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"time"

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

// Warm runs a strategy untimed, and reports whether its runs are so short that they depend on what ran before. A search
// of 3.6 ms on an H200 took 7% longer if the search before it had used other memory. Such strategies run untimed, too,
// before each turn, so that all turns begin alike. The first run loads kernels, so a long one is run again. Runs
// without a time have 0 s, and need none.
func Warm(run func() (seconds float64, err error)) (isShort bool, err error) {
	const short = 0.02
	seconds, err := run()
	if err == nil && seconds >= short {
		seconds, err = run()
	}
	return 0 < seconds && seconds < short, err
}

// Batch is the number of rounds between two looks at Enough.
const Batch = together

// Turns are strategies that take turns on a graph, with indices from 0.
type Turns struct {
	Name    string                          // of the step, for the watcher
	Engine  string                          // for GraphFigures.Took
	To      int                             // rounds, with earlier ones
	Rows    []*Row                          // of the strategies, to which Run adds
	Prepare func(round int) error           // called before each batch
	Run     func(round, strategy int) error // runs a strategy once
	Figures func() GraphFigures             // of the rounds so far
}

// Run runs rounds, and adds their time and the load of other programs to the figures.
func (r Rounds) Run(ctx context.Context, f *GraphFigures, w Watcher, t Turns) error {
	if len(t.Rows) == 0 {
		return nil
	}
	took := new(float64)
	if r.Clock != nil {
		took = f.took(t.Engine)
	}
	usage := machine.Here.BeginUsage()
	defer func() { f.OtherLoad = max(f.OtherLoad, usage.Others()) }()
	from := t.complete()
	begin := from
	for round := from; round < t.To; round++ {
		if round >= r.Least && r.ends(*took, round, t) {
			return nil
		}
		if r.Until > 0 && r.Clock() >= r.Until {
			return ErrUnfinished
		}
		if round%Batch == 0 || round == from {
			if err := t.Prepare(round); err != nil {
				return err
			}
			begin = round
			w.Step(t.Name, int64(t.To-begin))
		}
		began := r.now()
		for i := range t.Rows {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if err := t.Run(round, (round+i)%len(t.Rows)); err != nil {
				return err
			}
		}
		*took += (r.now() - began).Seconds()
		w.Advance(int64(round + 1 - begin))
	}
	return nil
}

// complete returns the number of rounds that all rows have which can go on, 0 without one. It removes later ones, which
// an interrupted call has left.
func (t Turns) complete() int {
	from := -1
	for _, r := range t.Rows {
		if n := r.runs(); !r.Ended() && (from < 0 || n < from) {
			from = n
		}
	}
	for _, r := range t.Rows {
		r.Searches = r.Searches[:min(max(from, 0), len(r.Searches))]
		if r.Coloring != nil {
			r.Coloring.Runs = r.Coloring.Runs[:min(max(from, 0), len(r.Coloring.Runs))]
		}
	}
	return max(from, 0)
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
	return r.Most > 0 && took > r.Most.Seconds()*float64(len(t.Rows)) ||
		r.Enough != nil && round%Batch == 0 && r.Enough(t.Figures())
}

// now returns the time of the clock, 0 without one.
func (r Rounds) now() time.Duration {
	if r.Clock == nil {
		return 0
	}
	return r.Clock()
}
