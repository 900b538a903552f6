package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"g500/graph/formats"
	"g500/internal/infile"
	"g500/lab"
	"g500/lab/pages"
)

// pagesOptions are the flags of "g500 lab pages".
type pagesOptions struct {
	labMachines
	graph, updates, strategies, table string

	plan pages.Plan
	json bool
}

func labPagesCommand() *cobra.Command {
	opt := pagesOptions{strategies: "toedling-*", plan: pages.Plan{PageBytes: 64, Spare: 1 << 16, Sources: 8, Seed: 2}}
	c := &cobra.Command{
		Use:   "pages",
		Short: "Change a graph that is kept in pages by batches of updates, and search it there",
		Long: "Keep a graph in pages of one size, apply batches of updates, and print the effect of each batch. A batch\n" +
			"is applied completely, or not at all if the pages do not suffice. An update of an undirected graph is made\n" +
			"in both directions and counted twice. A GPU keeps the levels of a search up to date after each batch, and\n" +
			"searches after the last one, in pages and in rows. The CPU checks every step; without a GPU it does the\n" +
			"updates alone.\n\n" +
			"A file of updates has one update per line: + u v inserts an edge, - u v deletes it, ? u v queries it, +v u\n" +
			"adds vertex u, -v u removes it. An empty line ends a batch.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if opt.plan.Batch, err = opt.check(); err != nil {
				return misuseError{err}
			}
			opt.needGPU(c.Flags(), "strategy", opt.strategies)
			opt.needGPU(c.Flags(), "strategies", opt.table)
			opt.needGPU(c.Flags(), "sources", strconv.Itoa(opt.plan.Sources))
			var result *pages.Report
			body := func(ctx context.Context, all []pages.Machine, show progress) (err error) {
				show.Step(opt.graph+makingGraph, 0)
				if opt.plan.Graph, err = labGraphs(c.ErrOrStderr())(ctx, opt.graph); err != nil {
					return err
				}
				opt.plan.Batch = mirrored(opt.plan.Batch, opt.plan.Graph)
				result, err = pages.Measure(ctx, opt.plan, all[0], show)
				return err
			}
			err = useLab(&opt.labMachines, c.ErrOrStderr(), openPages, body)
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
	f.StringVar(&opt.graph, "graph", "", "start with the graph of this spec")
	f.StringVar(&opt.updates, "updates", "",
		"apply updates from a file or random:batches=4,size=1000,deletions=0.5,seed=1")
	f.IntVar(&opt.plan.PageBytes, "page-bytes", opt.plan.PageBytes, "set the page size, a power of two")
	f.IntVar(&opt.plan.Spare, "spare-pages", opt.plan.Spare,
		"allocate this many pages in addition to the pages of the first graph")
	f.StringVar(&opt.strategies, "strategy", opt.strategies,
		"search after the last batch by these strategies, as in g500 lab bfs")
	f.StringVar(&opt.table, "strategies", "", labTableHelp)
	f.IntVar(&opt.plan.Sources, "sources", opt.plan.Sources, labSourcesHelp)
	f.BoolVar(&opt.json, "json", false, "print JSON, in base units")
	opt.addTo(f)
	return c
}

// openPages returns the machine that stores the graph: a GPU, if there is one, else a core.
func openPages(at labPlace) ([]pages.Machine, error) {
	if !at.hasGPU {
		return []pages.Machine{pages.NewCore(at.clock)}, nil
	}
	m, err := gpuPages()
	return []pages.Machine{m}, err
}

// nextBatch returns the batch of that number, nil after the last one.
type nextBatch = func(g *pages.Graph, number int) []pages.Update

// check checks the flags and returns the updates.
func (o *pagesOptions) check() (batch nextBatch, err error) {
	if o.graph == "" {
		return nil, errors.New("name a graph, as in --graph kron:scale=16")
	}
	if _, err := formats.Parse(o.graph); err != nil {
		return nil, err
	}
	if err := cmp.Or(pages.CheckPageBytes(o.plan.PageBytes), o.labMachines.check()); err != nil {
		return nil, err
	}
	if o.plan.Strategies, err = chooseStrategies(o.table, o.strategies); err != nil {
		return nil, err
	}
	if parameters, random := strings.CutPrefix(o.updates, "random:"); random || o.updates == "random" {
		r, err := pages.ParseRandom(strings.TrimPrefix(parameters, "random"))
		return func(g *pages.Graph, number int) []pages.Update {
			if number == r.Batches {
				return nil
			}
			return r.Draw(g, number)
		}, err
	}
	if o.updates == "" {
		return nil, errors.New("name a file of updates, as in --updates FILE, or --updates random:size=1000")
	}
	text, err := infile.Small(o.updates, "the updates", infile.Records)
	if err != nil {
		return nil, fmt.Errorf("%w, or write random:size=1000", err)
	}
	all, err := pages.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.updates, err)
	}
	return func(_ *pages.Graph, number int) []pages.Update {
		if number == len(all) {
			return nil
		}
		return all[number]
	}, nil
}

// mirrored returns the batches with each edge in both directions if the graph is undirected, else the batches.
func mirrored(batch nextBatch, g *lab.Graph) nextBatch {
	if !g.Symmetric {
		return batch
	}
	return func(reference *pages.Graph, number int) []pages.Update {
		if updates := batch(reference, number); updates != nil {
			return pages.BothWays(updates)
		}
		return nil
	}
}
