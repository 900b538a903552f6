// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/internal/watchdog"
	"g500/record"
	"g500/settings"
)

func runCommand(opt runOptions) *cobra.Command {
	cfg := settings.Default()
	c := &cobra.Command{
		Use:  "run",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return runBenchmark(c, &cfg, opt) },
	}
	runFlags(c, &cfg, &opt)
	return c
}

// runBenchmark runs the benchmark with the flags of c, to which cfg and opt are bound.
func runBenchmark(c *cobra.Command, cfg *record.Config, opt runOptions) error {
	earlier, err := configure(c, cfg, opt)
	if err != nil {
		return cli.Misuse(err)
	}
	if opt.print {
		return cfg.Write(c.OutOrStdout())
	}
	if opt.plan.on {
		return opt.plan.print(c.OutOrStdout(), &job{cfg: *cfg, flags: c.Flags()})
	}
	j := &job{cfg: *cfg, earlier: earlier, opt: opt, flags: c.Flags(), out: c.OutOrStdout(), errOut: c.ErrOrStderr()}
	if earlier != nil && earlier.AllSearched() {
		return j.writeLastFiles()
	}
	graph, err := bench.NewSpecGraph(*cfg)
	if err != nil {
		return cli.Misuse(err)
	}
	noGPU := toGPUProgram(*cfg)
	if noGPU != nil && comm.Launched().Tasks == 1 && cfg.Search.Engine == settings.GPU {
		return cli.Misuse(noGPU)
	}
	j.graph = graph
	if err := j.start(noGPU); err != nil {
		return err
	}
	return j.keepEdges()
}

// runSettings returns the settings of g500 run with these flags, or a misuse error if it would refuse them or the
// configuration file that they name.
func runSettings(args []string) (cfg record.Config, err error) {
	opt := runOptions{}
	cfg = settings.Default()
	c := &cobra.Command{Use: "run"}
	runFlags(c, &cfg, &opt)
	if err = flags().Parse(c, args); err == nil {
		_, err = configure(c, &cfg, opt)
	}
	if err != nil {
		return cfg, cli.Misuse(err)
	}
	return cfg, nil
}

// configure sets cfg to the defaults, the file or the run to resume, and the flags. It returns the run to resume.
func configure(c *cobra.Command, cfg *record.Config, opt runOptions) (*record.Run, error) {
	base := settings.Default()
	var earlier *record.Run
	var err error
	switch {
	case opt.config != "":
		base, err = loadConfig(opt.config)
	case opt.resume != "":
		if earlier, err = record.ReadEarlier(opt.resume); err == nil {
			base = *earlier.Config
			base.Output.Dir = opt.resume
		}
	}
	if err == nil {
		err = over(c.Flags(), cfg, base)
	}
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(cfg.Check(), checkGauges(opt.gauges), refuseIdleOfRun(c.Flags(), *cfg, opt)); err != nil {
		return nil, err
	}
	if earlier != nil {
		return earlier, earlier.CheckSameSettings(*cfg)
	}
	return nil, nil
}

// job is a run in this process, on one rank or on all.
type job struct {
	cfg         record.Config
	graph       *bench.SpecGraph // nil for the official graph
	earlier     *record.Run      // to resume, nil for a new run
	opt         runOptions
	flags       *pflag.FlagSet // of the command line
	transport   comm.HostTransport
	out, errOut io.Writer
	ranks       watchdog.Ranks // of this process
	dog         atomic.Pointer[watchdog.Watchdog]
	shown       atomic.Pointer[cli.Progress] // of rank 0, if it is in this process and runs the benchmark
	valid       atomic.Bool                  // the verdict, the same on all ranks
	first       atomic.Bool                  // rank 0 is in this process
	misused     atomic.Bool                  // the error is one of the command line
	stop        *stop                        // after a signal
}

