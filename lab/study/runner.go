package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"g500/internal/atomicfile"
	"g500/internal/output"
	"g500/lab"
	"io"
)

// Result is what a study has found so far.
type Result struct {
	Study    Study              `json:"study"`
	Machines []string           `json:"machines"` // that were at work
	Program  string             `json:"program"`
	Graphs   []lab.GraphFigures `json:"graphs"` // in the order of the study's, without single searches, runs and settings
	Findings []Finding          `json:"findings"`
}

// resultName is the name of the result's file without its ending, beside one for each graph.
const resultName = "study"

// Runner measures a study into a folder.
type Runner struct {
	Dir     string
	Program string // its name and version
	Note    func(text string)
}

// measure measures a study's strategies on one of its graphs.
type measure func(ctx context.Context, g Graph) (*lab.Report, error)

// part is what is kept of a graph: what was asked for, and the report with each search.
type part struct {
	Asked asked `json:"asked"`
	*lab.Report
}

// asked is what must be the same for a graph not to be measured again.
type asked struct {
	Spec       string   `json:"spec"`
	Strategies []string `json:"strategies"`
	Sources    int      `json:"sources,omitempty"`
	Seed       uint64   `json:"seed,omitempty"`
	Runs       int      `json:"runs,omitempty"`
	Machines   []string `json:"machines"`
}

// run measures the graphs that the folder does not have yet, and writes the result after each.
func (r Runner) run(ctx context.Context, s Study, machines []string, by measure) (*Result, error) {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("study: cannot make the folder: %w", err)
	}
	result := &Result{Study: s, Program: r.Program}
	for _, g := range s.Graphs {
		want, err := s.ask(g, machines)
		if err != nil {
			return result, err
		}
		report, err := r.graph(ctx, g, want, by)
		if err != nil {
			return result, err
		}
		result.add(report)
		if err := write(filepath.Join(r.Dir, resultName+".json"), result); err != nil {
			return result, err
		}
	}
	return result, nil
}

// ask is what a study asks of a graph.
func (s Study) ask(g Graph, machines []string) (asked, error) {
	want := asked{Spec: g.Spec, Sources: s.Sources, Seed: s.Seed, Runs: s.Runs, Machines: machines}
	chosen, err := s.on(g)
	for _, strategy := range chosen {
		want.Strategies = append(want.Strategies, strategy.Name)
	}
	return want, err
}

// graph is the report of a graph, measured now unless the folder has it.
func (r Runner) graph(ctx context.Context, g Graph, want asked, by measure) (*lab.Report, error) {
	path := filepath.Join(r.Dir, g.Name+".json")
	var kept part
	switch err := read(path, &kept); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !reflect.DeepEqual(kept.Asked, want) || len(kept.Graphs) != 1:
		return nil, fmt.Errorf("study: %s was measured with other settings or on another machine: remove it, or name "+
			"another folder with --output", path)
	default:
		r.Note(g.Name + ": was measured before")
		return kept.Report, nil
	}
	report, err := by(ctx, g)
	if err != nil {
		return nil, err
	}
	return report, write(path, part{want, report})
}

// add takes the report of the next graph, and judges the claims anew.
func (r *Result) add(report *lab.Report) {
	figures := report.Graphs[0]
	figures.Rows = append([]lab.Row{}, figures.Rows...)
	for i := range figures.Rows {
		row := &figures.Rows[i]
		row.Searches, row.Strategy.Settings = nil, nil
		if row.Coloring != nil {
			means := *row.Coloring
			means.Runs = nil
			row.Coloring = &means
		}
		if !slices.Contains(r.Machines, row.Machine) {
			r.Machines = append(r.Machines, row.Machine)
		}
	}
	r.Graphs, r.Findings = append(r.Graphs, figures), nil
	for _, c := range r.Study.Claims {
		r.Findings = append(r.Findings, r.Study.find(c, r.Graphs))
	}
}

// On names the machines that were at work.
func (r *Result) On() string {
	if len(r.Machines) == 0 {
		return "no machine"
	}
	return strings.Join(r.Machines, " and ")
}

// Wrong reports whether a strategy has found a wrong result.
func (r *Result) Wrong() bool { return (&lab.Report{Graphs: r.Graphs}).Wrong() }

// Read reads the results in a folder and in the folders in it, in the order of their names. None is no error.
func Read(dir string) (results []Result, err error) {
	var files []string
	for _, pattern := range []string{".", "*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern, resultName+".json"))
		if err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		var r Result
		if err := read(file, &r); err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

func read(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("study: %s is damaged, remove it: %w", path, err)
	}
	return nil
}

// write replaces a file of JSON.
func write(path string, value any) error {
	if err := atomicfile.Write(path, func(w io.Writer) error { return output.JSON(w, value) }); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}
