// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	_ "embed" // texts
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"g500/analysis/report"
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

// graphInfoFormat counts incompatible changes of the JSON.
const graphInfoFormat = 1

// graphInfo is the output of "g500 graph info" for one graph. Distances are in edges.
type graphInfo struct {
	Format   int    `json:"format"`
	Spec     string `json:"spec"`
	Vertices int    `json:"vertices"`
	Edges    int64  `json:"edges"` // undirected edges count once
	Directed bool   `json:"directed"`
	Weighted bool   `json:"weighted"`
	formats.Repeats
	Isolated         int             `json:"isolated_vertices"`
	Degrees          formats.Degrees `json:"degrees"`
	Components       int             `json:"components"`
	LargestComponent int             `json:"largest_component_vertices"`
	Root             int             `json:"root"`
	Reached          int             `json:"reached_vertices"`
	Eccentricity     int             `json:"eccentricity"`
	Diameter         int             `json:"diameter_at_least"`
	Notes            []string        `json:"notes,omitempty"` // of the file's reader: ignored columns, changed values
}

// busiest is the root that means the vertex with the most edges.
const busiest = -1

func graphInfoCommand() *cobra.Command {
	root, asJSON, picture := busiest, false, ""
	c := &cobra.Command{
		Use:  "info SPEC...",
		Args: cli.Arguments(1, math.MaxInt, "a graph such as road:1000x1000 (g500 graph specs lists them)"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkPicture(picture); err != nil {
				return cli.Misuse(err)
			}
			ctx, end := cli.UntilStopped(cli.Grace, c.ErrOrStderr())
			defer end()
			show := cli.NewProgress(c.ErrOrStderr(), false, cli.ShortSilence)
			all, err := describe(ctx, args, root, show)
			show.Close()
			switch {
			case err != nil:
			case asJSON:
				err = output.JSON(c.OutOrStdout(), all)
			default:
				err = output.FillIn(c.OutOrStdout(), graphInfoText, nil, all)
			}
			if err != nil {
				return err
			}
			return plotDegrees(picture, all)
		},
		ValidArgsFunction: cli.CompleteSpecs,
	}
	c.Flags().IntVar(&root, "root", root, "search from this vertex; -1 for the vertex with the most edges")
	c.Flags().StringVar(&picture, "plot", "", "draw vertices by degree on a page, NAME.html, that saves it as SVG")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document with an entry per graph")
	return c
}

// checkPicture returns an error for a page that cannot be written, unless the path is empty.
func checkPicture(path string) error {
	if path == "" {
		return nil
	}
	if filepath.Ext(path) != ".html" {
		return fmt.Errorf("--plot %s: its name must end with .html", path)
	}
	_, err := writable(path, "the page")
	return err
}

// plotDegrees writes a page with the distributions of degrees, unless the path is empty.
func plotDegrees(path string, all []graphInfo) error {
	if path == "" {
		return nil
	}
	f := report.Figure{Name: "degrees", Title: "Vertices by degree",
		Caption: "Both axes are logarithmic. Isolated vertices are left out.",
		X:       report.Axis{Label: "degree d, of vertices with d to 2d - 1 edges", Log: true},
		Y:       report.Axis{Label: "vertices"}}
	for _, info := range all {
		var degrees, counts []float64
		for power, vertices := range info.Degrees.Powers {
			if power > 0 && vertices > 0 {
				degrees, counts = append(degrees, math.Ldexp(1, power-1)), append(counts, float64(vertices))
			}
		}
		if len(degrees) > 0 {
			f.Add(info.Spec, degrees, counts)
		}
	}
	if f.Lines == nil {
		return errors.New("--plot has nothing to draw: no graph has an edge")
	}
	return cli.WriteFile(path, report.Page{Title: f.Title, Figures: []report.Figure{f}}.WriteHTML)
}

// describe makes the graphs one after another and describes them. It checks all specs first.
func describe(ctx context.Context, texts []string, root int, show cli.Progress) (all []graphInfo, err error) {
	var specs []formats.Spec
	for _, text := range texts {
		spec, err := formats.Parse(text)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		specs = append(specs, spec)
	}
	for _, spec := range specs {
		show.Step(spec.String()+cli.MakingGraph, 0)
		g, err := spec.Make(ctx, machine.Cores(), machine.ProcessMemory())
		if err != nil {
			return nil, err
		}
		show.Step(spec.String()+": components and distances", 0)
		info, err := infoOf(spec, g, root)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		all = append(all, info)
	}
	return all, nil
}

func infoOf(spec formats.Spec, g *formats.Graph, root int) (graphInfo, error) {
	info := graphInfo{Format: graphInfoFormat, Spec: spec.String(), Vertices: g.Vertices(), Edges: g.Edges(),
		Directed: g.Directed, Weighted: g.Weights != nil, Degrees: g.Degrees(), Root: root, Notes: g.Notes,
		Repeats: g.Repeats}
	if root == busiest {
		info.Root = info.Degrees.MaxVertex
	}
	if info.Root < 0 || info.Root >= g.Vertices() {
		return info, fmt.Errorf("--root %d is no vertex of %s: choose 0 to %d", root, spec, g.Vertices()-1)
	}
	info.Components, info.LargestComponent, info.Isolated = g.Components()
	sweep := g.Sweep(info.Root)
	info.Reached, info.Eccentricity = sweep.Reached, sweep.Eccentricity
	info.Diameter = g.DiameterAtLeast(sweep)
	return info, nil
}

//go:embed graphinfo.gotmpl
var graphInfoText string

// LargestShare returns the percentage of the vertices in the largest component, for the text.
func (i graphInfo) LargestShare() float64 {
	return 100 * float64(i.LargestComponent) / float64(i.Vertices)
}

// DegreesOf names the degrees that are counted together, for the text: 0, 1, 2 to 3, 4 to 7 and so on.
func (graphInfo) DegreesOf(power int) string {
	low, high := 1<<power>>1, 1<<power-1
	if low >= high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}
