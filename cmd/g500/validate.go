package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/comm"
	"g500/graph"
	"g500/validate"
)

func validateCommand() *cobra.Command {
	cfg := bench.DefaultConfig()
	var tree string
	root := int64(-1)
	c := &cobra.Command{
		Use:   "validate",
		Short: "Check a stored tree against a stored edge list",
		Long: "Check a tree by the specification's rules. The tree is a file with one 64-bit little-endian number for\n" +
			"each vertex in label order, its parent's label or -1, as \"g500 run --output DIR --trees\" writes it.\n" +
			"It ends at the highest label of an edge or later: vertices that it leaves out were not reached.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cfg.Check(); err != nil {
				return misuseError{err}
			}
			if cfg.Graph.Edges == "" || tree == "" || root < 0 {
				return misuseError{errors.New("--edges FILE, --tree FILE and --root LABEL are needed")}
			}
			return checkTree(cfg, tree, graph.Global(root), c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&cfg.Graph.Edges, "edges", "", "edge list")
	f.StringVar(&tree, "tree", "", "tree to check")
	f.Int64Var(&root, "root", root, "root of the tree")
	graphFlags(f, &cfg.Graph)
	machineFlags(f, &cfg.Machine)
	return c
}

// checkTree judges the tree on all ranks, which come to one verdict, and prints that on rank 0.
func checkTree(cfg bench.Config, tree string, root graph.Global, out io.Writer) error {
	launch, _, err := launcher(cfg.Machine)
	if err != nil {
		return misuseError{err}
	}
	var wrong atomic.Bool
	err = launch(func(t comm.Transport) error {
		verdict, err := bench.CheckTree(context.Background(), t, cfg, tree, root, threadsPerRank(cfg.Machine, t))
		if err != nil {
			return err
		}
		wrong.Store(verdict.Fault != nil)
		if t.Rank() != 0 {
			return nil
		}
		return printTree(out, verdict)
	})
	if err == nil && wrong.Load() {
		return errInvalid
	}
	return err
}

func printTree(out io.Writer, verdict validate.Verdict) error {
	if verdict.Fault != nil {
		_, err := fmt.Fprintf(out, "INVALID: %v\n", verdict.Fault)
		return err
	}
	_, err := fmt.Fprintf(out, "reached_vertices: %d\nlevels: %d\nedges: %d\nedges_with_self_loops: %d\nVALID\n",
		verdict.Reached, verdict.Levels, verdict.Edges, verdict.EdgesWithLoops)
	return err
}
