package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/plot"
	"g500/analysis/report"
	"g500/internal/infile"
	labstudy "g500/lab/study"
)

// The files of a report in addition to the pictures.
const (
	pageFile     = "index.html"
	markdownFile = "report.md"
	runsFile     = "runs.csv"
)

func reportCommand() *cobra.Command {
	var output, title string
	var onlyCSV, png bool
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Make tables, pictures and one self-contained page from the runs or studies in a folder or archive",
		Long: "Make a report of all runs in or below a folder, as g500 run --output and g500 scale write them, or of the\n" +
			"studies that g500 lab study has written there. It consists of index.html, which holds everything and needs\n" +
			"no network, report.md, each picture as SVG, with --png also as PNG, and for runs also runs.csv. With --csv it\n" +
			"consists of all-runs.csv, all-searches.csv and all-steps.csv, which have every figure of the runs. DIR may be\n" +
			"an archive of a folder, DIR.tar.gz; the report is then where it would be if the archive were unpacked.",
		Args: oneArgument("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := refuseTogether(c.Flags(), "csv", "title"); err != nil {
				return err
			}
			runs, err := openRuns(args[0])
			if err != nil {
				return misuseError{err}
			}
			defer runs.close()
			if output == "" {
				output = filepath.Join(runs.name, "report")
				if err := checkFormerReport(output); err != nil {
					return misuseError{err}
				}
			}
			if title == "" {
				title = "Graph500 report: " + infile.Clean(nameOf(runs.name))
			}
			found, err := contentOf(runs, title, c.ErrOrStderr())
			if err != nil {
				return misuseError{err}
			}
			if onlyCSV {
				return found.writeTables(output, c.OutOrStdout())
			}
			found.page.Root = pathBetween(output, runs.name)
			found.page.Made = fmt.Sprintf("Made by %s on %s.", programVersion(), collect.Date(time.Now().Format(time.DateOnly)))
			files, err := found.write(output, png)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s, %d files; open %s\n",
				output, found.from, files, filepath.Join(output, pageFile))
			return nil
		},
	}
	c.Flags().StringVar(&output, "output", "", "write the report to this folder (default DIR/report)")
	c.Flags().BoolVar(&onlyCSV, "csv", false, "write only CSV: a row per run, per search and per step, with all figures")
	c.Flags().BoolVar(&png, "png", false, "also write each picture as PNG, which takes about 0.1 s each")
	c.Flags().StringVar(&title, "title", "", "set the title of the report")
	return c
}

// checkFormerReport returns an error if the folder that a report would replace has no report, or if it or a file in it
// is a link, which may lead out of it: the folder may be from somebody else.
func checkFormerReport(dir string) error {
	const cure = "remove it, or name another folder with --output"
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder for a report: %s", dir, cure)
	}
	files, err := os.ReadDir(dir)
	known := len(files) == 0
	for _, file := range files {
		if !file.Type().IsRegular() {
			return fmt.Errorf("%s has %s, which is no file of a report: %s", dir, file.Name(), cure)
		}
		known = known || slices.Contains([]string{pageFile, markdownFile, "all-runs.csv"}, file.Name())
	}
	if err == nil && !known {
		err = fmt.Errorf("%s is a folder with other files than a report's: %s", dir, cure)
	}
	return err
}

// pathBetween returns the path from one folder to another for links, with a slash at its end.
func pathBetween(from, to string) string {
	from, err := filepath.Abs(from)
	if err == nil {
		to, err = filepath.Abs(to)
	}
	if err == nil {
		if path, err := filepath.Rel(from, to); err == nil {
			to = path
		}
	}
	return filepath.ToSlash(to) + "/"
}

// nameOf returns the name of a folder, which may be given as ".".
func nameOf(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return filepath.Base(dir)
}

// content is the content of a report.
type content struct {
	page report.Page
	from string       // the number of runs or papers
	set  *collect.Set // nil for studies of the laboratory
}

// contentOf reads the studies of the laboratory in a folder or, if none can be read, the runs.
func contentOf(runs runsFolder, title string, notes io.Writer) (content, error) {
	studies, unread := labstudy.Read(runs.dir)
	var set *collect.Set
	if len(studies) == 0 {
		var err error
		if set, err = collect.Read(runs.dir); err != nil {
			return content{}, runs.named(collect.WithUnread(err, unread))
		}
		unread = append(unread, set.Unread...)
		set.Unread = unread
	}
	for i, sentence := range unread {
		unread[i] = runs.named(errors.New(sentence)).Error()
		fmt.Fprintf(notes, "note: %s\n", unread[i])
	}
	if set == nil {
		from := collect.Count(len(studies), "paper") + " in the laboratory"
		return content{page: report.OfStudies(title, studies), from: from}, nil
	}
	noteOutsideScaling(notes, set)
	n, _ := set.Count()
	return content{report.New(title, set, plot.Of(set)), collect.Count(n, "run"), set}, nil
}

// write writes all files of a report and counts them.
func (c content) write(dir string, png bool) (files int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("cannot make the folder of the report: %w", err)
	}
	write := func(name string, content writer) {
		if err == nil {
			files++
			err = writeFile(filepath.Join(dir, name), content)
		}
	}
	for _, picture := range c.page.Pictures() {
		write(picture.Name+".svg", picture.WriteSVG)
		if png {
			write(picture.Name+".png", picture.WritePNG)
		}
	}
	if c.set != nil {
		write(runsFile, c.set.WriteCSV)
	}
	write(markdownFile, c.page.WriteMarkdown)
	write(pageFile, c.page.WriteHTML)
	return files, err
}

// writeTables writes every figure of the runs as CSV files into a folder, and prints their paths.
func (c content) writeTables(dir string, out io.Writer) error {
	if c.set == nil {
		return misuseError{errors.New("--csv is for runs: of studies of the laboratory, study.json has the figures")}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder of the report: %w", err)
	}
	tables := c.set.Everything()
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		path := filepath.Join(dir, name)
		if err := writeFile(path, tables[name]); err != nil {
			return err
		}
		fmt.Fprintln(out, path)
	}
	return nil
}

// writeFile writes a file whose content fits in memory.
func writeFile(path string, content writer) error {
	var text strings.Builder
	if err := content(&text); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}
