// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"g500/internal/atomicfile"
	"g500/internal/infile"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/lab"
)

// Result has the figures of the graphs that were measured so far, and the verdicts.
type Result struct {
	Study    Study              `json:"study"`
	Machines []string           `json:"machines"` // that ran a strategy
	Program  string             `json:"program"`
	Graphs   []lab.GraphFigures `json:"graphs"`          // in the order of the study, without single searches
	Pairs    []Finding          `json:"pairs,omitempty"` // of identical programs
	Findings []Finding          `json:"findings"`
	Missing  []string           `json:"missing,omitempty"` // graphs that are not complete, if the call ended early

	complete []lab.GraphFigures // with single searches and runs
}

// Format counts incompatible changes of study.json.
const Format = 2

// resultName is the name of the file with the result, without its extension. The folder has another file per graph.
const resultName = "study"

// Record is the name of the file that Read reads.
const Record = resultName + ".json"

// mostLevels is the largest number of levels of a search that the result has. The files of graphs have all levels.
const mostLevels = 100

// Runner measures a study on machines that search or colour, and writes the figures to a folder.
type Runner struct {
	Dir      string
	Program  string // name and version
	Machines []lab.Machine
	Load     func(ctx context.Context, spec string) (*lab.Graph, error)
	Watch    lab.Watcher
	Clock    func() time.Duration // for Study.Seconds and Until
	Until    time.Duration        // of the clock, at which the study is interrupted; 0: never
	OtherGPU float64              // for the figures of graphs
}

// graphFile is the content of the file of a graph.
type graphFile struct {
	Settings   settings `json:"asked"`
	Unfinished bool     `json:"unfinished,omitempty"` // interrupted: more rounds follow
	*lab.Report
}

// settings must be equal for the stored figures of a graph to be used.
type settings struct {
	Program    string   `json:"program"`
	Spec       string   `json:"spec"`
	Seen       string   `json:"seen,omitempty"`
	Strategies []string `json:"strategies"`
	Sources    int      `json:"sources,omitempty"`
	Seed       uint64   `json:"seed,omitempty"`
	Seconds    float64  `json:"seconds,omitempty"`
	Runs       int      `json:"runs,omitempty"`
	Machines   []string `json:"machines"`
}

// Run measures the graphs of a study that the folder does not have, also with the strategies that machines bring, and
// writes the result after each. It ends at r.Until, and continues an interrupted graph after its complete rounds.
func (r Runner) Run(ctx context.Context, s Study) (*Result, error) {
	if own := lab.OwnStrategies(r.Machines); len(own) > 0 { // otherwise plugins of the study's file are left out
		s.added = own
	}
	for _, times := range s.times {
		r.Machines = append(slices.Clip(r.Machines), times)
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("study: cannot make the folder: %w; name another one with --output", err)
	}
	result := &Result{Study: s, Program: r.Program}
	for i, g := range s.Graphs {
		chosen, err := s.strategiesOn(g)
		if err != nil {
			return result, err
		}
		want := r.settings(s, g, chosen)
		path := filepath.Join(r.Dir, g.Name+".json")
		kept, err := stored(path, want)
		if err != nil {
			return result, err
		}
		if kept.Report != nil && !kept.Unfinished {
			r.Watch.Note(g.Name + ": was measured before")
		} else if r.Until > 0 && r.Clock() >= r.Until {
			kept.Unfinished = true
		} else {
			rounds := lab.Rounds{Least: leastRounds, Most: time.Duration(s.Seconds * float64(time.Second)), Clock: r.Clock,
				Until: r.Until, Enough: func(f lab.GraphFigures) bool { return s.narrow(g, f) }}
			plan := lab.Plan{Graphs: lab.Graphs{Names: []string{g.Spec}, Load: r.Load}, Strategies: chosen,
				Runs: s.Sources + s.Runs, Seed: s.Seed, Validate: true, Trace: true, Rounds: rounds} // one of both is 0
			if err := r.measure(ctx, kinds[s.Kind], &kept, path, plan); err != nil {
				return result, err
			}
		}
		if kept.Report != nil {
			if doubts := g.doubts(kept.Graphs[0]); doubts != "" {
				r.Watch.Note(doubts)
			}
			result.add(kept.Report)
		}
		if kept.Unfinished {
			result.Missing = s.graphNames()[i:]
		}
		if len(result.Graphs) == 0 && !kept.Unfinished {
			continue
		}
		err = write(filepath.Join(r.Dir, Record), func(w io.Writer) error { return output.Document(w, Format, result) })
		if err != nil || kept.Unfinished {
			return result, err
		}
	}
	if len(result.Graphs) == 0 {
		return nil, fmt.Errorf("study %s: no strategy of it runs on this machine: use a GPU and g500-lab-cuda, or "+
			"for searches --size small --engine emulated", s.Name)
	}
	return result, nil
}

