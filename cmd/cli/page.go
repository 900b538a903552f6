// SPDX-License-Identifier: Apache-2.0

package cli

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
	"g500/analysis/report"
	"g500/internal/infile"
)

// The files of a report.
const (
	PageFile     = "index.html"
	MarkdownFile = "report.md"
)

// Content is the content of a report.
type Content struct {
	Page report.Page
	From string                           // the number of runs or studies
	CSV  map[string]func(io.Writer) error // other files, by name
	Only bool                             // write only the other files, and print their paths
}

// PageCommand completes a command DIR that makes a report of the runs or studies in a folder or archive. The title is
// that kind of report and the folder's name; records are the names of the files; read reads them, and writes notes.
func PageCommand(
	c *cobra.Command, kind string, records []string, read func(from Runs, title string, notes io.Writer) (Content, error),
) *cobra.Command {
	var output, title string
	if c.Args == nil {
		c.Args = Arguments(1, 1, "one DIR")
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		from, err := OpenRuns(args[0], records)
		if err != nil {
			return Misuse(err)
		}
		defer from.Close()
		if output == "" {
			output = filepath.Join(from.Name, "report")
			if err := checkFormerReport(output); err != nil {
				return Misuse(err)
			}
		}
		if title == "" {
			title = kind + ": " + infile.Clean(nameOf(from.Name))
		}
		found, err := read(from, title, c.ErrOrStderr())
		if err != nil {
			return Misuse(err)
		}
		found.Page.Root = pathBetween(output, from.Name)
		found.Page.Made = fmt.Sprintf("Made by %s on %s.", ProgramVersion(c.Root().Name()),
			collect.Date(time.Now().Format(time.DateOnly)))
		files, err := found.write(output)
		if err != nil {
			return err
		}
		if !found.Only {
			files = []string{fmt.Sprintf("%s: %s, %d files; open %s", output, found.From, len(files),
				filepath.Join(output, PageFile))}
		}
		_, err = fmt.Fprintln(c.OutOrStdout(), strings.Join(files, "\n"))
		return err
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write the report to this folder (default DIR/report)")
	c.Flags().StringVar(&title, "title", "", "set the title of the report")
	return c
}

// write writes all files of a report and returns their paths.
func (c Content) write(dir string) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder of the report: %w; name another one with --output", err)
	}
	write := func(name string, content Writer) {
		if err == nil {
			files = append(files, filepath.Join(dir, name))
			if err = WriteFile(files[len(files)-1], content); err != nil {
				err = fmt.Errorf("%w; name another folder with --output", err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.CSV)) {
		write(name, c.CSV[name])
	}
	if c.Only {
		return files, err
	}
	write(MarkdownFile, c.Page.WriteMarkdown)
	write(PageFile, c.Page.WriteHTML)
	return files, err
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
		known = known || slices.Contains([]string{PageFile, MarkdownFile, "all-runs.csv"}, file.Name())
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

// nameOf returns the name of a folder, which may be given as "."; of the folder above it if the name is runs, as in an
// archive of stored runs.
func nameOf(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	if name := filepath.Base(dir); name != "runs" {
		return name
	}
	return filepath.Base(filepath.Dir(dir))
}

// WriteFile writes a file whose content fits in memory.
func WriteFile(path string, content Writer) error {
	var text strings.Builder
	if err := content(&text); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}
