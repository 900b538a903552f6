package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
	"g500/lab"
)

// labOptions are the flags of "g500 lab bfs".
type labOptions struct {
	plan       lab.Plan
	graphs     string
	strategies string
	engine     string
	threads    int
	quiet      bool
	list       bool
	json, csv  bool
}

func labCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "Measure the strategies of papers under one set of rules",
		Long:  "Measure the strategies of papers under one set of rules: g500 lab bfs --help tells of searches.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuseError{fmt.Errorf("there is no command %q; see %s --help", args[0], c.CommandPath())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(labBFSCommand())
	return c
}

func labBFSCommand() *cobra.Command {
	opt := labOptions{strategies: "all", engine: "auto"}
	opt.plan = lab.Plan{Load: loadLabGraph, Sources: 100, Seed: 2, Validate: true}
	c := &cobra.Command{
		Use:   "bfs",
		Short: "Measure BFS strategies of four papers, on any graph, from the same sources",
		Long: "Search graphs by the strategies of four papers (--list names them) and by this project's engines for CPUs,\n" +
			"each from the same sources, and judge each result against a slow twin. Strategies of papers need a GPU;\n" +
			"without one they are left out. Rates count directed edges, as the papers do, beside TEPS as Graph500 counts.\n" +
			"These are no results of the benchmark: kernel 1 is not part of them, and vertices keep the order of the input.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.list {
				return listStrategies(c.OutOrStdout())
			}
			if err := opt.check(); err != nil {
				return misuseError{err}
			}
			return opt.measure(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", "graphs, by specs with commas between, as in kron:scale=16,grid2d:512x512")
	f.StringVar(&opt.strategies, "strategy", opt.strategies,
		"all, or names with commas between; merrill-* means several, and merrill-hybrid:cull=none changes a part")
	f.StringVar(&opt.plan.Output, "result", "", "what a search finds: distance or parent; as strategies have it if empty")
	f.IntVar(&opt.plan.Sources, "sources", opt.plan.Sources, "searches by each strategy, from different vertices")
	f.Uint64Var(&opt.plan.Seed, "seed", opt.plan.Seed, "of the sources")
	f.StringVar(&opt.engine, "engine", opt.engine, "where to search: auto, gpu (a GPU is a must) or cpu (no GPU)")
	f.IntVar(&opt.threads, "threads", 0, "worker threads of searches on CPUs; 0 for all cores")
	f.BoolVar(&opt.plan.Validate, "validate", opt.plan.Validate, "judge each result")
	f.BoolVar(&opt.plan.Trace, "trace", false, "tell what each level of the first search did")
	f.BoolVar(&opt.list, "list", false, "list the strategies, and search nothing")
	f.BoolVar(&opt.quiet, "quiet", false, "show no progress")
	f.BoolVar(&opt.json, "json", false, "print JSON, in base units: seconds, bytes, edges a second")
	f.BoolVar(&opt.csv, "csv", false, "print CSV, a row for each search, in base units")
	return c
}

func (o *labOptions) check() (err error) {
	switch {
	case o.graphs == "":
		return errors.New("name a graph, as in --graph kron:scale=16")
	case o.plan.Sources < 1:
		return fmt.Errorf("--sources %d: choose 1 or more", o.plan.Sources)
	case o.plan.Output != "" && o.plan.Output != "distance" && o.plan.Output != "parent":
		return fmt.Errorf("--result %s is none: choose distance or parent", o.plan.Output)
	case o.engine != "auto" && o.engine != gpuEngine && o.engine != "cpu":
		return fmt.Errorf("--engine %s is none: choose auto, gpu or cpu", o.engine)
	case o.threads < 0:
		return fmt.Errorf("--threads %d: choose 0 or more", o.threads)
	case o.json && o.csv:
		return errors.New("--json and --csv exclude each other: choose one")
	}
	o.plan.Graphs = lab.SplitSpecs(o.graphs)
	o.plan.Strategies, err = lab.Choose(o.strategies)
	return err
}

// listStrategies prints the table.
func listStrategies(w io.Writer) error {
	for _, s := range lab.Table() {
		var parts []string
		for _, setting := range s.Settings {
			parts = append(parts, setting.Key+"="+setting.Value)
		}
		_, err := fmt.Fprintf(w, "%-30s  %s, %s\n%32s%s\n", s.Name, s.Paper, s.Section, "", strings.Join(parts, " "))
		if err != nil {
			return err
		}
	}
	return nil
}

// measure lets the GPU program take over where there is one, and measures.
func (o *labOptions) measure(out, errOut io.Writer) error {
	cfg := bench.DefaultConfig()
	cfg.Search.Engine = o.engine
	noGPU := toGPUProgram(cfg)
	if o.engine == gpuEngine && noGPU != nil {
		return misuseError{noGPU}
	}
	show := newProgress(errOut, o.quiet)
	defer show.Close()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	var result *lab.Report
	err := comm.Loopback(1, func(t comm.Transport) (err error) {
		machines, release, err := o.machines(t, noGPU, show)
		if err != nil {
			return err
		}
		result, err = lab.Measure(ctx, o.plan, machines, show)
		return errors.Join(err, release())
	})
	if err != nil {
		return err
	}
	show.Close()
	return o.tell(result, out)
}

// machines are those that search: the GPU first, if there is one.
func (o *labOptions) machines(t comm.Transport, noGPU error, show progress) ([]lab.Machine, func() error, error) {
	threads := o.threads
	if threads == 0 {
		threads = machine.Cores()
	}
	began := time.Now()
	cpu := lab.NewCPU(t, threads, func() time.Duration { return time.Since(began) })
	all := []lab.Machine{cpu}
	if o.engine != "cpu" && noGPU == nil {
		card, err := gpuLab()
		if err != nil {
			return nil, nil, err
		}
		all = []lab.Machine{card, cpu}
	} else if noGPU != nil {
		show.Note("strategies of papers are left out: " + noGPU.Error())
	}
	release := func() (err error) {
		for _, m := range all {
			err = errors.Join(err, m.Close())
		}
		return err
	}
	return all, release, nil
}

// tell prints the report, and ends with an error if a result was wrong.
func (o *labOptions) tell(r *lab.Report, out io.Writer) error {
	write := r.WriteText
	switch {
	case o.json:
		write = r.WriteJSON
	case o.csv:
		write = r.WriteCSV
	}
	if err := write(out); err != nil {
		return err
	}
	if r.Wrong() {
		return errInvalid
	}
	return nil
}