// launch starts the ranks, each with its log. The error is cli.ErrInvalid if the run is not VALID.
func (j *job) launch(rank func(comm.Transport, rankLog) error) error {
	start, transport, err := launcher(j.cfg.Machine, j.declare())
	if err != nil {
		return cli.Misuse(err)
	}
	j.transport = transport
	err = start(func(t comm.Transport) error {
		log, err := openRankLog(j.opt.logDir, t)
		if err := comm.Agree(t, err); err != nil {
			return err
		}
		return log.End(rank(t, log))
	})
	switch {
	case j.misused.Load():
		return cli.Misuse(err)
	case err == nil && !j.valid.Load():
		return cli.ErrInvalid
	}
	return err
}

// start runs the benchmark and prints the result on rank 0. noGPU is the reason why this process has no GPU engine.
func (j *job) start(noGPU error) error {
	var end func()
	j.stop, end = newStop(j.stopLate)
	defer end()
	return j.launch(func(t comm.Transport, log rankLog) error {
		t = comm.Counted(t, &j.ranks.Self(t.Rank()).Collectives)
		unguard, err := j.guard(t, log)
		if err != nil {
			return err
		}
		defer unguard()
		threads, err := threadsPerRank(j.cfg.Machine, t)
		if err != nil {
			return err
		}
		backend, notes, err := backendFor(t, j, threads, noGPU)
		if err != nil {
			return err
		}
		run, err := j.run(t, log, backend, threads, notes)
		return j.publish(t, log, run, released(t, backend, err))
	})
}

// writeLastFiles ends a run that has all its searches but lacks files: rank 0 writes the files and prints the result.
func (j *job) writeLastFiles() error {
	j.earlier.Failure = ""
	j.earlier.Settle()
	return j.launch(func(t comm.Transport, log rankLog) (err error) {
		if t.Rank() == 0 {
			fmt.Fprintf(j.errOut, "all searches of the run in %s are done: only its last files are written\n", j.cfg.Output.Dir)
			err = bench.WriteLastFiles(j.cfg.Output.Dir, j.earlier)
		}
		if err = comm.Agree(t, err); err != nil {
			return err
		}
		return j.publish(t, log, j.earlier, nil)
	})
}

// run runs the benchmark on one rank. The result is nil if the run could not begin.
func (j *job) run(t comm.Transport, log rankLog, backend bench.Backend, threads int, notes []string) (*record.Run,
	error) {
	log.Say("engine %s, %s, threads: %d", backend.Name, cmp.Or(backend.Device.String(), "no device"), threads)
	nodes, err := comm.Gathered(t, rankDiagnosis{machine.Node(), threads, diagnose(t, threads), libraries(j.transport)})
	if err != nil {
		return nil, err
	}
	notes = append(append(notes, sentences(nodes)...), threadNotes(j.cfg.Machine, threads)...)
	if n := j.cfg.Machine.Ranks; n > 1 && n != t.Size() {
		notes = append(notes, fmt.Sprintf("%d ranks, as the launcher started: machine.ranks = %d is for runs without one",
			t.Size(), n))
	}
	if j.opt.reference != nil {
		notes = append(notes, j.opt.reference.notes...)
	}
	watch, unwatch := j.watchFor(t, log)
	run, err := bench.Run(j.stop.asked, t, bench.Setup{
		Config: j.cfg, Backend: backend, Notes: notes, Earlier: j.earlier, Watch: watch, Graph: j.graph,
		Overdue: j.stop.overdue, Environment: environment(j.transport, backend, threads),
		CountEdges: j.opt.reference != nil,
		Failing:    func(err error) { j.failing(t, err) },
	})
	unwatch()
	beyond := errors.Is(err, bench.ErrBeyond) || errors.Is(err, bench.ErrRefused)
	if beyond || errors.Is(err, bench.ErrHoldsRun) {
		j.misused.Store(true) // as a scale that no machine has
	}
	if run != nil && t.Rank() == 0 {
		err = cmp.Or(err, printKernels(j.errOut, backend))
	}
	return run, err
}

// released releases the backend on all ranks, unless only this rank has err. It returns err, or the release's error.
func released(t comm.Transport, backend bench.Backend, err error) error {
	if comm.IsOfOneRank(err) {
		return err // a rank that fails alone must not wait for the other ranks
	}
	return cmp.Or(err, comm.Agree(t, backend.Close()))
}

