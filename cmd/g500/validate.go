package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/comm/agreement"
	"g500/record"
	"g500/settings"
)

func validateCommand() *cobra.Command {
	cfg := settings.Default()
	var of bench.StoredResult
	root := (*int64)(&of.Root)
	c := &cobra.Command{
		Use:   "validate",
		Short: "Validate a stored result against its graph",
		Long: "Validate a result of \"g500 run --output DIR --trees\" by the specification's rules. The graph is the\n" +
			"official one, generated again, an edge list (--edges), or another graph (--graph). For shortest paths\n" +
			"(--kernel sssp) --edges FILE reads weights from FILE.weights, which \"g500 generate --weights\" writes.\n\n" +
			"A tree is a file with one 64-bit little-endian number per vertex in label order, the parent's label or -1.\n" +
			"Distances are a file with one 32-bit little-endian floating-point number per vertex, -1 for an unreached\n" +
			"vertex. Files end at the highest label of an edge or later; the vertices after their end are unreached.",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkStoredFlags(c.Flags(), cfg, &of); err != nil {
				return cli.Misuse(err)
			}
			graph, err := bench.NewSpecGraph(cfg)
			if err != nil {
				return cli.Misuse(err)
			}
			return validateStored(cfg, graph, of, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&of.Tree, "tree", "", "validate the parents in this file")
	f.StringVar(&of.Distances, "distances", "", "validate the distances in this file (default: the file next to --tree)")
	f.Int64Var(root, "root", -1, "set the root of the search, a label")
	settingFlags(f, &cfg, "graph", "search.kernel", "machine.transport", "machine.ranks", "machine.threads")
	f.Lookup("kernel").Usage = "validate a tree (bfs) or shortest paths (sssp)"
	return c
}

// checkStoredFlags refuses missing and idle flags. It sets the default of --distances.
func checkStoredFlags(f *pflag.FlagSet, cfg record.Config, of *bench.StoredResult) (err error) {
	if err := cfg.Check(); err != nil {
		return err
	}
	paths := record.Kernel(cfg.Search.Kernel) == record.SSSP
	switch {
	case cfg.Search.Kernel == record.Both:
		return errors.New("--kernel both: one result is validated at a time, with --kernel bfs or --kernel sssp")
	case of.Tree == "" || of.Root < 0:
		return errors.New("--tree FILE and --root LABEL are needed")
	case !paths && of.Distances != "":
		return errors.New("--distances is for shortest paths: add --kernel sssp, or leave it out")
	case paths && of.Distances == "":
		of.Distances, err = bench.DistancesFile(of.Tree)
	}
	return cmp.Or(err, refuseIdleSettings(f, cfg), refuseIdle(f, idleFlag{"seeds", cfg.Graph.Edges != "", "with --edges"}))
}

// declareStored lists the settings that must be the same on all ranks.
func declareStored(cfg record.Config, of bench.StoredResult) agreement.Declaration {
	d := declare("validate", append(declaredSettings(cfg),
		agreement.Setting{Name: "--tree", Value: of.Tree}, agreement.Setting{Name: "--distances", Value: of.Distances},
		agreement.Setting{Name: "--root", Value: fmt.Sprint(of.Root)})...)
	d.Files = append(declaredFiles(cfg), agreement.Look("the tree", of.Tree))
	if of.Distances != "" {
		d.Files = append(d.Files, agreement.Look("the file of distances", of.Distances))
	}
	return d
}

// validateStored validates a stored result on all ranks and prints the verdict on rank 0.
func validateStored(cfg record.Config, graph *bench.SpecGraph, of bench.StoredResult, out, errOut io.Writer) error {
	launch, _, err := launcher(cfg.Machine, declareStored(cfg, of))
	if err != nil {
		return cli.Misuse(err)
	}
	var wrong atomic.Bool
	err = launch.watched(errOut, "validation", func(t comm.Transport) error {
		threads, err := threadsPerRank(cfg.Machine, t)
		if err != nil {
			return err
		}
		verdict, err := bench.CheckStored(context.Background(), t, cfg, graph, of, threads)
		if err != nil {
			return err
		}
		wrong.Store(verdict.Fault != nil)
		switch {
		case t.Rank() != 0:
		case verdict.Fault != nil:
			_, err = fmt.Fprintf(out, "INVALID: %v\n", verdict.Fault)
		default:
			_, err = fmt.Fprintf(out, "reached_vertices: %d\nlevels: %d\nedges: %d\nedges_with_self_loops: %d\nVALID\n",
				verdict.Reached, verdict.Levels, verdict.Edges, verdict.EdgesWithLoops)
		}
		return err
	})
	if err == nil && wrong.Load() {
		return cli.ErrInvalid
	}
	return err
}
