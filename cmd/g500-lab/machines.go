// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/comm"
	"g500/graph/formats"
	"g500/internal/machine"
	"g500/lab"
	"g500/settings"
)

// engines are the values of --engine.
var engines = []string{"auto", "gpu", cpuEngine, emulatedEngine}

const (
	cpuEngine      = "cpu"
	emulatedEngine = "emulated" // a GPU that is emulated on the CPU, with counts in place of times
)

// The programs of child processes, for a GPU and in the emulator. Tests replace the second one.
var (
	childProgram    = cli.GPUProgram{Name: "g500-lab-child-cuda", Make: "make lab CUDA=1"}
	emulatedProgram = cli.GPUProgram{Name: "g500-lab-child-emulated", Make: "make lab-emulated"}
)

// graphHelp is the help of --graph.
const graphHelp = "use the graphs of these specs, as kron:scale=16,grid2d:512x512"

// options are flags that the commands have in common.
type options struct {
	graphs  string
	engine  string
	threads int
	quiet   bool
	format  cli.OutputFormat
	plan    lab.Plan   // of bfs and color
	read    *lab.Times // of other programs; nil for none

	strategies, table string // "" for a file without strategies

	plugins       []string
	pluginSeconds int

	onGPU []string // flags and values of the command line that have no effect without a GPU
}

// machinesTo adds the flags that choose machines.
func (o *options) machinesTo(f *pflag.FlagSet) {
	f.StringVar(&o.engine, "engine", "auto",
		"use: auto (a GPU if there is one, and the CPU), gpu, cpu or emulated (counts)")
	f.IntVar(&o.threads, "threads", 0, "use this many worker threads on CPUs; 0 for all cores")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "hide progress")
}

// pluginsTo adds the flags of plugins.
func (o *options) pluginsTo(f *pflag.FlagSet) {
	f.StringSliceVar(&o.plugins, "plugin", nil, "search also by these shared libraries with a function g500_plugin_search")
	f.IntVar(&o.pluginSeconds, "plugin-seconds", 60, "end a plugin whose search takes longer than this many seconds")
}

// searchesTo adds the flags that choose searches, of which sources has the number.
func (o *options) searchesTo(f *pflag.FlagSet, strategies, help string, sources *int) {
	f.StringVar(&o.strategies, "strategy", strategies, help)
	f.StringVar(&o.table, "strategies", "", "add the strategies of this file, with rows as in lab/strategies.toml")
	f.IntVar(sources, "sources", *sources, "search from this many vertices by each strategy")
}

// check checks the flags that commands other than study have.
func (o *options) check() error {
	if o.graphs == "" {
		return errors.New("name a graph, as in --graph kron:scale=16")
	}
	o.plan.Names = lab.SplitSpecs(o.graphs)
	return o.checkThreads()
}

func (o *options) checkThreads() error {
	cfg := settings.Default()
	cfg.Machine.Threads = o.threads
	return cfg.Check()
}

// needGPU notes that a flag with this value has no effect without a GPU, if it was given and is not "all".
func (o *options) needGPU(f *pflag.FlagSet, flag, value string) {
	if given := f.Lookup(flag); given.Changed && given.Value.String() != "all" {
		o.onGPU = append(o.onGPU, strings.TrimSpace("--"+flag+" "+value))
	}
}

// chosen notes the first strategy of a flag that has no effect without a GPU.
func (o *options) chosen(f *pflag.FlagSet, flag string) {
	for _, s := range o.plan.Strategies {
		if s.NeedsGPU() {
			o.needGPU(f, flag, s.Name)
		}
	}
}

// refuseWithoutGPU returns a misuse error if a flag of the command line needs a GPU and none is used. noGPU is the
// reason why there is none, nil if there is one.
func (o *options) refuseWithoutGPU(noGPU error) error {
	switch {
	case o.engine == "gpu" && noGPU != nil:
		return cli.Misuse(noGPU)
	case len(o.onGPU) == 0:
	case o.engine == cpuEngine:
		return cli.Misuse(fmt.Errorf("%s has no effect with --engine cpu: leave one of them out", o.onGPU[0]))
	case noGPU != nil:
		return cli.Misuse(fmt.Errorf("%s has no effect without a GPU (%w): leave it out, or choose --engine emulated",
			o.onGPU[0], noGPU))
	}
	return nil
}

// session is the measurement of a command, with the resources of which machines are made.
type session struct {
	ctx        context.Context
	t          comm.Transport // of one rank
	watch      cli.Progress
	notes      io.Writer // of the readers of files
	threads    int
	clock      func() time.Duration
	gpu, busID string // its name, and its bus id; "" for none
	asked      *options
}

