// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
)

// Setup is the input of a run.
type Setup struct {
	Config      record.Config
	Backend     Backend
	Environment record.Environment // Run adds the nodes of all ranks
	Notes       []string           // facts that a reader of the record cannot see in the figures
	Watch       Watcher            // of this rank, nil for none
	Graph       *SpecGraph         // result of NewSpecGraph, the same on all ranks of a process
	Earlier     *record.Run        // the run to resume, nil for a new one
	Overdue     context.Context    // done when a running search must be abandoned (end.go), nil for never
	CountEdges  bool               // without validation, count the edges of each search for its rate

	// Failing receives an error on which the ranks have not agreed, before this rank frees its memory, for which a GPU may
	// wait for other ranks. nil for none.
	Failing func(error)
}

// Run runs the benchmark, from the generator to the verdict. It is collective. All ranks get the same searches, but
// only rank 0 gets their traces. A result that breaks a rule, or an interruption, is a status of the run. An error
// means that the run could not continue; its searches are then in the folder. The run is nil if it did not begin.
//
// The run is interrupted when ctx is done on some rank: immediately, except for a search with its validation, which may
// continue until Setup.Overdue is done.
func Run(ctx context.Context, t comm.Transport, s Setup) (run *record.Run, err error) {
	b := newBenchmark(t, s)
	b.t = b.abandonable(ctx, t)
	if err := b.begin(ctx); b.wasAbandoned(err) {
		return nil, &comm.RankError{Err: errors.New(record.Interrupted), All: true}
	} else if err != nil {
		return nil, err
	}
	defer func() {
		if b.wasAbandoned(err) {
			b.run.Failure, err = record.Interrupted, nil
		}
		if err = b.end(err); b.foreign {
			run = nil
		}
	}()

	if err := b.selfTest(ctx); err != nil {
		return b.run, err
	}
	if b.cfg.Search.KernelTimes && b.backend.TimeKernels != nil {
		b.backend.TimeKernels() // after the self-test
	}
	tuples, err := b.generate(ctx)
	if err != nil {
		return b.run, err
	}
	b.run.GenerationSeconds += b.makingSeconds
	b.graph.release()
	if err := b.keepInputs(); err != nil {
		return b.run, err
	}
	defer func() {
		if s.Failing != nil && comm.IsOfOneRank(err) {
			s.Failing(err)
		}
		for _, k := range b.kernels {
			k.Close()
		}
	}()
	if err := b.build(tuples); err != nil {
		return b.run, err
	}
	first := b.kernels[0] // the engines of all kernels have the same vertices
	keys, err := b.keys(first)
	if err != nil {
		return b.run, err
	}
	if b.store != nil { // a run that is killed later has the time of kernel 1
		err = b.store.replace(record.File, b.run.WriteJSON)
	}
	if err := comm.Agree(b.t, err); err != nil {
		return b.run, err
	}
	if b.validator, err = b.newValidator(first.Layout(), tuples); err != nil {
		return b.run, err
	}
	tuples = nil
	debug.FreeOSMemory() // of the edge list
	return b.run, b.allSearches(ctx, keys)
}

// allSearches runs the searches of all kernels, one kernel after the other, and then measures their power.
func (b *benchmark) allSearches(ctx context.Context, keys []graph.Global) error {
	b.searching = true
	for _, k := range b.kernels {
		defer b.onAbandon(k.Engine)()
	}
	for _, k := range b.kernels {
		if err := b.searches(ctx, k, keys); err != nil || !k.done() {
			return err
		}
	}
	b.searching = false
	for _, k := range b.kernels {
		if err := b.power(ctx, k, keys); err != nil {
			return err
		}
	}
	return nil
}

// benchmark is one rank's view of a run.
type benchmark struct {
	t       comm.Transport
	cfg     record.Config
	backend Backend
	setup   Setup
	watch   Watcher
	store   *Store // rank 0 of a run with an output folder, else nil
	run     *record.Run

	kernels   []*kernel // after kernel 1
	validator Validator // nil if the run does not validate

	graph         *SpecGraph  // nil for the official graph
	made          madeGraph   // its description
	makingSeconds float64     // time to make it
	parts         []inputPart // parts of input files that this rank has read

	roots  roots // from the user's file; empty if the keys are drawn
	unlike bool  // a note on ranks with different steps was written

	foreign   bool // the run to resume has another graph or other keys; its folder stays unchanged
	searching bool // timed searches are running, which only Setup.Overdue ends
	abandoned bool // work was abandoned, and the run ends
}

