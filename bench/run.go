package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/internal/machine"
	"g500/record"
)

// Setup is the input of a run.
type Setup struct {
	Config      record.Config
	Backend     Backend
	Environment record.Environment // Run adds the hosts of all ranks
	Notes       []string           // facts that a reader of the record must know and cannot see in the figures
	Watch       Watcher            // of this rank, nil for none
	Input       *Input             // the graph that NewInput finds in the configuration; ranks of a process have the same
	Earlier     *record.Run        // the run to resume, nil for a new one
	Overdue     context.Context    // done when a running search must be abandoned (abandon.go), nil for never
}

// Run is the benchmark, from the generator to the verdict. All ranks call it and get the same searches, except that
// only rank 0 gets their traces. A result that breaks a rule, or an interruption, is a status of the run; an error
// means that the run could not go on. The searches that were done until then are in the output folder. The run is nil
// if it could not begin.
//
// The run is interrupted when ctx is done on some rank: at once, unless it searches. A search, with its validation, may
// go on until Setup.Overdue is done.
func Run(ctx context.Context, t comm.Transport, s Setup) (run *record.Run, err error) {
	b := newBenchmark(t, s)
	b.t = b.abandonable(ctx, t)
	if err := b.begin(ctx); b.wasAbandoned(err) {
		return nil, &comm.RankError{Rank: 0, Err: errors.New(record.Interrupted)}
	} else if err != nil {
		return nil, err
	}
	defer func() {
		if err = b.end(b.settleAbandoned(err)); b.foreign {
			run = nil
		}
	}()

	if err := b.selfTest(ctx); err != nil {
		return b.run, err
	}
	b.timeKernels()
	tuples, err := b.generate(ctx)
	if err != nil {
		return b.run, err
	}
	b.run.GenerationSeconds += b.inputSeconds
	b.input.release()
	if err := b.keepInputs(); err != nil {
		return b.run, err
	}
	defer b.closeKernels()
	if err := b.build(tuples); err != nil {
		return b.run, err
	}
	first := b.kernels[0] // the structures of all kernels have the same vertices
	keys, err := b.keys(first)
	if err != nil {
		return b.run, err
	}
	if err := b.keepConstruction(); err != nil {
		return b.run, err
	}
	if b.cfg.Search.Validate {
		if b.validator, err = step(b, "preparing validation", percent, new(float64),
			func() (Validator, error) { return b.backend.NewValidator(b.advancing(), first.Layout(), tuples) }); err != nil {
			return b.run, err
		}
	}
	tuples = nil
	comm.Release(t)
	debug.FreeOSMemory() // the edge list and the exchanges' buffers, before the searches start
	return b.run, b.allSearches(ctx, keys)
}