// measure measures a graph, continuing the kept figures, and writes the figures to a file. Figures of complete rounds
// are kept after an error, too.
func (r Runner) measure(ctx context.Context, by kind, kept *graphFile, path string, plan lab.Plan) error {
	if kept.Report != nil {
		plan.Before = &kept.Graphs[0]
	}
	report, err := by.measure(ctx, plan, r.Machines, r.Watch)
	kept.Unfinished = errors.Is(err, lab.ErrUnfinished)
	if report != nil && len(report.Graphs) > 0 && len(report.Graphs[0].Rows) > 0 {
		kept.Report = report
		kept.Graphs[0].OtherGPU = max(kept.Graphs[0].OtherGPU, r.OtherGPU)
		file := *kept
		file.Unfinished = err != nil
		if failed := write(path, func(w io.Writer) error { return output.JSON(w, file) }); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if kept.Unfinished {
		return nil
	}
	return err
}

// settings returns the settings of a graph.
func (r Runner) settings(s Study, g Graph, chosen []lab.Strategy) settings {
	want := settings{Program: r.Program, Spec: g.Spec, Seen: g.Seen, Sources: s.Sources, Seed: s.Seed,
		Seconds: s.Seconds, Runs: s.Runs, Machines: lists.Of(r.Machines, lab.Machine.Name)}
	for _, strategy := range chosen {
		name := strategy.Name
		if slices.Contains(s.table[min(len(lab.Table()), len(s.table)):].Names(), name) { // the file may change
			name += fmt.Sprint(strategy.Settings)
		}
		want.Strategies = append(want.Strategies, name)
	}
	return want
}

// stored returns the file of a graph, without a report if there is no file.
func stored(path string, want settings) (kept graphFile, err error) {
	switch err := read(path, &kept); {
	case errors.Is(err, fs.ErrNotExist):
		return graphFile{Settings: want}, nil
	case err != nil:
		return kept, err
	case !reflect.DeepEqual(kept.Settings, want) || kept.Report == nil || len(kept.Graphs) != 1:
		return kept, fmt.Errorf("study: %s was measured with other settings, by another program or on another machine: "+
			"remove it, or name another folder with --output", path)
	}
	return kept, nil
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
		lists.At(&r.Machines, func(name string) bool { return name == row.Machine }, row.Machine)
	}
	r.Graphs = append(r.Graphs, figures)
	r.Pairs, r.Findings = r.Study.findAll(r.complete)
}

// On returns the names of the machines that ran a strategy, and the GPUs that had shares of a graph.
func (r *Result) On() string {
	if len(r.Machines) == 0 {
		return "no machine"
	}
	var gpus []string
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			gpus = append(gpus, lists.Of(row.Shares, func(s lab.Share) string { return fmt.Sprint(s.GPU) })...)
		}
	}
	names := strings.Join(r.Machines, " and ")
	if gpus = lists.Distinct(gpus); len(gpus) > 1 {
		names += fmt.Sprintf(" (shares of graphs on GPUs %s)", output.List(gpus, "and"))
	}
	return names
}

// Wrong reports whether a result of a strategy was wrong.
func (r *Result) Wrong() bool { return (&lab.Report{Graphs: r.Graphs}).Wrong() }