func newBenchmark(t comm.Transport, s Setup) *benchmark {
	b := &benchmark{t: t, cfg: s.Config, backend: s.Backend, setup: s, graph: s.Graph}
	b.watch = cmp.Or[Watcher](s.Watch, Watchers{})
	b.run = &record.Run{
		Scale: s.Config.Graph.Scale, EdgeFactor: s.Config.Graph.EdgeFactor, Ranks: t.Size(),
		ResultBits: s.Backend.ResultBits, Kernels: record.NewKernelRuns(s.Config.Search), Config: &b.cfg,
		Environment: s.Environment, Counted: s.CountEdges && !s.Config.Search.Validate,
	}
	b.notes(append(slices.Clip(s.Notes), s.Backend.Note)...)
	if s.Config.Search.IDs64 && t.Size() == 1 {
		b.note("one GPU has 32-bit labels: search.ids64 has no effect")
	}
	if s.Earlier != nil {
		for i := range b.run.Kernels {
			if k, earlier := &b.run.Kernels[i], s.Earlier.KernelRun(b.run.Kernels[i].Kernel); earlier != nil {
				k.Searches, k.Keys = slices.Clone(earlier.Searches), earlier.Keys // loopback ranks share Earlier
			}
		}
		b.run.Resumed = s.Earlier.Done()
		b.run.Parts = append(slices.Clone(s.Earlier.Parts), record.Part{
			Searches: s.Earlier.Done(), ConstructionSeconds: s.Earlier.ConstructionSeconds(),
			Environment: s.Earlier.Environment,
		})
		b.run.Inputs = slices.Clone(s.Earlier.Inputs)
		origin := "generated"
		if s.Config.Graph.Edges != "" || s.Graph != nil && s.Graph.spec.IsFile() {
			origin = "read"
		}
		b.note("the run that is resumed was started %s; the graph was %s again, and kernel 1 was repeated",
			s.Earlier.Environment.Started, origin)
	}
	b.notes(lists.Of(settings.Table, func(s settings.Setting) string { return s.Remark(&b.cfg) })...)
	return b
}

func (b *benchmark) note(format string, args ...any) { b.notes(fmt.Sprintf(format, args...)) }

// notes adds the notes that are not empty.
func (b *benchmark) notes(all ...string) {
	for _, note := range all {
		if note != "" {
			b.run.Notes = append(b.run.Notes, note)
			b.watch.Note(note)
		}
	}
}

// begin checks the configuration and the machines before work starts, and opens the output folder.
func (b *benchmark) begin(ctx context.Context) error {
	own := rankFacts{Node: machine.Node(), Card: b.backend.Card}
	if place, _ := comm.Place(b.t); place == 0 { // one rank of each node describes it
		described := machine.Here.Describe()
		own.Machine = &described
	}
	ranks, err := comm.Gathered(b.t, own)
	if err != nil {
		return err
	}
	nodes := lists.Of(ranks, func(r rankFacts) string { return r.Node })
	cards := lists.Of(ranks, func(r rankFacts) string { return r.Card })
	if len(cards) > 1 && strings.Join(cards, "") != "" {
		b.run.Environment.RankDevices = cards
	}
	b.watch.Nodes(nodes)
	b.run.Environment.Nodes, b.run.Environment.Machines = nodes, kindsOf(ranks)
	if e := b.setup.Earlier; e != nil && e.Ranks != b.t.Size() {
		err = fmt.Errorf("the run to resume had %d ranks, this one has %d: start it as before, for example by mpirun -n %d",
			e.Ranks, b.t.Size(), e.Ranks)
	} else if e != nil && b.t.Rank() == 0 {
		err = e.CheckSameMachine(b.run.Environment)
	}
	if err := comm.Agree(b.t, err); err != nil {
		return err
	}
	if err := b.makeSpecGraph(ctx); err != nil {
		return err
	}
	if b.graph == nil {
		if err := b.backend.checkScale(b.cfg); err != nil {
			return comm.Agree(b.t, err)
		}
	}
	if b.roots, err = b.readRoots(ctx); err != nil {
		return err
	}
	if n := len(b.roots.labels); n > 0 && b.setup.Earlier == nil {
		for i := range b.run.Kernels {
			b.run.Kernels[i].Keys = n
		}
	}
	if err := b.keepInputs(); err != nil {
		return err
	}
	for _, check := range []func() error{b.checkMemory, b.checkSpace, b.checkEdges} {
		if err == nil {
			err = check()
		}
	}
	if err := comm.Agree(b.t, err); err != nil { // before the folder is created
		return err
	}
	return comm.Agree(b.t, b.openFolder())
}

