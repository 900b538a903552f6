package bench

import (
	"context"

	"g500/comm"
	"g500/graph"
	"g500/record"
)

// searches makes one untimed search to warm up, as the official program does, then a timed search and a verdict for
// each key. It ends with the first result that breaks a rule. Where the searches are to take some time, all keys are
// searched again in whole rounds, so that each has the same weight in the statistics.
func (b *benchmark) searches(ctx context.Context, k kernel, keys []graph.Global) error {
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
		if stop, err := b.interrupted(ctx); err != nil || stop {
			return err
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

// search makes one timed search of a kernel, stores its result if the run is to, and validates it.
func (b *benchmark) search(k kernel, key int, root graph.Global) (s record.Search, err error) {
	s = record.Search{Key: key, Root: int64(root), ValidateSeconds: record.NotValidated}
	if s.Seconds, err = b.timedSearch(k.structure, func() error { return k.search(root) }); err != nil {
		return s, err
	}
	if s.Trace, err = b.trace(k.structure, key); err != nil {
		return s, err
	}
	if err = b.storeResult(k, key); err != nil || b.validator == nil {
		return s, err
	}
	return s, b.validate(&s, k, root)
}

// Prelauncher is an engine that launches a kernel right before the clock starts, which waits for the root (ADR 4).
// Prelaunch must not do any part of the search.
type Prelauncher interface{ Prelaunch() error }

// timedSearch times a search by an engine.
func (b *benchmark) timedSearch(engine any, search func() error) (float64, error) {
	if a, ok := engine.(Prelauncher); ok {
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

// validate validates a kernel's last result, and takes the time and the verdict into the search.
func (b *benchmark) validate(s *record.Search, k kernel, root graph.Global) (err error) {
	s.ValidateSeconds, err = timed(b.t, func() error {
		v, err := k.validate(b.validator, root)
		s.Edges, s.EdgesWithLoops, s.Reached, s.Levels = v.Edges, v.EdgesWithLoops, v.Reached, v.Levels
		if v.Fault != nil {
			s.Fault = v.Fault.Error()
		}
		return err
	})
	return err
}

// record takes a search into the run, and into the output folder before the next one begins.
func (b *benchmark) record(k kernel, s record.Search) error {
	k.Searches = append(k.Searches, s)
	var err error
	if b.store != nil {
		err = b.store.append(k.Kernel, s)
	}
	b.watch.Searched(s, len(k.Searches), k.Keys)
	b.watch.Advance(int64(len(k.Searches)))
	return comm.Agree(b.t, err)
}

// interrupted reports whether any rank received a signal, and notes it as the failure of the run.
func (b *benchmark) interrupted(ctx context.Context) (bool, error) {
	stop, err := b.anySignal(ctx)
	if stop {
		b.run.Failure = record.Interrupted
	}
	return stop, err
}

// anySignal reports whether any rank got a signal. It is collective.
func (b *benchmark) anySignal(ctx context.Context) (bool, error) {
	flag := []int64{0}
	if ctx.Err() != nil {
		flag[0] = 1
	}
	err := b.t.AllReduce(flag, comm.Max)
	return flag[0] == 1, err
}

// searchedEnough reports whether the searches of a kernel, with those of an earlier run, have taken the time that they
// were to. It is collective.
func (b *benchmark) searchedEnough(searches []record.Search) (bool, error) {
	if b.cfg.Search.MinTime == 0 || len(searches) == 0 {
		return true, nil
	}
	total := 0.0
	for _, s := range searches {
		total += s.Seconds
	}
	missing := []int64{0}
	if total < b.cfg.Search.MinTime.Seconds() {
		missing[0] = 1
	}
	err := b.t.AllReduce(missing, comm.Max)
	return missing[0] == 0, err
}

// agreeOnDone returns on all ranks which searches an earlier run has done, in whole rounds of n keys and at least one.
func (b *benchmark) agreeOnDone(searches []record.Search, n int) ([]bool, error) {
	rounds := []int64{1}
	for _, s := range searches {
		if b.cfg.Search.MinTime > 0 && n > 0 {
			rounds[0] = max(rounds[0], int64(s.Key/n)+1)
		}
	}
	if err := b.t.AllReduce(rounds, comm.Max); err != nil {
		return nil, err
	}
	flags := make([]int64, int(rounds[0])*n)
	for _, s := range searches {
		if 0 <= s.Key && s.Key < len(flags) {
			flags[s.Key] = 1
		}
	}
	err := b.t.AllReduce(flags, comm.Max)
	done := make([]bool, len(flags))
	for i, f := range flags {
		done[i] = f == 1
	}
	return done, err
}