// allSearches makes the searches of all kernels, one kernel after the other, and then measures their power.
func (b *benchmark) allSearches(ctx context.Context, keys []graph.Global) error {
	b.searching = true
	for _, k := range b.kernels {
		defer b.onAbandon(k.structure)()
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

	kernels   []kernel  // that kernel 1 has built
	validator Validator // nil if the run does not validate

	input        *Input      // nil for the official graph
	made         inputGraph  // its description
	inputSeconds float64     // that making it took
	parts        []inputPart // of input files, that this rank has read

	roots  roots // chosen by the user, none where the keys are drawn
	unlike bool  // a note on ranks with different steps was written

	foreign   bool // the run to resume is not of this graph or of these keys: its folder stays as it was
	searching bool // timed searches are running, which are abandoned only when they are overdue
	abandoned bool // work was abandoned, and the run ends
}

func newBenchmark(t comm.Transport, s Setup) *benchmark {
	b := &benchmark{t: t, cfg: s.Config, backend: s.Backend, setup: s, watch: silent{}, input: s.Input}
	if s.Watch != nil {
		b.watch = s.Watch
	}
	b.run = &record.Run{
		Scale: s.Config.Graph.Scale, EdgeFactor: s.Config.Graph.EdgeFactor, Ranks: t.Size(),
		ResultBits: s.Backend.ResultBits, Kernels: record.NewKernelRuns(s.Config.Search), Config: &b.cfg,
		Environment: s.Environment,
	}
	for _, note := range s.Notes {
		b.note("%s", note)
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
		b.note("the run that is resumed was started %s; the graph %s, and kernel 1 was repeated",
			s.Earlier.Environment.Started, s.origin())
	}
	if seeds := s.Config.Graph.Seeds; seeds != record.OfficialSeeds && s.Config.Graph.Spec == "" {
		b.note("seeds %d and %d: the official graph has 2 and 3", seeds[0], seeds[1])
	}
	if s.Config.Graph.Spec != "" {
		b.note("the graph is %s (graph.spec), and not the official one: this is no Graph500 result", s.Config.Graph.Spec)
	}
	if s.Config.Graph.Edges != "" {
		b.note("the edge list was read from a file, which the program cannot check against the official generator")
	}
	if s.Config.Search.Roots != "" {
		b.note("the roots were read from %s (search.roots) and not drawn: this is no submission", s.Config.Search.Roots)
	}
	if n := s.Config.Machine.EmulateNodes; n > 0 {
		b.note("ranks were said to be on %d hosts (machine.hosts), whatever they are on", n)
	}
	if s.Config.Search.MinTime > 0 {
		b.note("all keys were searched again until the searches had taken %v (search.min_time): this is no submission",
			s.Config.Search.MinTime)
	}
	return b
}

func (b *benchmark) note(format string, args ...any) {
	b.run.Notes = append(b.run.Notes, fmt.Sprintf(format, args...))
	b.watch.Note(b.run.Notes[len(b.run.Notes)-1])
}

// begin checks what can be checked before work starts, and opens the output folder.
func (b *benchmark) begin(ctx context.Context) error {
	hosts, err := comm.AllGatherTexts(b.t, machine.Node())
	if err != nil {
		return err
	}
	b.run.Environment.Nodes = hosts
	if b.run.Environment.RankDevices, err = gatherCards(b.t, b.backend.Card); err != nil {
		return err
	}
	b.watch.Nodes(hosts)
	if b.run.Environment.Machines, err = tellMachines(b.t, hosts); err != nil {
		return err
	}
	if e := b.setup.Earlier; e != nil && e.Ranks != b.t.Size() {
		err = fmt.Errorf("the run to resume had %d ranks, this one has %d: start it as before, such as by mpirun -n %d",
			e.Ranks, b.t.Size(), e.Ranks)
	} else if e != nil && b.t.Rank() == 0 {
		err = e.CheckSameMachine(b.run.Environment)
	}
	if err := comm.Agree(b.t, err); err != nil {
		return err
	}
	if err := b.makeInput(ctx); err != nil {
		return err
	}
	if err := b.checkScale(); err != nil {
		return comm.Agree(b.t, err)
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
	if err = b.checkMemory(); err == nil {
		err = b.checkSpace()
	}
	if err == nil {
		err = b.checkEdges()
	}
	if err := comm.Agree(b.t, err); err != nil { // before the folder holds a run that never began
		return err
	}
	return comm.Agree(b.t, b.openFolder())
}

// step times one step of the run on all ranks. A rank that fails in it alone ends the job: the others may wait for it
// inside the step, so that they cannot agree on the error.
func step[T any](b *benchmark, name string, total int64, seconds *float64, work func() (T, error)) (T, error) {
	var result T
	b.watch.Step(name, total)
	var err error
	*seconds, err = timed(b.t, func() (err error) {
		result, err = work()
		return err
	})
	if err != nil {
		return result, err
	}
	b.watch.Done(*seconds)
	return result, nil
}

// percent is the total of a step that reports its progress as a fraction.
const percent = 100

// advancing is the transport for such a step. It reports the progress of this rank to the watcher.
func (b *benchmark) advancing() comm.Transport {
	return comm.Advancing(b.t, func(done, total int64) { b.watch.Advance(percent * done / total) })
}

// keys draws the search keys, or takes those that the user has chosen, and holds searches that an earlier run has done
// to them.
func (b *benchmark) keys(e structure) (keys []graph.Global, err error) {
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
		k.Keys = planned(k.Searches, len(keys), rounds)
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

// planned returns the number of searches of a run with that many keys. If the keys are searched in rounds
// (search.min_time), an earlier run's searches may belong to a later round.
func planned(searches []record.Search, keys int, rounds bool) int {
	if done := len(searches); rounds && done >= keys && keys > 0 {
		return (done/keys + 1) * keys
	}
	return keys
}

// keepConstruction stores the time of kernel 1, so that a run that is killed later has it too.
func (b *benchmark) keepConstruction() error {
	var err error
	if b.store != nil {
		err = b.store.replace(record.File, b.run.WriteJSON)
	}
	return comm.Agree(b.t, err)
}