// step times one step of the run on all ranks. A single rank that fails ends the job, because the other ranks may wait
// for it inside the step and cannot agree on the error.
func step[T any](b *benchmark, name string, total int64, seconds *float64, work func() (T, error)) (result T,
	err error) {
	b.watch.Step(name, total)
	*seconds, err = timed(b.t, func() (err error) {
		result, err = work()
		return err
	})
	if err == nil {
		b.watch.Done(*seconds)
	}
	return result, err
}

// percent is the total of a step that reports its progress as a fraction.
const percent = 100

// advancing returns the transport for such a step, which reports the progress of this rank to the watcher.
func (b *benchmark) advancing() comm.Transport {
	return comm.Advancing(b.t, func(done, total int64) { b.watch.Advance(percent * done / total) })
}

// keys draws the search keys, or returns the user's, and checks that an earlier run's searches have the same roots.
func (b *benchmark) keys(e engine.Engine) (keys []graph.Global, err error) {
	if b.cfg.Search.Roots != "" {
		keys, err = b.roots.labels, b.roots.withEdges(b.t, e)
	} else {
		keys, err = sampleKeys(b.t, b.cfg.Params(), e, b.cfg.Search.Keys)
	}
	if err != nil {
		return nil, err
	}
	rounds := b.cfg.Search.MinTime > 0
	for i := range b.run.Kernels {
		k := &b.run.Kernels[i]
		k.Keys = len(keys)
		if done := len(k.Searches); rounds && done >= k.Keys && k.Keys > 0 {
			k.Keys *= done/k.Keys + 1 // the searches of an earlier run may belong to a later round
		}
		err = cmp.Or(err, sameRoots(k.Searches, keys))
	}
	if err := b.sameAsEarlier(err); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		err = missed(b.t, e)
	}
	return keys, comm.Agree(b.t, err)
}

// Watcher receives the progress of a run on one rank. Calls are sequential; only Advance may come from any goroutine.
type Watcher interface {
	// Nodes receives the name of each rank's node, by rank.
	Nodes(nodes []string)
	// Plan receives the memory that each rank needs, before large allocations.
	Plan(p Plan, ranks int)
	// Step begins a step of total units of work; total is 0 if unknown.
	Step(name string, total int64)
	// Advance receives the finished units of work of the current step.
	Advance(done int64)
	// Done ends the current step and receives its time.
	Done(seconds float64)
	// Searched receives the i-th of n searches.
	Searched(s record.Search, i, n int)
	// Note receives a note of the run (record.Run.Notes).
	Note(text string)
}

// Watchers calls several watchers in order. Watchers of some events only embed an empty list.
type Watchers []Watcher

func (all Watchers) each(call func(Watcher)) {
	for _, w := range all {
		call(w)
	}
}

func (all Watchers) Nodes(nodes []string)          { all.each(func(w Watcher) { w.Nodes(nodes) }) }
func (all Watchers) Plan(p Plan, ranks int)        { all.each(func(w Watcher) { w.Plan(p, ranks) }) }
func (all Watchers) Step(name string, total int64) { all.each(func(w Watcher) { w.Step(name, total) }) }
func (all Watchers) Advance(done int64)            { all.each(func(w Watcher) { w.Advance(done) }) }
func (all Watchers) Done(seconds float64)          { all.each(func(w Watcher) { w.Done(seconds) }) }
func (all Watchers) Searched(s record.Search, i, n int) {
	all.each(func(w Watcher) { w.Searched(s, i, n) })
}
func (all Watchers) Note(text string) { all.each(func(w Watcher) { w.Note(text) }) }