// use starts the GPU program in place of this one if there is a GPU, calls open to make the machines, and calls body to
// measure on them.
func use[M io.Closer, R any](
	o *options, c *cobra.Command, open func(session) ([]M, error), body func(s session, all []M) (R, error),
) (result R, err error) {
	errOut := c.ErrOrStderr()
	noGPU := toGPUProgram(o.engine)
	if err := o.refuseWithoutGPU(noGPU); err != nil {
		return result, err
	}
	show := cli.NewProgress(errOut, o.quiet, cli.ShortSilence)
	defer show.Close()
	ctx, end := cli.UntilStopped(cli.Grace, errOut)
	defer end()
	err = comm.Loopback(1, func(t comm.Transport) error {
		began := time.Now()
		in := session{ctx, t, show, errOut, cmp.Or(o.threads, machine.Cores()),
			func() time.Duration { return time.Since(began) }, "", "", o}
		if noGPU != nil {
			show.Note("everything that needs a GPU is left out: " + noGPU.Error())
		} else if o.engine != cpuEngine && o.engine != emulatedEngine {
			if in.gpu, in.busID, err = gpuName(); err != nil {
				return err
			}
		}
		all, err := open(in)
		if err != nil {
			return err
		}
		result, err = body(in, all)
		for _, one := range all {
			err = errors.Join(err, one.Close())
		}
		return err
	})
	return result, err
}

// openSearchers returns the machines that search: child processes, the engine on a GPU, if there is one, and the cores.
// Without a GPU the plugins of a study's file are left out.
func openSearchers(at session) (all []lab.Machine, err error) {
	plugins, err := lab.PluginsOf(at.asked.plugins...)
	if err != nil {
		return nil, cli.Misuse(err)
	}
	children, err := at.children()
	if err != nil {
		return nil, err
	}
	for _, child := range children {
		all = append(all, child)
		for i, own := range plugins {
			limit := time.Duration(at.asked.pluginSeconds) * time.Second
			plugin, err := child.NewPlugin(at.asked.plugins[i], own, limit)
			if err != nil {
				return nil, cli.Misuse(err)
			}
			all = append(all, plugin)
		}
	}
	if at.gpu != "" {
		engine, err := gpuEngine(at.t, at.clock)
		if err != nil {
			return nil, err
		}
		all = slices.Insert(all, 1, engine) // next to the child, which has the same name
	}
	all = append(all, lab.NewCPU(at.t, at.threads, at.clock))
	if at.asked.read != nil {
		all = append(all, at.asked.read)
	}
	return all, nil
}

// children returns a machine in a child process, on a GPU or, if it is the engine, the emulated one; none without both.
func (s session) children() ([]*lab.Child, error) {
	program, child := childProgram, lab.Child{On: s.gpu, Output: os.Stderr}
	if s.asked.engine == emulatedEngine {
		program, child.On = emulatedProgram, "an emulated GPU"
	}
	if child.On == "" {
		return nil, nil
	}
	path, err := program.Path()
	if err != nil {
		return nil, cli.Misuse(fmt.Errorf("this build has no program %s: build it with %s", program.Name, program.Make))
	}
	child.Program = path
	return []*lab.Child{&child}, nil
}

// load makes the graph of a spec, in the order of its input.
func (s session) load(ctx context.Context, text string) (*lab.Graph, error) {
	spec, err := formats.Parse(text)
	if err != nil {
		return nil, cli.Misuse(err)
	}
	_, available := machine.Here.Memory()
	g, err := spec.Make(ctx, runtime.GOMAXPROCS(0), available)
	if err != nil {
		return nil, err
	}
	for _, note := range g.Notes {
		fmt.Fprintf(s.notes, "note: %s\n", note)
	}
	return &lab.Graph{Name: spec.String(), Offsets: g.Offsets, Columns: g.Neighbours, Symmetric: !g.Directed}, nil
}

// measure measures the plan, and writes the report. The error is cli.ErrInvalid if a result was wrong.
func (o *options) measure(c *cobra.Command, open func(session) ([]lab.Machine, error),
	by func(context.Context, lab.Plan, []lab.Machine, lab.Watcher) (*lab.Report, error)) error {
	r, err := use(o, c, open, func(s session, all []lab.Machine) (*lab.Report, error) {
		o.plan.Load = s.load
		o.plan.Strategies = append(slices.Clip(o.plan.Strategies), lab.OwnStrategies(all)...)
		return by(s.ctx, o.plan, all, s.watch)
	})
	if err != nil {
		return err
	}
	rows := r.WriteCSV
	if r.Traced {
		rows = r.WriteLevelsCSV
	}
	if err := o.format.Write(c.OutOrStdout(), r.WriteText, r.WriteJSON, rows); err != nil {
		return err
	}
	if r.Wrong() {
		return cli.ErrInvalid
	}
	return nil
}
