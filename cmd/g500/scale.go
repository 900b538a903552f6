// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/model"
	"g500/analysis/scale"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/atomicfile"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
)

// scaleOptions are the flags of "g500 scale".
type scaleOptions struct {
	output string
	only   []int
	plan   bool
	tables bool
	json   bool
}

func scaleCommand() *cobra.Command {
	var opt scaleOptions
	c := &cobra.Command{
		Use:  "scale STUDY.toml",
		Args: cli.Arguments(1, 1, "one STUDY.toml"),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := studyOf(args[0])
			if err = cmp.Or(err, s.Has(opt.only)); err != nil {
				return cli.Misuse(err)
			}
			if opt.output == "" {
				opt.output = filepath.Join("runs", strings.TrimSuffix(filepath.Base(args[0]), ".toml"))
			}
			return opt.run(s, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVarP(&opt.output, "output", "o", "", "write the study to this folder (default runs/STUDY)")
	f.IntSliceVar(&opt.only, "only", nil, "run only these sizes of the study, as in --only 1,2")
	f.BoolVar(&opt.plan, "plan", false, "print sizes, missing runs and their estimated time, and run nothing")
	f.BoolVar(&opt.tables, "tables", false, "print the tables of the runs so far, and run nothing")
	f.BoolVar(&opt.json, "json", false, "print JSON in place of the tables, in base units: seconds, TEPS, joules")
	c.MarkFlagsMutuallyExclusive("plan", "tables")
	c.MarkFlagsMutuallyExclusive("plan", "json")
	return c
}

// studyOf reads a study, unless the command line is wrong.
func studyOf(path string) (scale.Study, error) {
	if starter := comm.Launched().Name; starter != "" {
		return scale.Study{}, fmt.Errorf("%s started g500 scale, which starts ranks itself: run it without, "+
			"and name %[1]s in the study's launch", starter)
	}
	return scale.Load(path)
}

// run runs a study, or prints its plan or its tables.
func (o scaleOptions) run(s scale.Study, out, errOut io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	watch := &studyWatch{w: errOut, dir: o.output, plan: o.plan, study: s}
	r := scale.Runner{Study: s, Dir: o.output, Only: o.only, Program: program, Cores: machine.Cores(), Watch: watch,
		Check: watch.check}
	switch {
	case o.plan:
		pace, left, err := r.Left()
		if err == nil {
			_, err = io.WriteString(out, planTable(r, pace, left).Text())
		}
		return err
	case o.tables:
		if _, err := os.Stat(filepath.Join(o.output, scale.File)); errors.Is(err, fs.ErrNotExist) {
			return cli.Misuse(fmt.Errorf("%s has no study yet: leave out --tables to start it", o.output))
		}
		return o.print(s, out)
	}
	// A run, which receives the signal too, ends after 2*cli.Grace at most.
	ctx, end := cli.UntilStopped(3*cli.Grace, errOut)
	defer end()
	failed, err := r.Run(ctx)
	if err = errors.Join(err, watch.err); err != nil {
		return err
	}
	if err := o.print(s, out); err != nil {
		return err
	}
	if o.json {
		out = errOut
	}
	fmt.Fprintln(out, output.Wrapped(fmt.Sprintf("%s: %d of %s valid; g500 report %s makes tables and pictures",
		filepath.Join(o.output, scale.TableFile), len(r.Plan())-failed, collect.Count(len(r.Plan()), "run"), o.output), "  "))
	if failed > 0 {
		return cli.ErrInvalid
	}
	return nil
}

// planTable has a row for each size.
func planTable(r scale.Runner, pace *scale.Pace, left []scale.Planned) output.Table {
	s := r.Study
	t := output.Table{Head: []string{s.Axis(), "ranks", "nodes", "runs", "missing", "time"}}
	twice := slices.Index(t.Head[1:], s.Axis()) + 1 // a study of ranks or nodes has one column of them; 0 for others
	t.Head = slices.Delete(t.Head, twice, twice+min(twice, 1))
	for _, units := range s.Sizes() {
		of := func(runs []scale.Planned) []scale.Planned {
			return lists.Where(runs, func(p scale.Planned) bool { return p.Units == units })
		}
		if all := of(r.Plan()); len(all) > 0 {
			row := []any{units, all[0].Ranks, s.NodesOf(all[0].Ranks), len(all), len(of(left)), cli.Roughly(pace.Of(of(left)))}
			t.Row(slices.Delete(row, twice, twice+min(twice, 1))...)
		}
	}
	return t
}

// print prints the tables of a study, or its JSON, and writes study.csv.
func (o scaleOptions) print(s scale.Study, out io.Writer) error {
	set, err := writeStudyTable(o.output)
	if o.tables && errors.Is(err, fs.ErrPermission) { // the folder is of another user
		if set, err = collect.Read(o.output); err == nil {
			set = set.OfStudy(".")
		}
	}
	if err != nil {
		return err
	}
	if o.json {
		return set.WriteScaling(out)
	}
	tables := set.ScalingTables()
	for _, table := range tables {
		fmt.Fprintf(out, "%s\n", table.Text())
	}
	for _, series := range set.Series {
		if table, why := model.ComparedWith(set, series); len(table.Rows) > 0 {
			fmt.Fprintf(out, "%s\n", table.Text())
		} else if why != "" {
			fmt.Fprintln(out, output.Wrapped(fmt.Sprintf("note: %v: %s", series, why), "  "))
		}
	}
	if len(tables) == 0 {
		fmt.Fprintf(out, "%s\nnothing to compare: a table needs two numbers of %s\n", set.ShortRunTable().Text(), s.Axis())
	}
	noteOutsideScaling(out, set)
	return nil
}

// noteOutsideScaling prints which runs are in no scaling table, and why.
func noteOutsideScaling(w io.Writer, set *collect.Set) {
	for _, left := range set.OutsideScaling() {
		first, reason := left.Runs[0], ""
		if left.Why == collect.NotValid {
			name := map[bool]string{true: first.Name() + ": "}[left.Count() > 1]
			reason = "; " + name + cmp.Or(first.Contradiction, first.Reason)
		}
		fmt.Fprintf(w, "note: in no scaling table: %v%s\n", left, reason)
	}
}

// writeStudyTable reads the runs in the folder of a study, without studies below it, and writes their table.
func writeStudyTable(dir string) (set *collect.Set, err error) {
	err = scale.Exclusive(dir, func() error {
		all, err := collect.Read(dir)
		if err != nil {
			return err
		}
		set = all.OfStudy(".")
		return atomicfile.Write(filepath.Join(dir, scale.TableFile), set.WriteCSV)
	})
	return set, err
}

// studyWatch prints a line for each run, and writes the study's table after it.
type studyWatch struct {
	w     io.Writer
	dir   string
	err   error // of the table
	pace  *scale.Pace
	left  []scale.Planned
	began time.Time // of the run

	plan  bool        // no run begins
	gpus  bool        // the runs request GPUs
	study scale.Study // as its file is; its launcher may start the ranks on other nodes
	notes []string    // on runs that will fail
}

func (s *studyWatch) Settled(of scale.Study, pace *scale.Pace, left []scale.Planned) {
	s.pace, s.left = pace, left
	fmt.Fprintf(s.w, "%s scaling over %s in %s: %s to do%s\n", of.Scaling, of.Axis(), s.dir,
		collect.Count(len(left), "run"), s.remaining())
	for _, note := range append(s.notesOn(of), s.notes...) {
		fmt.Fprintln(s.w, note)
	}
}

// check checks the flags of a run, and notes if it will not fit the memory of this node. If this node cannot start the
// run, that is an error or, of a plan, which may be for another node, a note.
func (s *studyWatch) check(args []string) error {
	cfg, err := runSettings(args)
	if err != nil {
		return err
	}
	s.gpus = cfg.Search.Engine == settings.GPU
	if err := cannotStart(cfg.Search.Engine, s.study.Launch); err != nil && !s.plan {
		return cli.Misuse(err)
	} else if err != nil {
		s.note("will fail here: " + err.Error())
	}
	if reason := beyondMemory(cfg); reason != "" && len(s.study.Launch) == 0 {
		s.note("will fail: " + reason)
	}
	return nil
}

func (s *studyWatch) note(text string) {
	if text = "note: " + text; !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// remaining returns the time of the runs that are left, as the end of a sentence.
func (s *studyWatch) remaining() string {
	left := s.pace.Of(s.left)
	switch {
	case len(s.left) == 0:
		return ""
	case left < time.Second:
		return ", less than 1 s"
	case !s.pace.Known():
		return fmt.Sprintf(", very roughly %s", cli.Roughly(left))
	}
	return fmt.Sprintf(", about %s", cli.Roughly(left))
}

// Begins begins the line of a run, which Ended completes.
func (s *studyWatch) Begins(r scale.Planned, i, n int, resumed bool) {
	s.began = time.Now()
	fmt.Fprintf(s.w, "run %d/%d, %v: ", i, n, r)
	if resumed {
		fmt.Fprint(s.w, "resumes, ")
	}
}

func (s *studyWatch) Ended(r scale.Planned, i, n int, result *record.Run, now bool, err error) {
	if !now {
		fmt.Fprintf(s.w, "run %d/%d, %v: ", i, n, r)
	}
	fmt.Fprint(s.w, s.end(r, result, now, err))
	if now {
		s.left = slices.DeleteFunc(s.left, func(other scale.Planned) bool { return other == r })
		if err == nil {
			s.pace.Add(r, time.Since(s.began))
		}
		if len(s.left) > 0 {
			fmt.Fprintf(s.w, "; %d left%s", len(s.left), s.remaining())
		}
	}
	fmt.Fprintln(s.w)
	_, err = writeStudyTable(s.dir)
	s.err = errors.Join(s.err, err)
}

// end describes the result of a run.
func (s *studyWatch) end(r scale.Planned, result *record.Run, now bool, err error) string {
	if err != nil {
		return fmt.Sprintf("FAILED: %v (%s)", err, filepath.Join(s.dir, r.String()))
	}
	text := "was done before"
	if now {
		text = "done"
	}
	for _, k := range result.Kernels {
		t := k.Statistics.TEPS
		text += fmt.Sprintf(", %s %s ±%.1f%%", k.Kernel.Abbreviation(), record.FormatTEPS(t.HarmonicMean),
			100*t.HarmonicStddev/t.HarmonicMean)
	}
	return text
}

// notesOn returns sentences about the runs of the study, with its threads per rank, before they begin: these threads
// unless the file sets them, and which runs will be in no table or will fail.
func (w *studyWatch) notesOn(s scale.Study) (notes []string) {
	cores, sizes := machine.Cores(), s.Sizes()
	most := sizes[len(sizes)-1]
	local := len(s.Launch) == 0
	if len(sizes) < 2 {
		notes = append(notes, fmt.Sprintf("note: with one number of %s the study has no efficiency: add another one",
			s.Axis()))
	}
	if s.Threads > 0 && w.study.Threads == 0 {
		notes = append(notes, fmt.Sprintf("each rank of each run has %s, on %s; threads = N in the study sets another number",
			collect.Count(s.Threads, "thread"), collect.Count(cores, "core")))
	}
	switch {
	case s.Axis() == scale.Cores && local && most > cores:
		notes = append(notes, fmt.Sprintf("note: this node has %s, so more threads do not show how the program scales",
			collect.Count(cores, "core")))
	case local && s.Threads > 0 && most*s.Threads > cores:
		notes = append(notes, fmt.Sprintf("note: %s of %s share %s, so their rates do not show how the program scales",
			collect.Count(most, "rank"), collect.Count(s.Threads, "thread"), collect.Count(cores, "core")))
	case w.gpus && local:
		if n := len(gpus().Memories); n > 0 && n < most {
			notes = append(notes, fmt.Sprintf("note: this node has %s: ranks that share one do not show how the program scales",
				collect.Count(n, "GPU")))
		}
	case !local && !s.SetsThreads() && !w.gpus:
		notes = append(notes, "note: runs on CPUs whose launch gives unlike threads to a rank are in no table: set threads")
	}
	return notes
}

// cannotStart returns the reason why no run with this engine and launcher can begin, nil if it can. Nodes of a launcher
// may have GPUs that this one lacks.
func cannotStart(engine string, launch []string) error {
	if len(launch) > 0 {
		if _, err := exec.LookPath(launch[0]); err != nil {
			return fmt.Errorf("launch needs a program that is not there: install it, or correct launch in the study: %w", err)
		}
	}
	if engine != settings.GPU {
		return nil
	}
	if unknown := gpus().Unknown; unknown != "" && len(launch) == 0 {
		return errors.New(unknown)
	}
	return gpuUnbuilt()
}