// publish prints the result of a run on rank 0 and stores the verdict for the exit status. It is called after all files
// are on disk and the backend is released: with err, or with an error in printing, no run is VALID.
func (j *job) publish(t comm.Transport, log rankLog, run *record.Run, err error) error {
	if run == nil {
		return err
	}
	if err != nil && run.Failure == "" {
		run.Failure = err.Error()
		run.Settle()
	}
	log.Say("%s", run.Verdict())
	j.valid.Store(j.opt.reference.accepts(run.Status))
	if t.Rank() != 0 {
		return err
	}
	if run.Status == record.Incomplete && run.Done() > 0 {
		j.printHowToResume(t.Size())
	}
	j.printNextCommands(run)
	return cmp.Or(writeGauges(j.opt.gauges, run.WritePrometheus), j.printResult(run), err)
}

// printNextCommands prints the folder of a stored run, and the commands that use it.
func (j *job) printNextCommands(run *record.Run) {
	dir := j.cfg.Output.Dir
	if dir == "" || j.opt.quiet {
		return
	}
	submit := ""
	if run.Status == record.Valid && run.Graph == nil {
		submit = fmt.Sprintf("; g500 submission %s checks and packs it", dir)
	}
	fmt.Fprintf(j.errOut, "the run is in %s: g500 report %[1]s makes tables and a page%s\n", dir, submit)
}

// printResult prints the output block, if the run may have one, a summary and the verdict, or only the run as JSON.
func (j *job) printResult(run *record.Run) error {
	if j.opt.json {
		return run.WriteJSON(j.out)
	}
	block, rest, verdict := run.WriteOfficial, j.rest(), run.Verdict()
	if ref := j.opt.reference; ref != nil {
		if ref.skipBFS {
			block = run.WriteWithoutBFS
		}
		if run.Status == record.Unvalidated {
			verdict = "not validated"
		}
	} else if j.cfg.Output.Names == "spec" {
		block = run.WriteSpec
	}
	if run.Status == record.Valid || run.Status == record.Unvalidated {
		if err := block(j.out); err != nil {
			return err
		}
		fmt.Fprintln(rest)
	}
	if !j.opt.quiet {
		if err := run.WriteSummary(rest); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(rest, verdict)
	return err
}

// rest returns the output for everything except the output block.
func (j *job) rest() io.Writer {
	if j.opt.reference != nil {
		return j.errOut
	}
	return j.out
}

// given is the environment of this process before the program changes it.
var given = os.Environ()

// environment describes the machine and the program.
func environment(transport comm.HostTransport, backend bench.Backend, threads int) record.Environment {
	memory, _ := machine.Here.Memory()
	return record.Environment{
		Program:   programVersion(),
		Command:   os.Args,
		Started:   time.Now().Format(time.RFC3339),
		CPU:       machine.CPU(),
		Cores:     machine.OnlineCores(),
		Threads:   threads,
		MemoryB:   memory,
		System:    machine.System(),
		Go:        runtime.Version(),
		MPI:       transport.Library(),
		Transport: transport.Name,
		Engine:    backend.Name,
		Device:    backend.Device,
		Queue:     machine.Queue(),
		Variables: machine.TransportVariables(given),
	}
}

// printKernels prints a table of the times of GPU kernels, the longest first, if the backend has timed any.
func printKernels(w io.Writer, backend bench.Backend) error {
	if backend.KernelTimes == nil {
		return nil
	}
	times := backend.KernelTimes()
	if len(times) == 0 {
		return nil
	}
	slices.SortStableFunc(times, func(a, b bench.KernelTime) int { return cmp.Compare(b.Seconds, a.Seconds) })
	table := output.Table{Head: []string{"launches", "total ms", "mean us", "kernel"}, Named: true}
	for _, k := range times {
		total, mean := fmt.Sprintf("%.3f", k.Seconds*1e3), fmt.Sprintf("%.1f", k.Seconds*1e6/float64(k.Launches))
		table.Row(k.Launches, total, mean, k.Name)
	}
	_, err := io.WriteString(w, table.Text())
	return err
}
