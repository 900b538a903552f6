// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"g500/internal/atomicfile"
	"g500/internal/infile"
	"g500/internal/output"
	"g500/lab"
)

// Result has the figures of the graphs that were measured so far, and the verdicts.
type Result struct {
	Study    Study              `json:"study"`
	Machines []string           `json:"machines"` // that ran a strategy
	Program  string             `json:"program"`
	Graphs   []lab.GraphFigures `json:"graphs"` // in the order of the study, without single searches, runs and settings
	Findings []Finding          `json:"findings"`

	complete []lab.GraphFigures // with single searches and runs
}

// resultName is the name of the file with the result, without its extension. The folder has another file per graph.
const resultName = "study"

// Record is the name of the file that Read reads.
const Record = resultName + ".json"

// mostLevels is the largest number of levels of a search that the result has. The files of graphs have all levels.
const mostLevels = 100

// Runner measures a study on machines that search or colour, and writes the figures to a folder.
type Runner[M lab.Loader] struct {
	Dir      string
	Program  string // name and version
	Machines []M
	Load     func(ctx context.Context, spec string) (*lab.Graph, error)
	Watch    lab.Watcher
	Clock    func() time.Duration // for Study.Seconds
}

// graphFile is the content of the file of a graph.
type graphFile struct {
	Settings settings `json:"asked"`
	*lab.Report
}

// settings must be equal for the stored figures of a graph to be used.
type settings struct {
	Program    string   `json:"program"`
	Spec       string   `json:"spec"`
	Strategies []string `json:"strategies"`
	Sources    int      `json:"sources,omitempty"`
	Seed       uint64   `json:"seed,omitempty"`
	Seconds    float64  `json:"seconds,omitempty"`
	Runs       int      `json:"runs,omitempty"`
	Machines   []string `json:"machines"`
}

// run measures the graphs that the folder does not have, and writes the result after each.
func (r Runner[M]) run(s Study, measure func(Graph) (*lab.Report, error)) (*Result, error) {
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("study: cannot make the folder: %w", err)
	}
	result := &Result{Study: s, Program: r.Program}
	for _, g := range s.Graphs {
		want := settings{Program: r.Program, Spec: g.Spec, Sources: s.Sources, Seed: s.Seed, Seconds: s.Seconds,
			Runs: s.Runs}
		for _, m := range r.Machines {
			want.Machines = append(want.Machines, m.Name())
		}
		chosen, err := s.choose(s.namesOn(g))
		if err != nil {
			return result, err
		}
		for _, strategy := range chosen {
			name := strategy.Name
			if slices.Contains(s.table[min(len(lab.Table()), len(s.table)):].Names(), name) { // the file may change
				name += fmt.Sprint(strategy.Settings)
			}
			want.Strategies = append(want.Strategies, name)
		}
		path := filepath.Join(r.Dir, g.Name+".json")
		report, err := stored(path, want)
		if report != nil {
			r.Watch.Note(g.Name + ": was measured before")
		} else if err == nil {
			if report, err = measure(g); err == nil {
				err = write(path, graphFile{want, report})
			}
		}
		if err != nil {
			return result, err
		}
		result.add(report)
		path = filepath.Join(r.Dir, Record)
		err = replace(path, func(w io.Writer) error { return output.Document(w, lab.Format, result) })
		if err != nil {
			return result, err
		}
	}
	return result, nil
}

// stored returns the report in the file of a graph, or nil if there is no file.
func stored(path string, want settings) (*lab.Report, error) {
	var kept graphFile
	switch err := read(path, &kept); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !reflect.DeepEqual(kept.Settings, want) || len(kept.Graphs) != 1:
		return nil, fmt.Errorf("study: %s was measured with other settings, by another program or on another machine: "+
			"remove it, or name another folder with --output", path)
	}
	return kept.Report, nil
}

// add adds the report of the next graph, and computes all verdicts.
func (r *Result) add(report *lab.Report) {
	figures := report.Graphs[0]
	r.complete = append(r.complete, figures)
	figures.Rows = slices.Clone(figures.Rows)
	for i := range figures.Rows {
		row := &figures.Rows[i]
		row.Searches, row.Strategy.Settings = nil, nil
		if len(row.Levels) > mostLevels {
			row.Levels = nil
		}
		if row.Coloring != nil {
			means := *row.Coloring
			means.Runs = nil
			row.Coloring = &means
		}
		if !slices.Contains(r.Machines, row.Machine) {
			r.Machines = append(r.Machines, row.Machine)
		}
	}
	r.Graphs = append(r.Graphs, figures)
	r.Findings = r.Study.findAll(r.complete)
}

// consistent reports whether the study has the claims of the verdicts, about known figures.
func (r *Result) consistent() bool {
	return len(r.Findings) == len(r.Study.Claims) &&
		!slices.ContainsFunc(r.Study.Claims, func(c Claim) bool { _, known := figures[c.Figure]; return !known })
}

// On returns the names of the machines that ran a strategy, and the GPUs that had shares of a graph.
func (r *Result) On() string {
	if len(r.Machines) == 0 {
		return "no machine"
	}
	names, gpus := strings.Join(r.Machines, " and "), map[string]bool{}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			for _, share := range row.Shares {
				gpus[fmt.Sprint(share.GPU)] = true
			}
		}
	}
	if len(gpus) > 1 {
		names += fmt.Sprintf(" (shares of graphs on GPUs %s)", output.List(slices.Sorted(maps.Keys(gpus)), "and"))
	}
	return names
}

// Wrong reports whether a result of a strategy was wrong.
func (r *Result) Wrong() bool { return (&lab.Report{Graphs: r.Graphs}).Wrong() }

// Read reads the results in a folder and in its subfolders, in the order of their names. unread has a sentence for each
// result that cannot be used. A folder without results is no error.
func Read(dir string) (results []Result, unread []string) {
	folders := []string{dir}
	entries, _ := os.ReadDir(dir) // the caller looks for runs in the folder next, and reports that it cannot be read
	for _, entry := range entries {
		folders = append(folders, filepath.Join(dir, entry.Name()))
	}
	for _, folder := range folders {
		var r Result
		file := filepath.Join(folder, Record)
		err := read(file, &r)
		switch graphs, most := len(r.Graphs), len(r.Study.Graphs); {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
		case kinds[r.Study.Kind].often == nil:
			err = fmt.Errorf("study: there is no kind %q of studies: use the original file", r.Study.Kind)
		case !r.consistent():
			err = errors.New("study: its claims or verdicts differ from its study: use the original file")
		case graphs > most:
			err = fmt.Errorf("study: it has figures of %d graphs, and its study has %d: use the original file", graphs, most)
		}
		if err != nil {
			unread = append(unread, infile.LeftOut(file, err))
			continue
		}
		results = append(results, r)
	}
	return results, unread
}

func read(path string, into any) error {
	err := infile.JSON(path, "the figures", into)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("study: %w: remove it, or use the original file", err)
	}
	return err
}

// write replaces a JSON file.
func write(path string, value any) error {
	return replace(path, func(w io.Writer) error { return output.JSON(w, value) })
}

func replace(path string, content func(io.Writer) error) error {
	if err := atomicfile.Write(path, content); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}
