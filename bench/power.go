// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"g500/comm"
	"g500/graph"
	"g500/internal/lists"
	"g500/internal/power"
	"g500/record"
)

// settling is the share of a measurement for which searches run before it, until clocks and power are stable.
const settling = 0.1

// power measures the power of the devices in searches of a kernel, if the run is configured so and all searches are
// done. A single search is shorter than an update of a meter, and validation separates the timed searches. So power
// repeats all keys back to back in rounds, as the Graph500 reference code does (ENERGYLOOP_BFS, ENERGYLOOP_SSSP), while
// it reads the meters. This runs after the timed searches of all kernels, which it cannot disturb. A missing figure is
// no error; the report has the reason.
func (b *benchmark) power(ctx context.Context, k *kernel, keys []graph.Global) error {
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
	if figures.Refused != "" {
		b.watch.Note(fmt.Sprintf("power%s has no figure: %s", k.KernelRun.Kernel.Of(), figures.Refused))
	}
	return nil
}

func (b *benchmark) measure(ctx context.Context, k *kernel, keys []graph.Global) (*record.Power, error) {
	opened, missing := b.backend.Meters()
	defer func() {
		for _, m := range opened {
			_ = m.Close() // the figures are complete
		}
	}()
	refused, err := b.firstReason(missing)
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
	clock := stopwatch()
	samplers := lists.Of(own, func(m power.Meter) *power.Sampler { return power.Start(m, powerPeriod, clock) })
	done, err := b.searchFor(ctx, k, keys, seconds)
	meters, fault := stopSamplers(samplers, b.t.Rank())
	if err != nil {
		return nil, err
	}
	if refused, err = b.firstReason(fault); err != nil {
		return nil, err
	}
	all, err := comm.Gathered(b.t, meters)
	if err != nil {
		return nil, err
	}
	verdict, err := b.validator.Validate(keys[len(keys)-1], k.last)
	switch {
	case err != nil:
		return nil, err
	case done.interrupted:
		refused = record.Interrupted
	case verdict.Fault != nil:
		refused = "the last result breaks a rule: " + verdict.Fault.Error()
	}
	p := &record.Power{
		Refused: refused, Meters: slices.Concat(all...), PeriodSeconds: powerPeriod.Seconds(),
		Searches: done.searches, Seconds: done.seconds,
	}
	p.Derive(k.Searches)
	return p, nil
}

// rounds are searches from all keys, back to back.
type rounds struct {
	searches    int
	seconds     float64
	interrupted bool // by a signal before the end
}

// searchFor searches from all keys, in rounds, for at least that many seconds. Each round is timed as a whole.
func (b *benchmark) searchFor(ctx context.Context, k *kernel, keys []graph.Global,
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

// powerPeriod is the time between two readings of a meter: GPUs have new ones every 20 to 100 ms, processors every ms.
const powerPeriod = 10 * time.Millisecond

// firstReason returns the error of the first rank that has one, with the rank; "" if there is none. It is collective.
func (b *benchmark) firstReason(fault error) (string, error) {
	reason := ""
	if fault != nil {
		reason = fmt.Sprintf("%v (rank %d)", fault, b.t.Rank())
	}
	reasons, err := comm.Gathered(b.t, reason)
	return cmp.Or(reasons...), err
}

// ownMeters returns the meters that no lower rank reads, because ranks may share a GPU or processors. It is collective.
func (b *benchmark) ownMeters(opened []power.Meter) (own []power.Meter, err error) {
	all, err := comm.Gathered(b.t, lists.Of(opened, power.Meter.Identity))
	if err != nil {
		return nil, err
	}
	taken := slices.Concat(all[:b.t.Rank()]...)
	return lists.Where(opened, func(m power.Meter) bool { return !slices.Contains(taken, m.Identity()) }), nil
}

// stopSamplers returns the values of this rank's meters, and the first reason why one of them has no figure.
func stopSamplers(samplers []*power.Sampler, rank int) (meters []record.Meter, fault error) {
	for _, s := range samplers {
		measured, err := s.Stop()
		var d power.Draw
		if err == nil {
			d, err = measured.Draw()
		}
		if err != nil && fault == nil {
			fault = fmt.Errorf("%s: %w", s.Source(), err)
		}
		meters = append(meters, record.Meter{
			Rank: rank, Source: s.Source(), Covers: s.Covers(),
			Watts: d.Watts, Seconds: d.Window.Seconds(), Reads: d.Reads, Updates: d.Updates, RelativeError: d.Doubt,
		})
	}
	return meters, fault
}