// Read reads the results in a folder and in its subfolders, in the order of their names, and finds their verdicts again
// from the single searches in the files of their graphs; without such a file a graph has none. With a study that is not
// nil, it reads only results of a study with its name and the result of dir itself, unless both studies are part of the
// program, and finds the verdicts of its claims. unread has a sentence for each result that cannot be used. A folder
// without results is no error.
func Read(dir string, by *Study) (results []Result, unread []string) {
	folders := []string{dir}
	entries, _ := os.ReadDir(dir) // the caller looks for runs in the folder next, and reports that it cannot be read
	for _, entry := range entries {
		folders = append(folders, filepath.Join(dir, entry.Name()))
	}
	for _, folder := range folders {
		var stored struct {
			Format int `json:"format"`
			Result
		}
		file := filepath.Join(folder, Record)
		err := read(file, &stored)
		r := stored.Result
		switch graphs, most := len(r.Graphs), len(r.Study.Graphs); {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
		case stored.Format > Format:
			err = fmt.Errorf("study: it has format %d, and this program reads up to %d: use a newer g500-lab",
				stored.Format, Format)
		case kinds[r.Study.Kind].often == nil:
			err = fmt.Errorf("study: there is no kind %q of studies: use the original file", r.Study.Kind)
		case graphs > most:
			err = fmt.Errorf("study: it has figures of %d graphs, and its study has %d: use the original file", graphs, most)
		case by != nil && by.Name != r.Study.Name && (folder != dir || by.isShipped() && r.Study.isShipped()):
			continue
		case by != nil && by.Kind != r.Study.Kind:
			err = fmt.Errorf("study: it has the kind %q, not %q as %s: name another study", r.Study.Kind, by.Kind, by.Name)
		default:
			err = r.decide(folder, by)
		}
		if err != nil {
			unread = append(unread, infile.LeftOut(file, err))
			continue
		}
		results = append(results, r)
	}
	return results, unread
}

// NamesOf lists the names of studies, each once.
func NamesOf(results []Result) string {
	return output.List(lists.Distinct(lists.Of(results, func(r Result) string { return r.Study.Name })), "and")
}

// decide finds the verdicts of a result in its folder again, by another study and only on its graphs if it is not nil.
func (r *Result) decide(dir string, by *Study) error {
	measured, graphs := r.Study.Graphs, r.Graphs
	if by != nil {
		r.Study = *by
	}
	r.Study.Graphs, r.Graphs, r.Machines = nil, nil, nil
	for i, figures := range graphs {
		g := measured[i]
		if by != nil {
			j := slices.Index(by.graphNames(), g.Name)
			if j < 0 {
				continue
			}
			spec := g.Spec
			g = by.Graphs[j]
			g.Spec = spec
		}
		r.Study.Graphs = append(r.Study.Graphs, g)
		var kept graphFile
		err := read(filepath.Join(dir, g.Name+".json"), &kept)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			kept.Report = &lab.Report{Graphs: []lab.GraphFigures{figures}}
		case err != nil:
			return err
		case kept.Report == nil || len(kept.Graphs) != 1 || kept.Graphs[0].Graph != figures.Graph:
			return fmt.Errorf("study: %s.json has another graph: use the original file", g.Name)
		}
		r.add(kept.Report)
	}
	if by != nil && len(r.Graphs) == 0 {
		return fmt.Errorf("study: it has none of the graphs of %s, which are %s: name another study", by.Name,
			strings.Join(by.graphNames(), ", "))
	}
	return nil
}

func read(path string, into any) error {
	text, err := infile.Small(path, "the figures", infile.Records)
	if err == nil {
		if err = infile.DecodeJSON(infile.CleanJSON(text), into); err != nil {
			err = fmt.Errorf("cannot read the figures: %s: %w", path, err)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("study: %w: remove it, or use the original file", err)
	}
	return err
}

func write(path string, content func(io.Writer) error) error {
	if err := atomicfile.Write(path, content); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}
