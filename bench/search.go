package bench

import (
	"context"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/record"
	"g500/validate"
)

// The names of the steps in which searches are made.
const (
	SearchesStep = "searches"
	PathsStep    = "shortest paths"
)

// kernel is what is done for each search key: kernel 2 or kernel 3 of the specification.
type kernel struct {
	step   string                                                  // its name for who watches
	search func(key int, root graph.Global) (record.Search, error) // a timed search, with its verdict
	again  func(root graph.Global) error                           // a search without either
	judge  func(root graph.Global) (validate.Verdict, error)       // the verdict on the last of those
	run    *record.KernelRun                                       // the kernel's part of the run
}

// breadthFirst is kernel 2.
func (b *benchmark) breadthFirst(e bfs.Engine, judge Judge) kernel {
	var last bfs.Tree
	return kernel{
		step:   SearchesStep,
		search: func(key int, root graph.Global) (record.Search, error) { return b.search(e, judge, key, root) },
		again: func(root graph.Global) (err error) {
			last, err = e.Search(root)
			return err
		},
		judge: func(root graph.Global) (validate.Verdict, error) { return judge.Tree(root, last) },
		run:   b.run.KernelRun(record.BFS),
	}
}

// searches makes one untimed search to warm up, as the official program does, then a timed search and a verdict for
// each key. It ends with the first result that breaks a rule. Where the searches are to take some time, all keys are
// searched again in whole rounds, so that each has the same weight in the statistics.
func (b *benchmark) searches(ctx context.Context, k kernel, keys []graph.Global) error {
	done, err := b.agreeOnDone(k.run.Searches, len(keys))
	if err != nil {
		return err
	}
	k.run.Keys = len(done)
	b.watch.Step(k.step, int64(k.run.Keys))
	if len(keys) > 0 {
		if err := k.again(keys[0]); err != nil {
			return err
		}
	}
	total := 0.0
	for i := 0; ; i++ {
		if i == k.run.Keys {
			if enough, err := b.searchedEnough(k.run.Searches); err != nil {
				return err
			} else if enough {
				break
			}
			k.run.Keys += len(keys)
			b.watch.Step(k.step, int64(k.run.Keys))
		}
		if i < len(done) && done[i] {
			continue
		}
		if stop, err := b.interrupted(ctx); err != nil || stop {
			return err
		}
		s, err := k.search(i, keys[i%len(keys)])
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

// search makes one timed search and has its tree judged.
func (b *benchmark) search(e bfs.Engine, judge Judge, key int, root graph.Global) (record.Search, error) {
	s := record.Search{Key: key, Root: int64(root), ValidateSeconds: record.NotValidated}
	var tree bfs.Tree
	var err error
	s.Seconds, err = b.timedSearch(e, func() (err error) {
		tree, err = e.Search(root)
		return err
	})
	if err != nil {
		return s, err
	}
	if s.Trace, err = b.trace(e, key); err != nil {
		return s, err
	}
	if err := b.keepTree(e.Layout(), key, tree); err != nil {
		return s, err
	}
	if judge == nil {
		return s, nil
	}
	return s, b.validated(&s, func() (validate.Verdict, error) { return judge.Tree(root, tree) })
}

// Armer is an engine that makes ready for a search from a root that it does not know yet, right before the clock starts
// (ADR 4): it launches what then waits for the root. It may do nothing of the search.
type Armer interface{ Arm() error }

// timedSearch times a search by an engine.
func (b *benchmark) timedSearch(engine any, search func() error) (float64, error) {
	if a, ok := engine.(Armer); ok {
		// What waits on a device is in the way of other ranks that still validate there.
		if err := b.t.Barrier(); err != nil {
			return 0, err
		}
		if err := comm.Agree(b.t, a.Arm()); err != nil {
			return 0, err
		}
	}
	return timed(b.t, search)
}

// validated times a verdict and takes it into the search.
func (b *benchmark) validated(s *record.Search, judge func() (validate.Verdict, error)) (err error) {
	s.ValidateSeconds, err = timed(b.t, func() error {
		verdict, err := judge()
		s.Edges, s.EdgesWithLoops, s.Reached, s.Levels = verdict.Edges, verdict.EdgesWithLoops, verdict.Reached,
			verdict.Levels
		if verdict.Fault != nil {
			s.Fault = verdict.Fault.Error()
		}
		return err
	})
	return err
}

// record takes a search into the run, and into the output folder before the next one begins.
func (b *benchmark) record(k kernel, s record.Search) error {
	k.run.Searches = append(k.run.Searches, s)
	var err error
	if b.store != nil {
		err = b.store.append(k.run.Kernel, s)
	}
	b.watch.Searched(s, len(k.run.Searches), k.run.Keys)
	b.watch.Advance(int64(len(k.run.Searches)))
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

// agreeOnDone tells all ranks which searches an earlier run has done, in whole rounds of n keys and at least one.
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
