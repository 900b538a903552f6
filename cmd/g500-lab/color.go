// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/lab"
	"g500/lab/color"
)

// colorOptions are the flags of "g500-lab color".
type colorOptions struct {
	options
	algorithms, optimisations string
}

func colorCommand() *cobra.Command {
	opt := colorOptions{algorithms: "all", optimisations: "all", options: options{plan: lab.Plan{Runs: 10}}}
	c := &cobra.Command{
		Use: "color",
		Long: "Colour undirected graphs by the algorithms of Chen et al. and by Jones-Plassmann, largest log-degree\n" +
			"first, each several times, and check each colouring by its edges. Without a GPU serial, parallel, gm3 and\n" +
			"jp colour on cores, and the others are left out.\n\n" +
			"Algorithms: " + strings.Join(color.Names(), ", ") + ".\n" +
			"Optimisations: " + strings.Join(color.Optimisations, ", ") + ".\n" +
			"Variants, which can be appended to data and topology like optimisations: " +
			strings.Join(color.Variants, ", ") + ".",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := opt.check(c.Flags()); err != nil {
				return cli.Misuse(err)
			}
			return opt.measure(c, openColorers, color.Measure)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", graphHelp)
	f.StringVar(&opt.algorithms, "algorithm", opt.algorithms,
		"color by these algorithms: all, or names, as serial,data+fuse")
	f.StringVar(&opt.optimisations, "opt", opt.optimisations,
		"apply these optimisations in algorithms opt and alone: all, or names")
	f.IntVar(&opt.plan.Runs, "runs", opt.plan.Runs, "time this many colourings by each algorithm, after untimed ones")
	opt.format.AddTo(c, "colouring")
	opt.machinesTo(f)
	return c
}

func (o *colorOptions) check(f *pflag.FlagSet) (err error) {
	if err := o.options.check(); err != nil {
		return err
	}
	if o.plan.Strategies, err = color.Choose(o.algorithms, o.optimisations); err != nil {
		return err
	}
	names := strings.Split(o.algorithms, ",")
	o.chosen(f, "algorithm")
	o.needGPU(f, "opt", o.optimisations)
	if o.algorithms == "all" || slices.Contains(names, "opt") || slices.Contains(names, "alone") {
		return nil
	}
	return cli.RefuseIdle(f, "without --algorithm opt or alone", "opt")
}

// openColorers returns the machines that colour: a GPU, if there is one, then the cores.
func openColorers(at session) (all []lab.Machine, err error) {
	children, err := at.children()
	for _, child := range children {
		all = append(all, child)
	}
	return append(all, color.NewCores(at.threads, at.clock)), err
}
