// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"g500/cmd/cli"
	"g500/graph/formats"
	"g500/internal/infile"
	"g500/lab"
	"g500/lab/pages"
)

// pagesOptions are the flags of "g500-lab pages".
type pagesOptions struct {
	options
	updates string
	plan    pages.Plan
	json    bool
}

func pagesCommand() *cobra.Command {
	opt := pagesOptions{plan: pages.Plan{Sources: 8, Seed: 2, Layout: pages.Layout{PageBytes: 64, Spare: 1 << 16}}}
	c := &cobra.Command{
		Use:  "pages",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if err := opt.check(c); err != nil {
				return cli.Misuse(err)
			}
			result, err := use(&opt.options, c, session.children, func(s session, all []*lab.Child) (*pages.Report, error) {
				opt.plan.Load, opt.plan.Clock = s.load, s.clock
				return pages.Measure(s.ctx, opt.plan, append(all, nil)[0], s.watch)
			})
			if result == nil {
				return err
			}
			write := result.WriteText
			if opt.json {
				write = result.WriteJSON
			}
			return errors.Join(err, write(c.OutOrStdout()))
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graphs, "graph", "", "start with the graph of this spec")
	f.StringVar(&opt.updates, "updates", "",
		"apply updates from a file or random:batches=4,size=1000,deletions=0.5,seed=1")
	f.IntVar(&opt.plan.PageBytes, "page-bytes", opt.plan.PageBytes, "set the page size, a power of two")
	f.IntVar(&opt.plan.Spare, "spare-pages", opt.plan.Spare,
		"allocate this many pages in addition to the pages of the first graph")
	opt.searchesTo(f, "toedling-*", "search after the last batch by these strategies, as in g500-lab bfs",
		&opt.plan.Sources)
	f.BoolVar(&opt.json, "json", false, "print JSON, in base units")
	opt.machinesTo(f)
	return c
}

// check checks the flags and completes the plan.
func (o *pagesOptions) check(c *cobra.Command) (err error) {
	if err := o.options.check(); err != nil {
		return err
	}
	if _, err := formats.Parse(o.graphs); err != nil {
		return err
	}
	if err := pages.CheckPageBytes(o.plan.PageBytes); err != nil {
		return err
	}
	o.plan.Names = []string{o.graphs}
	o.needGPU(c.Flags(), "strategy", o.strategies)
	o.needGPU(c.Flags(), "strategies", o.table)
	o.needGPU(c.Flags(), "sources", strconv.Itoa(o.plan.Sources))
	if o.plan.Strategies, err = chooseStrategies(o.table, o.strategies); err != nil {
		return err
	}
	if parameters, random := strings.CutPrefix(o.updates, "random:"); random || o.updates == "random" {
		r, err := pages.ParseRandom(strings.TrimPrefix(parameters, "random"))
		o.plan.Batch = r.Draw
		return err
	}
	if o.updates == "" {
		return errors.New("name a file of updates, as in --updates FILE, or --updates random:size=1000")
	}
	text, err := infile.Small(o.updates, "the updates", infile.Records)
	if err != nil {
		return fmt.Errorf("%w, or write random:size=1000", err)
	}
	all, err := pages.Read(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", o.updates, err)
	}
	all = append(all, nil) // ends the batches
	o.plan.Batch = func(_ *pages.Graph, number int) []pages.Update { return all[number] }
	return nil
}
