package bench

import (
	"context"

	"g500/graph"
	"g500/record"
)

// settling is the part of the measured time that goes before it, until clocks and power are those of searching.
const settling = 0.1

// power measures what the devices draw in searches of a kernel, where the run is to and all those are done. A single
// search is over before a meter moves, and validation stands between two. So all keys are searched once more, back to
// back and in rounds, as the official program does for power meters (ENERGYLOOP_BFS, ENERGYLOOP_SSSP), while meters are
// read. The timed searches of all kernels are over by then: nothing disturbs them. If no figure can be given the report
// says why; that is no error.
func (b *benchmark) power(ctx context.Context, k kernel, keys []graph.Global) error {
	if !b.cfg.Search.Power || !k.done() {
		return nil
	}
	b.watch.Step("power", int64(b.cfg.Search.PowerSeconds))
	figures, err := b.measure(ctx, k, keys)
	if b.wasAbandoned(err) {
		figures, err = &record.Power{Refused: record.Interrupted}, nil
	}
	if err != nil {
		return err
	}
	k.Power = figures
	b.watch.Done(figures.Seconds)
	return nil
}

func (b *benchmark) measure(ctx context.Context, k kernel, keys []graph.Global) (*record.Power, error) {
	opened, refused, err := b.openMeters()
	defer closeMeters(opened)
	if err != nil || refused != "" {
		return &record.Power{Refused: refused}, err
	}
	own, err := b.ownMeters(opened)
	if err != nil {
		return nil, err
	}
	seconds := float64(b.cfg.Search.PowerSeconds)
	if _, err := b.searchFor(ctx, k, keys, settling*seconds); err != nil {
		return nil, err
	}
	samplers := startSamplers(own)
	done, err := b.searchFor(ctx, k, keys, seconds)
	readings := stopSamplers(samplers, b.t.Rank())
	if err != nil {
		return nil, err
	}
	all, refused, err := b.tellReadings(readings)
	if err != nil {
		return nil, err
	}
	verdict, err := k.validate(b.validator, keys[len(keys)-1])
	switch {
	case err != nil:
		return nil, err
	case done.interrupted:
		refused = record.Interrupted
	case verdict.Fault != nil:
		refused = "the last result breaks a rule: " + verdict.Fault.Error()
	}
	p := &record.Power{
		Refused: refused, Meters: all, PeriodSeconds: powerPeriod.Seconds(),
		Searches: done.searches, Seconds: done.seconds,
	}
	p.Derive(k.Searches)
	return p, nil
}

// rounds are searches from all keys, back to back.
type rounds struct {
	searches    int
	seconds     float64
	interrupted bool // a signal came before the time was over
}

// searchFor searches from all keys, in rounds, until that many seconds are over. A round is timed as one.
func (b *benchmark) searchFor(ctx context.Context, k kernel, keys []graph.Global,
	seconds float64) (done rounds, err error) {
	for done.searches == 0 || done.seconds < seconds {
		took, err := timed(b.t, func() (err error) {
			for _, root := range keys {
				if err = k.search(root); err != nil {
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
