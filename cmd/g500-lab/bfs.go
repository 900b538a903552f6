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
	plan  lab.Plan
	times string // a file with times of other programs, "" for none
	read  *lab.Times
	list  bool
}

func bfsCommand() *cobra.Command {
	opt := bfsOptions{plan: lab.Plan{Sources: 100, Seed: 2, Validate: true}}
	c := &cobra.Command{
		Use:  "bfs",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if opt.list {
				if err := refuseOthers(c.Flags(), "list", "strategies"); err != nil {
					return err
				}
				return listStrategies(c.OutOrStdout(), opt.table)
			}
			if err := opt.check(c.Flags()); err != nil {
				return cli.Misuse(err)
			}
			result, err := use(&opt.options, c, openSearchers, func(s session, all []lab.Machine) (*lab.Report, error) {
				if opt.read != nil {
					all = append(slices.Clip(all), opt.read)
				}
				opt.plan.Load = s.load
				opt.plan.Strategies = append(slices.Clip(opt.plan.Strategies), lab.OwnStrategies(all)...)
				return lab.Measure(s.ctx, opt.plan, all, s.watch)
			})
			return opt.write(c.OutOrStdout(), result, err)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", graphHelp)
	opt.searchesTo(f, "all", "search by these strategies: all, or names, as merrill-*,merrill-hybrid:cull=none",
		&opt.plan.Sources)
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
	if o.plan.Names, err = o.options.check(); err != nil {
		return err
	}
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
	}
	o.checkPlugins(f)
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

// refuseOthers returns a misuse error if the command line has a flag other than --name, which makes others idle, and
// the allowed ones.
func refuseOthers(f *pflag.FlagSet, name string, allowed ...string) (err error) {
	f.Visit(func(other *pflag.Flag) {
		if other.Name != name && !slices.Contains(allowed, other.Name) && err == nil {
			err = cli.RefuseIdle(f, "with --"+name, other.Name)
		}
	})
	return err
}
