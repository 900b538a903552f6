package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/graph"
	"g500/internal/machine"
)

func generateCommand() *cobra.Command {
	cfg := bench.DefaultConfig()
	var path string
	c := &cobra.Command{
		Use:   "generate",
		Short: "Write the official edge list to a file",
		Long:  "Write the edge tuples of the official Kronecker graph to a file. \"g500 run --edges FILE\" reads them back.",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := cfg.Check(); err != nil {
				return misuseError{err}
			}
			if path == "" {
				return misuseError{errors.New("--out FILE is missing: it names the file to write")}
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return generate(ctx, cfg, path, c.ErrOrStderr())
		},
	}
	c.SetContext(context.Background())
	graphFlags(c.Flags(), &cfg.Graph)
	c.Flags().StringVar(&path, "out", "", "file to write")
	return c
}

// generate writes the edge list beside path and moves it there when it is whole.
func generate(ctx context.Context, cfg bench.Config, path string, progress io.Writer) error {
	path, err := regularFile(path)
	if err != nil {
		return misuseError{err}
	}
	partial := path + ".partial"
	if _, err := regularFile(partial); err != nil {
		return misuseError{err}
	}
	need := cfg.Params().Edges() * graph.Format(cfg.Graph.Format).RecordBytes()
	if err := bench.CheckSpace(partial, need); err != nil {
		return err
	}
	file, err := os.Create(partial)
	if err != nil {
		return fmt.Errorf("cannot write the edge list: %w", err)
	}
	err = errors.Join(writeEdges(ctx, cfg, file, progress), file.Close())
	if err != nil {
		return errors.Join(fmt.Errorf("the edge list was not written: %w", err), os.Remove(partial))
	}
	return os.Rename(partial, path)
}

// regularFile is the file that a path leads to, by symbolic links too: a link stays, and what it names is written. It
// refuses what is there and no regular file: moving a file there would fail at the end, or replace a device.
func regularFile(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("cannot write the edge list: %w", err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", fmt.Errorf("cannot write the edge list: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file (%s): name a file for the edge list", path, info.Mode())
	}
	return target, nil
}

// writeEdges generates a piece of the list at a time, on all cores.
func writeEdges(ctx context.Context, cfg bench.Config, file io.Writer, progress io.Writer) error {
	const piece = 1 << 22
	p := cfg.Params()
	watch := newProgress(progress, false)
	defer watch.Close()
	watch.Step("edge list", p.Edges())
	w := bufio.NewWriterSize(file, 1<<20)
	edges := make([]graph.Edge, min(piece, p.Edges()))
	for first := int64(0); first < p.Edges(); first += piece {
		edges = edges[:min(piece, p.Edges()-first)]
		err := p.FillParallel(ctx, first, edges, machine.Cores(), func(done int64) { watch.Advance(first + done) })
		if err != nil {
			return err
		}
		if err := graph.WriteEdges(w, graph.Format(cfg.Graph.Format), edges); err != nil {
			return err
		}
	}
	return w.Flush()
}
