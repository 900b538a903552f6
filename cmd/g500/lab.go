package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/lab"
)

// labOptions are the flags of "g500 lab bfs".
type labOptions struct {
	labMachines
	plan       lab.Plan
	graphs     string
	strategies string
	table      string // a file with strategies, "" for none
	times      string // a file with times of other programs, "" for none
	read       *lab.Times
	list       bool
	format     outputFormat
}

func labCommand() *cobra.Command {
	return group("lab", "Measure the strategies of papers under one set of rules",
		"Measure the strategies of papers under one set of rules: bfs for any graphs and strategies, color for graph\n"+
			"colouring, study for the claims of a paper, pages for graphs that change.",
		labBFSCommand(), labColorCommand(), labStudyCommand(), labPagesCommand())
}

func labBFSCommand() *cobra.Command {
	opt := labOptions{strategies: "all"}
	opt.plan = lab.Plan{Sources: 100, Seed: 2, Validate: true}
	c := &cobra.Command{
		Use:   "bfs",
		Short: "Measure BFS strategies of four papers, on any graph, from the same sources",
		Long: "Search graphs by the strategies of four papers (--list names them) and by the engines of g500 run, each\n" +
			"from the same sources, and validate each result with a reference. Strategies of papers need a GPU; without\n" +
			"one they are left out. Rates count directed edges, as the papers do, and TEPS as Graph500 does. These are not\n" +
			"results of the benchmark: they exclude kernel 1, and vertices keep the order of the input.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.list {
				if err := refuseOthers(c.Flags(), "list", "strategies"); err != nil {
					return err
				}
				return listStrategies(c.OutOrStdout(), opt.table)
			}
			if err := opt.check(c.Flags()); err != nil {
				return misuseError{err}
			}
			var result *lab.Report
			opt.plan.Load = labGraphs(c.ErrOrStderr())
			body := func(ctx context.Context, all []lab.Machine, show progress) (err error) {
				if opt.read != nil {
					all = append(slices.Clip(all), opt.read)
				}
				result, err = lab.Measure(ctx, opt.plan, all, show)
				return err
			}
			if err := useLab(&opt.labMachines, c.ErrOrStderr(), openSearchers, body); err != nil {
				return err
			}
			return opt.format.writeLab(c.OutOrStdout(), result)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", labGraphHelp)
	f.StringVar(&opt.strategies, "strategy", opt.strategies,
		"search by these strategies: all, or names, as merrill-*,merrill-hybrid:cull=none")
	f.StringVar(&opt.table, "strategies", "", labTableHelp)
	f.StringVar(&opt.times, "times", "", "add the times of other programs in this CSV file: graph,strategy,source,seconds")
	f.StringVar(&opt.plan.Output, "result", "", "compute distance or parent; by default as each strategy does")
	f.IntVar(&opt.plan.Sources, "sources", opt.plan.Sources, labSourcesHelp)
	f.Uint64Var(&opt.plan.Seed, "seed", opt.plan.Seed, "seed the choice of sources")
	f.BoolVar(&opt.plan.Validate, "validate", opt.plan.Validate, "validate each result")
	f.BoolVar(&opt.plan.Trace, "trace", false, "print each level of the first search; with --csv one row per level")
	f.BoolVar(&opt.list, "list", false, "print the strategies and exit")
	opt.format.addTo(f, "search")
	opt.addTo(f)
	return c
}

func (o *labOptions) check(f *pflag.FlagSet) (err error) {
	if o.graphs == "" {
		return errors.New("name a graph, as in --graph kron:scale=16")
	}
	if err := cmp.Or(refuseTogether(f, "json", "csv"), o.labMachines.check()); err != nil {
		return err
	}
	o.plan.Names = lab.SplitSpecs(o.graphs)
	if o.plan.Strategies, err = chooseStrategies(o.table, o.strategies); err != nil {
		return err
	}
	for _, s := range o.plan.Strategies {
		if s.NeedsGPU() {
			o.needGPU(f, "strategy", s.Name)
		}
	}
	if o.times != "" {
		if o.read, err = lab.ReadTimes(o.times); err != nil {
			return err
		}
		o.plan.Strategies = append(slices.Clip(o.plan.Strategies), o.read.Strategies()...)
	}
	if o.plan.Trace { // engines on CPUs have no trace
		o.needGPU(f, "trace", "")
	}
	return nil
}

// chooseStrategies returns the strategies of a list, from the table of the program and a file, if it is not "".
func chooseStrategies(file, list string) ([]lab.Strategy, error) {
	table := lab.Table()
	if file != "" {
		var err error
		if table, err = lab.ReadTable(file); err != nil {
			return nil, err
		}
	}
	return table.Choose(list)
}

// listStrategies prints the strategies of the program and of a file, if it is not "".
func listStrategies(w io.Writer, file string) error {
	all, err := chooseStrategies(file, "all")
	if err != nil {
		return misuseError{err}
	}
	for _, s := range all {
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
