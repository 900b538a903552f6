package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/lab"
	"g500/lab/color"
)

// colorOptions are the flags of "g500 lab color".
type colorOptions struct {
	labMachines
	plan                              color.Plan
	graphs, algorithms, optimisations string
	format                            outputFormat
}

func labColorCommand() *cobra.Command {
	opt := colorOptions{algorithms: "all", optimisations: "all"}
	opt.plan = color.Plan{Runs: 10}
	c := &cobra.Command{
		Use:   "color",
		Short: "Measure graph colouring: algorithms on cores and a GPU, each optimisation alone and together",
		Long: "Colour undirected graphs by the algorithms of Chen et al. and by Jones-Plassmann, largest log-degree\n" +
			"first, each several times, and check each colouring by its edges. Without a GPU serial, parallel, gm3 and\n" +
			"jp colour on cores, and the others are left out.\n\n" +
			"Algorithms: " + strings.Join(color.Names(), ", ") + ".\n" +
			"Optimisations: " + strings.Join(color.Optimisations, ", ") + ".\n" +
			"Variants, which can be appended to data and topology like optimisations: " +
			strings.Join(color.Variants, ", ") + ".",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := opt.check(c.Flags()); err != nil {
				return misuseError{err}
			}
			var result *lab.Report
			opt.plan.Load = labGraphs(c.ErrOrStderr())
			body := func(ctx context.Context, all []color.Machine, show progress) (err error) {
				result, err = color.Measure(ctx, opt.plan, all, show)
				return err
			}
			if err := useLab(&opt.labMachines, c.ErrOrStderr(), openColorers, body); err != nil {
				return err
			}
			return opt.format.writeLab(c.OutOrStdout(), result)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", labGraphHelp)
	f.StringVar(&opt.algorithms, "algorithm", opt.algorithms,
		"color by these algorithms: all, or names, as serial,data+fuse")
	f.StringVar(&opt.optimisations, "opt", opt.optimisations,
		"apply these optimisations in algorithms opt and alone: all, or names")
	f.IntVar(&opt.plan.Runs, "runs", opt.plan.Runs, "time this many colourings by each algorithm, after one warm-up")
	opt.format.addTo(f, "colouring")
	opt.addTo(f)
	return c
}

func (o *colorOptions) check(f *pflag.FlagSet) (err error) {
	if o.graphs == "" {
		return errors.New("name a graph, as in --graph kron:scale=16")
	}
	if err := cmp.Or(refuseTogether(f, "json", "csv"), o.labMachines.check()); err != nil {
		return err
	}
	o.plan.Names = lab.SplitSpecs(o.graphs)
	if o.plan.Algorithms, err = color.Choose(o.algorithms, o.optimisations); err != nil {
		return err
	}
	names := strings.Split(o.algorithms, ",")
	for _, a := range o.plan.Algorithms {
		if a.NeedsGPU() {
			o.needGPU(f, "algorithm", a.Name)
		}
	}
	o.needGPU(f, "opt", o.optimisations)
	optimised := o.algorithms == "all" || slices.Contains(names, "opt") || slices.Contains(names, "alone")
	return refuseIdle(f, idleFlag{"opt", !optimised, "without --algorithm opt or alone"})
}

// openColorers returns the machines that colour: a GPU, if there is one, then the cores.
func openColorers(at labPlace) (all []color.Machine, err error) {
	if at.hasGPU {
		m, err := gpuColorer(at.clock)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return append(all, color.NewCores(at.threads, at.clock)), nil
}
