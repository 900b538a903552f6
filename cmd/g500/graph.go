// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	_ "embed" // texts
	"io"

	"github.com/spf13/cobra"

	"g500/cmd/cli"
	"g500/graph/formats"
	"g500/internal/machine"
	"g500/internal/output"
)

func graphCommand() *cobra.Command {
	return cli.Group("graph", graphInfoCommand(), graphConvertCommand(), graphSpecsCommand())
}

func graphConvertCommand() *cobra.Command {
	return &cobra.Command{
		Use: "convert SPEC FILE",
		Long: "Write a graph to a file, in the format of the file's name, which may also end with .gz:\n" +
			formats.Endings(true) + ".\n" +
			"With labels=renumber, FILE.labels has the labels of the vertices, one per line, from vertex 0 on.",
		Args: cli.Arguments(2, 2, "a graph and a file"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, end := cli.UntilStopped(cli.Grace, c.ErrOrStderr())
			defer end()
			show := cli.NewProgress(c.ErrOrStderr(), false, cli.ShortSilence)
			defer show.Close()
			return convert(ctx, args[0], args[1], show)
		},
		ValidArgsFunction: cli.CompleteSpecs,
	}
}

// convert writes the graph of a spec to the file path, which appears when it is complete.
func convert(ctx context.Context, text, path string, show cli.Progress) error {
	spec, err := formats.Parse(text)
	format, unknown := formats.WriterOf(path)
	if err = cmp.Or(err, unknown); err != nil {
		return cli.Misuse(err)
	}
	target, err := writable(path, "the graph")
	if err != nil {
		return err
	}
	show.Step(spec.String()+cli.MakingGraph, 0)
	g, err := spec.Make(ctx, machine.Cores(), machine.ProcessMemory())
	if err == nil {
		err = format.Check(g)
	}
	if err != nil {
		return err
	}
	for _, note := range g.Notes {
		show.Note(note)
	}
	show.Step("writing "+path, 0)
	err = writeComplete(target, "the graph", func(w io.Writer) error {
		return format.Write(stoppable{ctx, w}, spec.String(), g)
	})
	if err != nil || g.Labels == nil {
		return err
	}
	return writeComplete(target+".labels", "the labels of the vertices", g.WriteLabels)
}

//go:embed specs.gotmpl
var specsText string

func graphSpecsCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "specs",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return output.FillIn(c.OutOrStdout(), specsText, nil,
				map[string]any{"Kinds": formats.Kinds(), "Common": formats.Common()})
		},
	}
}
