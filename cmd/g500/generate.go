// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/cmd/cli"
	"g500/graph"
	"g500/internal/atomicfile"
	"g500/internal/infile"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
)

func generateCommand() *cobra.Command {
	cfg := settings.Default()
	var path string
	var weighted bool
	c := &cobra.Command{
		Use:  "generate",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cfg.Check(); err != nil {
				return cli.Misuse(err)
			}
			if path == "" {
				return cli.Misuse(errors.New("--output FILE is missing: it names the file to write"))
			}
			return generate(cfg, path, weighted, c.ErrOrStderr())
		},
	}
	settingFlags(c.Flags(), &cfg, "graph.scale", "graph.edgefactor", "graph.seeds", "graph.format")
	c.Flags().StringVarP(&path, "output", "o", "", "write the edge list to this file")
	c.Flags().BoolVar(&weighted, "weights", false, "also write weights, to FILE.weights")
	return c
}

// generate writes the edge list to path and, if weighted, the weights to the file next to it.
func generate(cfg record.Config, path string, weighted bool, progress io.Writer) error {
	ctx, end := cli.UntilStopped(cli.Grace, progress)
	defer end()
	const list, weights = "the edge list", "the weights"
	path, err := writable(path, list)
	bytes, weightsPath := graph.Format(cfg.Graph.Format).RecordBytes(), ""
	if err == nil && weighted {
		bytes += graph.WeightBytes
		weightsPath, err = writable(graph.WeightsPath(path), weights)
	}
	if err = cmp.Or(err, bench.CheckSpace(path, cfg.Params().Edges()*bytes)); err != nil {
		return err
	}
	return writeComplete(path, list, func(w io.Writer) error {
		if !weighted {
			return writeEdges(ctx, cfg, w, nil, progress)
		}
		return writeComplete(weightsPath, weights, func(x io.Writer) error { return writeEdges(ctx, cfg, w, x, progress) })
	})
}

// writeComplete writes a file, which appears at path when it is complete. what names it in errors.
func writeComplete(path, what string, write func(io.Writer) error) error {
	if _, err := regularFile(atomicfile.Partial(path), what); err != nil {
		return err
	}
	if err := atomicfile.WriteUnsynced(path, write); err != nil {
		return fmt.Errorf("cannot write %s: %w", what, err)
	}
	return nil
}

// writable returns the file to which a path leads, as regularFile does, and an error if it cannot be written, before
// the work for it.
func writable(path, what string) (string, error) {
	target, err := regularFile(path, what)
	if err != nil {
		return "", err
	}
	if err := atomicfile.CanWrite(target); err != nil {
		return "", fmt.Errorf("cannot write %s: %w; name one that you may write, in a folder where you may write", what, err)
	}
	return target, nil
}

// regularFile returns the file to which a path leads, through symbolic links, which stay. It returns a misuse error for
// existing files that are not regular, because renaming a file there would fail or replace a device. what names the
// file in errors.
func regularFile(path, what string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return "", cli.Misuse(fmt.Errorf("%s is %s: name a regular file for %s", path, infile.Kind(info.Mode()), what))
	}
	target := ""
	if err == nil {
		target, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", cli.Misuse(fmt.Errorf("cannot write %s to %s: %w", what, path, err))
	}
	return target, nil
}

// writeEdges generates the list piece by piece on all cores. weightFile is nil if there are no weights.
func writeEdges(ctx context.Context, cfg record.Config, edgeFile, weightFile, progress io.Writer) error {
	const piece = 1 << 22
	p := cfg.Params()
	watch := cli.NewProgress(progress, false, cli.Silence)
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
		if err := p.FillParallel(ctx, first, edges, weights, machine.Cores(), advance); err != nil {
			return err
		}
		if err := errors.Join(graph.WriteEdges(edgesTo, graph.Format(cfg.Graph.Format), edges),
			graph.WriteWeights(weightsTo, weights)); err != nil {
			return err
		}
	}
	return errors.Join(edgesTo.Flush(), weightsTo.Flush())
}
