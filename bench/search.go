// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"

	"g500/comm"
	"g500/graph"
	"g500/internal/lists"
	"g500/partition"
	"g500/record"
)

// searches runs one untimed search as warm-up, as the Graph500 reference code does, then a timed search with validation
// for each key. It ends with the first result that breaks a rule. With search.min_time it repeats all keys in complete
// rounds, so that each key has the same weight in the statistics.
func (b *benchmark) searches(ctx context.Context, k *kernel, keys []graph.Global) error {
	done, err := b.agreeOnDone(k.Searches, len(keys))
	if err != nil {
		return err
	}
	k.Keys = len(done)
	b.watch.Step(searchStep(k.Kernel), int64(k.Keys))
	if len(keys) > 0 {
		if err := k.search(keys[0]); err != nil {
			return err
		}
	}
	total := 0.0
	for i := 0; ; i++ {
		if i == k.Keys {
			if enough, err := b.searchedEnough(k.Searches); err != nil {
				return err
			} else if enough {
				break
			}
			k.Keys += len(keys)
			b.watch.Step(searchStep(k.Kernel), int64(k.Keys))
		}
		if i < len(done) && done[i] {
			continue
		}
		if stop, err := b.anySignal(ctx); err != nil {
			return err
		} else if stop {
			b.run.Failure = record.Interrupted
			return nil
		}
		s, err := b.search(k, i, keys[i%len(keys)])
		if err != nil {
			return err
		}
		total += s.Seconds
		if err := b.record(k, s); err != nil {
			return err
		}
		if s.Fault != "" {
			return nil
		}
	}
	b.watch.Done(total)
	return nil
}

// search runs one timed search of a kernel, and stores and validates its result if the run is configured so.
func (b *benchmark) search(k *kernel, key int, root graph.Global) (s record.Search, err error) {
	s = record.Search{Key: key, Root: int64(root), ValidateSeconds: record.NotValidated}
	if s.Seconds, err = b.timedSearch(k.Engine, func() error { return k.search(root) }); err != nil {
		return s, err
	}
	if s.Trace, err = b.trace(k.Engine, key); err != nil {
		return s, err
	}
	if err = b.storeResult(k, key); err != nil || b.validator == nil {
		return s, err
	}
	return s, b.validate(&s, k, root)
}

// Prelauncher is an engine that prepares a search right before the clock starts: on a GPU it launches a kernel that
// waits for the root, on CPUs it wakes the workers (ADR 4, 43). Prelaunch must not do any part of the search.
type Prelauncher interface{ Prelaunch() error }

// timedSearch times a search by an engine.
func (b *benchmark) timedSearch(engine any, search func() error) (float64, error) {
	if a, ok := as[Prelauncher](engine); ok {
		// A kernel that waits on a device would delay other ranks that still validate there.
		if err := b.t.Barrier(); err != nil {
			return 0, err
		}
		if err := comm.Agree(b.t, a.Prelaunch()); err != nil {
			return 0, err
		}
	}
	return timed(b.t, search)
}

// validate validates a kernel's last result, or only counts its edges, and sets the time and the verdict of the search.
func (b *benchmark) validate(s *record.Search, k *kernel, root graph.Global) error {
	seconds, err := timed(b.t, func() error {
		v, err := b.validator.Validate(root, k.last)
		s.Edges, s.EdgesWithLoops, s.Reached, s.Levels = v.Edges, v.EdgesWithLoops, v.Reached, v.Levels
		if v.Fault != nil {
			s.Fault = v.Fault.Error()
		}
		return err
	})
	if b.cfg.Search.Validate {
		s.ValidateSeconds = seconds
	}
	return err
}

// newValidator returns the validator of the run, nil if there is none. If edges are only counted, the validator of GPUs
// does it, because their kernel 1 leaves no tuples for the host. It is collective.
func (b *benchmark) newValidator(layout partition.Layout, tuples graph.Tuples) (Validator, error) {
	name, make := "preparing validation", b.backend.NewValidator
	switch {
	case b.cfg.Search.Validate:
	case !b.setup.CountEdges:
		return nil, nil
	case b.backend.Device == nil:
		name, make = "counting edges", newEdgeCounter
	}
	return step(b, name, percent, new(float64),
		func() (Validator, error) { return make(b.advancing(), layout, tuples) })
}

// record adds a search to the run, and stores it in the output folder before the next one begins.
func (b *benchmark) record(k *kernel, s record.Search) error {
	k.Searches = append(k.Searches, s)
	var err error
	if b.store != nil {
		err = b.store.append(k.Kernel, s)
	}
	b.watch.Searched(s, len(k.Searches), k.Keys)
	b.watch.Advance(int64(len(k.Searches)))
	return comm.Agree(b.t, err)
}

// anySignal reports whether any rank got a signal. It is collective.
func (b *benchmark) anySignal(ctx context.Context) (bool, error) {
	flags, err := anyRank(b.t, ctx.Err() != nil)
	return flags[0], err
}

// searchedEnough reports whether the searches of a kernel, with earlier ones, took search.min_time. It is collective.
func (b *benchmark) searchedEnough(searches []record.Search) (bool, error) {
	if b.cfg.Search.MinTime == 0 || len(searches) == 0 {
		return true, nil
	}
	total := lists.Sum(searches, func(s record.Search) float64 { return s.Seconds })
	missing, err := anyRank(b.t, total < b.cfg.Search.MinTime.Seconds())
	return !missing[0], err
}

// agreeOnDone returns for each search of the planned rounds of n keys, at least one, whether an earlier run has
// finished it. It is collective.
func (b *benchmark) agreeOnDone(searches []record.Search, n int) ([]bool, error) {
	own := int64(1)
	for _, s := range searches {
		if b.cfg.Search.MinTime > 0 && n > 0 {
			own = max(own, int64(s.Key/n)+1)
		}
	}
	rounds, err := comm.Reduce(b.t, own, comm.Max)
	if err != nil {
		return nil, err
	}
	done := make([]bool, int(rounds)*n)
	for _, s := range searches {
		if 0 <= s.Key && s.Key < len(done) {
			done[s.Key] = true
		}
	}
	return anyRank(b.t, done...)
}
