package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/report"
	labstudy "g500/lab/study"
)

// The files of a report, beside the pictures.
const (
	pageFile     = "index.html"
	markdownFile = "report.md"
	runsFile     = "runs.csv"
)

func reportCommand() *cobra.Command {
	var output, title string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Make tables, pictures and one self-contained page from the runs or studies in a folder",
		Long: "Make a report of all runs in a folder and below it: run.json as g500 run --output and g500 scale leave\n" +
			"them. It is index.html, which holds everything and needs no network, report.md, runs.csv, and each picture\n" +
			"as SVG and PNG. Of a folder of g500 lab study, or one with several of them, the report is that of the studies,\n" +
			"without runs.csv.",
		Args: oneArgument("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if output == "" {
				output = filepath.Join(args[0], "report")
			}
			if title == "" {
				title = "g500: " + nameOf(args[0])
			}
			found, err := contentOf(args[0], title, c.ErrOrStderr())
			if err != nil {
				return misuseError{err}
			}
			found.page.Made = fmt.Sprintf("Made by %s on %s.", programVersion(), time.Now().Format(time.DateOnly))
			files, err := found.write(output)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s, %d files; open %s\n",
				output, found.what, files, filepath.Join(output, pageFile))
			return nil
		},
	}
	c.Flags().StringVar(&output, "output", "", "write the report to this folder (default DIR/report)")
	c.Flags().StringVar(&title, "title", "", "set the title of the report")
	return c
}

// oneArgument asks for the argument of a command by its name.
func oneArgument(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return misuseError{fmt.Errorf("%s needs one %s, as in %s", c.CommandPath(), name, c.UseLine())}
		}
		return nil
	}
}

// nameOf is the name of a folder, also of the one that is called ".".
func nameOf(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return filepath.Base(dir)
}

// content is what a report shows.
type content struct {
	page report.Page
	what string                // it is made from
	csv  func(io.Writer) error // a row for each run; nil for studies of the laboratory
}

// contentOf reads studies of the laboratory in a folder, or else the runs.
func contentOf(dir, title string, notes io.Writer) (content, error) {
	studies, err := labstudy.Read(dir)
	if err != nil {
		return content{}, err
	}
	if len(studies) > 0 {
		what := collect.Count(len(studies), "paper") + " in the laboratory"
		return content{page: report.OfStudies(title, studies), what: what}, nil
	}
	set, err := collect.Read(dir)
	if err != nil {
		return content{}, err
	}
	for _, sentence := range set.Unread {
		fmt.Fprintf(notes, "note: %s\n", sentence)
	}
	runs, _ := set.Count()
	return content{report.New(title, set), collect.Count(runs, "run"), set.WriteCSV}, nil
}

// write writes all files of a report and counts them.
func (c content) write(dir string) (files int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("cannot make the folder of the report: %w", err)
	}
	write := func(name string, content func(io.Writer) error) {
		if err == nil {
			files++
			err = writeFile(filepath.Join(dir, name), content)
		}
	}
	for _, picture := range c.page.Pictures() {
		write(picture.Name+".svg", picture.WriteSVG)
		write(picture.Name+".png", picture.WritePNG)
	}
	if c.csv != nil {
		write(runsFile, c.csv)
	}
	write(markdownFile, c.page.WriteMarkdown)
	write(pageFile, c.page.WriteHTML)
	return files, err
}

func writeFile(path string, content func(io.Writer) error) error {
	var text strings.Builder
	if err := content(&text); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}
