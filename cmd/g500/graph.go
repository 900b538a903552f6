package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"g500/graph/formats"
	"g500/internal/machine"
)

func graphCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "graph",
		Short: "Describe and convert graphs: synthetic ones, and those of files",
		Long: "Describe and convert graphs that a spec names, such as road:1000x1000 or file:graph.mtx.gz. They are not\n" +
			"the official graph; g500 run --graph SPEC searches them. g500 graph specs lists the specs.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuseError{fmt.Errorf("there is no command %q; see %s --help", args[0], c.CommandPath())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(graphInfoCommand(), graphConvertCommand(), graphSpecsCommand())
	return c
}

func graphConvertCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "convert SPEC FILE",
		Short: "Write a graph to a file",
		Long: "Write a graph to a file, in the format that the file's name tells: .mtx (Matrix Market), .gr (DIMACS),\n" +
			".graph (METIS) or .txt (SNAP's edge list), each also with .gz behind.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return misuseError{errors.New("name a graph and a file, as in g500 graph convert road:100x100 road.mtx.gz")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, end := untilStopped(c.ErrOrStderr())
			defer end()
			return convert(ctx, args[0], args[1], c.ErrOrStderr())
		},
	}
	c.ValidArgsFunction = completeSpecs
	return c
}

// convert makes a graph and writes it to a file next to path, which it renames to path when it is complete. Notes go to
// errOut.
func convert(ctx context.Context, text, path string, errOut io.Writer) error {
	spec, err := formats.Parse(text)
	if err == nil {
		err = formats.CheckPath(path)
	}
	target := ""
	if err == nil {
		target, err = regularFile(path, "the graph")
	}
	if err != nil {
		return misuseError{err}
	}
	g, err := spec.Make(ctx, machine.Cores(), machine.ProcessMemory())
	if err == nil {
		err = formats.CheckWrite(path, g)
	}
	if err != nil {
		return err
	}
	writeNotes(errOut, g)
	return writeWhole(target, "the graph", func(w io.Writer) error {
		return formats.Write(stoppable{ctx, w}, path, spec.String(), g)
	})
}

// writeNotes writes the notes of the reader of a graph's file.
func writeNotes(w io.Writer, g *formats.Graph) {
	for _, note := range g.Notes {
		fmt.Fprintf(w, "g500: note: %s\n", note)
	}
}

func graphSpecsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "specs",
		Short: "List the specs of graphs, with their parameters",
		Long:  "List the kinds of graphs that a spec can name, an example of each, and the parameters with their defaults.",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return writeSpecs(c.OutOrStdout())
		},
	}
}

// writeSpecs lists the table of specs.
func writeSpecs(w io.Writer) error {
	var b strings.Builder
	params := func(all []formats.Param) {
		for _, p := range all {
			value := "must be given"
			if p.Default != "" {
				value = p.Key + "=" + p.Default
			}
			fmt.Fprintf(&b, "    %-12s%-18s%s; %s\n", p.Key, value, p.Help, p.Range)
		}
		fmt.Fprintln(&b)
	}
	for _, k := range formats.Kinds() {
		fmt.Fprintf(&b, "%s\n    %s\n", k.Form, k.Help)
		params(k.Params)
	}
	fmt.Fprintln(&b, "all graphs take")
	params(formats.Common())
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n"))
	return err
}

// completeSpecs offers the kinds of graphs, and files where none begins so.
func completeSpecs(*cobra.Command, []string, string) (kinds []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, k := range formats.Kinds() {
		kinds = append(kinds, cobra.CompletionWithDesc(k.Name+":", k.Help))
	}
	return kinds, cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveNoSpace
}
