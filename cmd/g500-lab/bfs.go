// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/lab"
)

// bfsOptions are the flags of "g500-lab bfs".
type bfsOptions struct {
	options
	times string // a file with times of other programs, "" for none
	list  bool
}

func bfsCommand() *cobra.Command {
	opt := bfsOptions{options: options{plan: lab.Plan{Runs: 100, Seed: 2, Validate: true}}}
	c := &cobra.Command{
		Use:  "bfs",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.list {
				var given []string
				c.Flags().Visit(func(f *pflag.Flag) { given = append(given, f.Name) })
				given = slices.DeleteFunc(given, func(name string) bool { return name == "list" || name == "strategies" })
				if err := cli.RefuseIdle(c.Flags(), "with --list", given...); err != nil {
					return err
				}
				return listStrategies(c.OutOrStdout(), opt.table)
			}
			if err := opt.check(c.Flags()); err != nil {
				return cli.Misuse(err)
			}
			return opt.measure(c, openSearchers, lab.Measure)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", graphHelp)
	opt.searchesTo(f, "all", "search by these strategies: all, or names, as merrill-*,merrill-hybrid:cull=none",
		&opt.plan.Runs)
	f.StringVar(&opt.times, "times", "", "add the times of other programs in this CSV file: graph,strategy,source,seconds")
	f.StringVar(&opt.plan.Output, "result", "", "compute distance or parent; by default as each strategy does")
	f.Uint64Var(&opt.plan.Seed, "seed", opt.plan.Seed, "seed the choice of sources")
	f.BoolVar(&opt.plan.Validate, "validate", opt.plan.Validate, "validate each result")
	f.BoolVar(&opt.plan.Trace, "trace", false, "print each level of the first search; with --csv one row per level")
	f.BoolVar(&opt.list, "list", false, "print the strategies and exit")
	opt.format.AddTo(c, "search")
	opt.machinesTo(f)
	opt.pluginsTo(f)
	return c
}

func (o *bfsOptions) check(f *pflag.FlagSet) (err error) {
	if err := o.options.check(); err != nil {
		return err
	}
	if o.plan.Strategies, err = chooseStrategies(o.table, o.strategies); err != nil {
		return err
	}
	o.chosen(f, "strategy")
	if o.times != "" {
		if o.read, err = lab.ReadTimes(o.times); err != nil {
			return err
		}
	}
	o.needGPU(f, "plugin", "")
	if o.plan.Trace { // engines on CPUs have no trace
		o.needGPU(f, "trace", "")
	}
	return nil
}

// chooseStrategies returns the strategies of a list, from the table of the program and a file, if it is not "".
func chooseStrategies(file, list string) ([]lab.Strategy, error) {
	table, err := lab.ReadTable(file)
	if err != nil {
		return nil, err
	}
	return table.Choose(list)
}

// listStrategies prints the strategies of the program and of a file, if it is not "".
func listStrategies(w io.Writer, file string) error {
	all, err := chooseStrategies(file, "all")
	if err != nil {
		return cli.Misuse(err)
	}
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%-30s  %s, %s\n%32s%s\n", s.Name, s.Paper, s.Section, "", s.SettingsText())
		if s.Differs != "" {
			fmt.Fprintf(&b, "%32sdiffers from the paper: %s\n", "", s.Differs)
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}
