package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"g500/graph/input"
	"g500/lab"
	"g500/lab/pages"
)

// pagesOptions are the flags of "g500 lab pages".
type pagesOptions struct {
	graph, updates   string
	pageBytes, spare int
}

func labPagesCommand() *cobra.Command {
	opt := pagesOptions{pageBytes: 64, spare: 1 << 16}
	c := &cobra.Command{
		Use:   "pages",
		Short: "Apply batches of updates to a graph that is kept in pages",
		Long: "Keep a graph in pages of one size, apply batches of updates, and tell what each did. A batch is applied\n" +
			"whole, or not at all where the pages do not suffice. Updates are directed edges; an undirected graph begins\n" +
			"with both directions. This is done on a CPU, and not timed.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			next, err := opt.batches()
			if err != nil {
				return misuseError{err}
			}
			graph, err := loadLabGraph(c.Context(), opt.graph)
			if err != nil {
				return err
			}
			return opt.apply(graph, next, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&opt.graph, "graph", "", "the graph at the beginning, by its spec")
	f.StringVar(&opt.updates, "updates", "",
		"a file (+ u v, - u v, +v u, -v u, ? u v; empty lines end a batch), or "+
			"random:batches=4,size=1000,deletions=0.5,seed=1")
	f.IntVar(&opt.pageBytes, "page-bytes", opt.pageBytes, "size of a page; a multiple of 4")
	f.IntVar(&opt.spare, "spare-pages", opt.spare, "pages beside those of the graph at the beginning")
	return c
}

// nextBatch makes a batch by its number, or nil behind the last one.
type nextBatch func(g *pages.Graph, number int) []pages.Update

// batches reads what is asked for, and finds mistakes before a graph is made.
func (o *pagesOptions) batches() (nextBatch, error) {
	if _, err := input.Parse(o.graph); err != nil || o.graph == "" {
		return nil, errors.Join(errors.New("name a graph, as in --graph kron:scale=16"), err)
	}
	if o.pageBytes < 8 || o.pageBytes%4 != 0 || o.spare < 0 {
		return nil, fmt.Errorf("--page-bytes %d, --spare-pages %d: choose a multiple of 4 from 8 on, and 0 pages or more",
			o.pageBytes, o.spare)
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
	file, err := os.Open(o.updates)
	if err != nil {
		return nil, fmt.Errorf("--updates: %w; name a file, or random:size=1000", err)
	}
	defer file.Close()
	all, err := pages.Read(file)
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

// apply applies batches, and prints a row for each.
func (o *pagesOptions) apply(graph *lab.Graph, next nextBatch, out io.Writer) error {
	g, err := pages.Load(graph.Offsets, graph.Columns, o.pageBytes, o.spare)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d vertices, pages of %d bytes, %d free\n", graph.Name, g.Vertices(), o.pageBytes, g.PagesFree())
	for number := 0; ; number++ {
		updates := next(g, number)
		if updates == nil {
			return nil
		}
		t, err := g.Apply(updates)
		if err != nil {
			return fmt.Errorf("batch %d: %w", number+1, err)
		}
		fmt.Fprintf(out, "batch %d: %d updates, %d edges inserted, %d deleted, %d vertices added, %d removed, "+
			"%d unchanged, %d unknown, %d queries found, %d not; %d pages free\n", number+1, len(updates), t.Inserted,
			t.Deleted, t.Added, t.Removed, t.Unchanged, t.Unknown, t.Found, t.Missing, g.PagesFree())
	}
}
