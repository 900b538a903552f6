package bench

import (
	"context"
	"slices"

	"g500/bfs"
	"g500/graph"
	"g500/report"
)

// settling is the part of the measured time that goes before it, until clocks and power are those of searching.
const settling = 0.1

// power measures what the devices draw, where the run is to and all its searches are done. A single search is over
// before a meter moves, and validation stands between two. So all keys are searched once more, back to back and in
// rounds, as the official program does for power meters (ENERGYLOOP_BFS), while meters are read. The timed searches are
// over by then: nothing disturbs them. If no figure can be given the report says why; that is no error.
func (b *benchmark) power(ctx context.Context, e bfs.Engine, judge Judge, keys []graph.Global) error {
	if !b.cfg.Search.Power || !b.allDone() {
		return nil
	}
	b.watch.Step("power", int64(b.cfg.Search.PowerSeconds))
	figures, err := b.measure(ctx, e, judge, keys)
	if err != nil {
		return err
	}
	b.run.Power = figures
	b.watch.Done(figures.Seconds)
	return nil
}

// allDone reports whether every key was searched and no tree breaks a rule.
func (b *benchmark) allDone() bool {
	wrong := func(s report.Search) bool { return s.Fault != "" }
	return b.run.Keys > 0 && len(b.run.Searches) == b.run.Keys && !slices.ContainsFunc(b.run.Searches, wrong)
}

func (b *benchmark) measure(ctx context.Context, e bfs.Engine, judge Judge,
	keys []graph.Global) (*report.Power, error) {
	opened, refused, err := b.openMeters()
	defer closeMeters(opened)
	if err != nil || refused != "" {
		return &report.Power{Refused: refused}, err
	}
	own, err := b.ownMeters(opened)
	if err != nil {
		return nil, err
	}
	seconds := float64(b.cfg.Search.PowerSeconds)
	if _, err := b.searchFor(ctx, e, keys, settling*seconds); err != nil {
		return nil, err
	}
	samplers := startSamplers(own)
	done, err := b.searchFor(ctx, e, keys, seconds)
	readings := stopSamplers(samplers, b.t.Rank())
	if err != nil {
		return nil, err
	}
	all, refused, err := b.tellReadings(readings)
	if err != nil {
		return nil, err
	}
	verdict, err := judge.Tree(keys[len(keys)-1], done.last)
	switch {
	case err != nil:
		return nil, err
	case done.interrupted:
		refused = interruption
	case verdict.Fault != nil:
		refused = "the last tree breaks a rule: " + verdict.Fault.Error()
	}
	return b.figures(done, all, refused), nil
}

// rounds are searches from all keys, back to back.
type rounds struct {
	searches    int
	seconds     float64
	last        bfs.Tree // of the last search
	interrupted bool     // a signal came before the time was over
}

// searchFor searches from all keys, in rounds, until that many seconds are over. A round is timed as one.
func (b *benchmark) searchFor(ctx context.Context, e bfs.Engine, keys []graph.Global,
	seconds float64) (done rounds, err error) {
	for done.searches == 0 || done.seconds < seconds {
		took, err := timed(b.t, func() (err error) {
			for _, root := range keys {
				if done.last, err = e.BFS(root); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return done, err
		}
		done.searches += len(keys)
		done.seconds += took
		b.watch.Advance(int64(min(done.seconds, seconds)))
		if done.interrupted, err = b.anySignal(ctx); err != nil || done.interrupted {
			return done, err
		}
	}
	return done, nil
}

// figures are those of all meters together. A meter that supports no figure leaves none to the whole.
func (b *benchmark) figures(done rounds, meters []report.Meter, refused string) *report.Power {
	p := &report.Power{
		Refused: refused, Meters: meters, PeriodSeconds: powerPeriod.Seconds(),
		Searches: done.searches, Seconds: done.seconds,
	}
	p.Derive(b.run.Searches)
	return p
}
