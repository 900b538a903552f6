package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	list       bool
	format     labFormat
}

func labCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "Measure the strategies of papers under one set of rules",
		Long: "Measure the strategies of papers under one set of rules: bfs for any graphs and\n" +
			"strategies, color for graph colouring, study for what a paper says of its own,\n" +
			"pages for graphs that change.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuseError{fmt.Errorf("there is no command %q; see %s --help", args[0], c.CommandPath())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(labBFSCommand(), labColorCommand(), labStudyCommand(), labPagesCommand())
	return c
}

func labBFSCommand() *cobra.Command {
	opt := labOptions{strategies: "all"}
	opt.plan = lab.Plan{Sources: 100, Seed: 2, Validate: true}
	c := &cobra.Command{
		Use:   "bfs",
		Short: "Measure BFS strategies of four papers, on any graph, from the same sources",
		Long: "Search graphs by the strategies of four papers (--list names them) and by this project's engines, each\n" +
			"from the same sources, and validate each result with a reference. Strategies of papers need a GPU;\n" +
			"without one they are left out. Rates count directed edges, as the papers do, beside TEPS as Graph500 counts.\n" +
			"These are no results of the benchmark: kernel 1 is not part of them, and vertices keep the order of the input.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.list {
				if err := refuseOthers(c.Flags(), "list"); err != nil {
					return err
				}
				return listStrategies(c.OutOrStdout())
			}
			if err := opt.check(); err != nil {
				return misuseError{err}
			}
			if err := opt.refuseIdle(c.Flags()); err != nil {
				return err
			}
			var result *lab.Report
			opt.plan.Load = labGraphs(c.ErrOrStderr())
			body := func(ctx context.Context, all []lab.Machine, show progress) (err error) {
				result, err = lab.Measure(ctx, opt.plan, all, show)
				return err
			}
			if err := useLab(&opt.labMachines, c.ErrOrStderr(), openSearchers, body); err != nil {
				return err
			}
			return opt.format.tell(result, c.OutOrStdout(), result.WriteText, result.WriteCSV)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", labGraphHelp)
	f.StringVar(&opt.strategies, "strategy", opt.strategies,
		"search by these strategies: all, or names, as merrill-*,merrill-hybrid:cull=none")
	f.StringVar(&opt.plan.Output, "result", "", "compute distance or parent; by default as each strategy does")
	f.IntVar(&opt.plan.Sources, "sources", opt.plan.Sources, labSourcesHelp)
	f.Uint64Var(&opt.plan.Seed, "seed", opt.plan.Seed, "seed the choice of sources")
	f.BoolVar(&opt.plan.Validate, "validate", opt.plan.Validate, "validate each result")
	f.BoolVar(&opt.plan.Trace, "trace", false, "print statistics of each level of the first search")
	f.BoolVar(&opt.list, "list", false, "print the strategies and exit")
	opt.format.addTo(f, "search")
	opt.addTo(f)
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
	}
	if err := errors.Join(o.format.check(), o.labMachines.check()); err != nil {
		return err
	}
	o.plan.Names = lab.SplitSpecs(o.graphs)
	o.plan.Strategies, err = lab.Choose(o.strategies)
	return err
}

// refuseIdle refuses a trace that is not printed, and notes which flags need a GPU.
func (o *labOptions) refuseIdle(f *pflag.FlagSet) error {
	for _, s := range o.plan.Strategies {
		if s.NeedsGPU() {
			o.needGPU(f, "strategy", s.Name)
		}
	}
	if o.plan.Trace { // engines on CPUs have none
		o.needGPU(f, "trace", "")
	}
	return refuseIdle(f, idleFlag{"trace", o.plan.Trace && o.format.csv, "with --csv, which has no levels"})
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
