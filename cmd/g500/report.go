package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/page"
	"g500/survey"
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
		Short: "Make tables, pictures and one self-contained page from the runs in a folder",
		Long: "Make a report of all runs in a folder and below it: run.json as g500 run --output and g500 scale leave\n" +
			"them. It is index.html, which holds everything and needs no network, report.md, runs.csv, and each picture\n" +
			"as SVG and PNG.",
		Args: oneArgument("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			set, err := survey.Read(args[0])
			if err != nil {
				return misuseError{err}
			}
			for _, sentence := range set.Unread {
				fmt.Fprintf(c.ErrOrStderr(), "note: %s\n", sentence)
			}
			if output == "" {
				output = filepath.Join(args[0], "report")
			}
			if title == "" {
				title = "g500: " + nameOf(args[0])
			}
			p := page.New(title, set)
			p.Made = fmt.Sprintf("Made by %s on %s.", programVersion(), time.Now().Format(time.DateOnly))
			runs, _ := set.Count()
			files, err := writeReport(p, set, output)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s, %d files; open %s\n",
				output, survey.Count(runs, "run"), files, filepath.Join(output, pageFile))
			return nil
		},
	}
	c.Flags().StringVar(&output, "output", "", "folder for the report (DIR/report)")
	c.Flags().StringVar(&title, "title", "", "headline of the report")
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

// writeReport writes all files of a report and counts them.
func writeReport(p page.Page, set *survey.Set, dir string) (files int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("cannot make the folder of the report: %w", err)
	}
	write := func(name string, content func(io.Writer) error) {
		if err == nil {
			files++
			err = writeFile(filepath.Join(dir, name), content)
		}
	}
	for _, picture := range p.Pictures() {
		write(picture.Name+".svg", picture.WriteSVG)
		write(picture.Name+".png", picture.WritePNG)
	}
	write(runsFile, set.WriteCSV)
	write(markdownFile, p.WriteMarkdown)
	write(pageFile, p.WriteHTML)
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
