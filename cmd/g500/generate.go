package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/graph"
	"g500/internal/atomicfile"
	"g500/internal/machine"
	"g500/record"
)

func generateCommand() *cobra.Command {
	cfg := record.DefaultConfig()
	var path string
	var weighted bool
	c := &cobra.Command{
		Use:   "generate",
		Short: "Write the official edge list to a file",
		Long: "Write the edge tuples of the official Kronecker graph to a file. \"g500 run --edges FILE\" reads them\n" +
			"back, for shortest paths with the weights that --weights writes beside them, as single-precision numbers.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cfg.Check(); err != nil {
				return misuseError{err}
			}
			if path == "" {
				return misuseError{errors.New("--output FILE is missing: it names the file to write")}
			}
			ctx, end := untilStopped(c.ErrOrStderr())
			defer end()
			return generate(ctx, cfg, path, weighted, c.ErrOrStderr())
		},
	}
	graphFlags(c.Flags(), &cfg.Graph)
	c.Flags().StringVar(&path, "output", "", "write the edge list to this file")
	c.Flags().BoolVar(&weighted, "weights", false, "also write weights, to FILE.weights")
	return c
}

// generate writes the edge list to path and, where it is to, the weights beside it.
func generate(ctx context.Context, cfg record.Config, path string, weighted bool, progress io.Writer) error {
	const list, weights = "the edge list", "the weights"
	path, err := regularFile(path, list)
	if err != nil {
		return misuseError{err}
	}
	bytes := graph.Format(cfg.Graph.Format).RecordBytes()
	if !weighted {
		if err := bench.CheckSpace(path, cfg.Params().Edges()*bytes); err != nil {
			return err
		}
		return writeWhole(path, list, func(w io.Writer) error { return writeEdges(ctx, cfg, w, nil, progress) })
	}
	weightsPath, err := regularFile(graph.WeightsPath(path), weights)
	if err != nil {
		return misuseError{err}
	}
	if err := bench.CheckSpace(path, cfg.Params().Edges()*(bytes+graph.WeightBytes)); err != nil {
		return err
	}
	return writeWhole(path, list, func(w io.Writer) error {
		return writeWhole(weightsPath, weights, func(x io.Writer) error { return writeEdges(ctx, cfg, w, x, progress) })
	})
}

// writeWhole writes a file, which appears at path when it is complete. what names it in errors.
func writeWhole(path, what string, write func(io.Writer) error) error {
	if _, err := regularFile(atomicfile.Partial(path), what); err != nil {
		return misuseError{err}
	}
	if err := atomicfile.WriteUnsynced(path, write); err != nil {
		return fmt.Errorf("cannot write %s: %w", what, err)
	}
	return nil
}

// regularFile is the file that a path leads to, by symbolic links too: a link stays, and what it names is written. It
// refuses what is there and no regular file: moving a file there would fail at the end, or replace a device. what names
// the file in errors.
func regularFile(path, what string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", what, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", what, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file (%s): name a file for %s", path, info.Mode(), what)
	}
	return target, nil
}

// writeEdges generates a piece of the list at a time, on all cores, with weights where there is a file for them.
func writeEdges(ctx context.Context, cfg record.Config, edgeFile, weightFile, progress io.Writer) error {
	const piece = 1 << 22
	p := cfg.Params()
	watch := newProgress(progress, false)
	defer watch.Close()
	watch.Step("edge list", p.Edges())
	edgesTo, weightsTo := bufio.NewWriterSize(edgeFile, 1<<20), bufio.NewWriterSize(weightFile, 1<<20)
	edges, weights := make([]graph.Edge, min(piece, p.Edges())), make([]float32, min(piece, p.Edges()))
	if weightFile == nil {
		weights = nil
	}
	for first := int64(0); first < p.Edges(); first += piece {
		n := min(piece, p.Edges()-first)
		edges, weights = edges[:n], weights[:min(int(n), len(weights))]
		advance := func(done int64) { watch.Advance(first + done) }
		err := p.FillParallel(ctx, first, edges, weights, machine.Cores(), advance)
		if err != nil {
			return err
		}
		err = graph.WriteEdges(edgesTo, graph.Format(cfg.Graph.Format), edges)
		if err := errors.Join(err, graph.WriteWeights(weightsTo, weights)); err != nil {
			return err
		}
	}
	return errors.Join(edgesTo.Flush(), weightsTo.Flush())
}
