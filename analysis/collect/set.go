// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"g500/analysis/scale"
	"g500/internal/infile"
	"g500/internal/lists"
	"g500/record"
	"g500/settings"
)

// submissionSums marks a folder as a submission, which has a copy of a run. Its name precedes record.File, because
// files are visited in the order of names.
const submissionSums = "SHA256SUMS"

// Records returns the names of the files that Read reads or looks for.
func Records() []string { return []string{record.File, scale.File, submissionSums} }

// Set is the kernels of all stored runs in and below a folder, and the points and series that they form. NewSet
// computes all figures, and readers change nothing.
type Set struct {
	Runs   []*Run
	Points []Point  // of the valid runs, in the order of Runs
	Series []Series // of the points: strong scaling, then weak scaling
	Unread []string // a sentence for each run that cannot be read

	studies map[string]scale.Study // by folder
}

// Run is one kernel of a stored run, with its place in the set.
type Run struct {
	*record.Run
	record.KernelRun
	Folder string // below the set's, with slashes
	Kind   Kind

	// Figures, which NewSet computes.
	record.Statistics
	Levels []record.MeanLevel // of the mean search, nil without a trace or for shortest paths
	Began  time.Time          // zero if unknown
	Day    string             // of the start in UTC, "" if unknown
	Nodes  int                // that have a rank
	Units  int                // as in Point
	Per    Per
}

// Name names the run in a sentence: "run FOLDER", or "the run" if the set is of its folder.
func (r *Run) Name() string {
	if r.Folder == "." {
		return "the run"
	}
	return "run " + r.Folder
}

// Kind is the properties that runs must share to be compared. On CPUs these include the threads per rank, which on one
// node are equal for different numbers of ranks only with --threads.
type Kind struct {
	Study   string // folder of the study, "" for none
	Scaling string // of that study
	Axis    string // of that study: scale.GPUs, scale.Nodes or scale.Cores, "" for ranks
	Machine string // GPU, or processor and cores
	Engine  string
	Kernel  record.Kernel
	Prune   string // landmarks by which kernel 1 dropped edges, "" if it kept all
	Threads int    // of a rank, 0 if a rank computes on a GPU
	Variant string // settings that affect speed and are not the defaults, variables of the transport
	Bits    int    // of a parent in a result, 0 for the usual ones
	Factor  int64  // edge factor
}

// NewSet returns the set of runs in their order, after it has computed the figures of each.
func NewSet(runs []*Run, unread ...string) *Set { return setOf(runs, unread, nil) }

// measure computes the figures of the run.
func (r *Run) measure() {
	r.Statistics, r.Levels = r.Run.Statistics(r.KernelRun), r.MeanLevels()
	r.Units = cmp.Or(r.Units, r.Ranks)
	r.Nodes = len(lists.Distinct(r.Environment.Nodes))
	if at, err := time.Parse(time.RFC3339, r.Environment.Started); err == nil {
		r.Began, r.Day = at, at.UTC().Format(time.DateOnly)
	}
	r.Per = r.perUnit()
}

// Cores returns the number of cores of the run's nodes, 0 if unknown.
func (r *Run) Cores() int { return r.Environment.Cores * max(r.Nodes, 1) }

// setOf is NewSet with the plans of these studies.
func setOf(runs []*Run, unread []string, studies map[string]scale.Study) *Set {
	for _, r := range runs {
		r.measure()
	}
	s := &Set{Runs: runs, Points: pointsOf(runs), Unread: unread, studies: studies}
	s.Series = s.seriesOf(s.Points)
	return s
}

// Read reads the runs in and below a folder, in the order of kind, scale and ranks.
func Read(dir string) (*Set, error) {
	set := &Set{studies: map[string]scale.Study{}}
	root := dir
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		root += string(filepath.Separator) // also if it is a link
	}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return set.unreadable(root, name, entry, err)
		}
		below, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		below = infile.Clean(filepath.ToSlash(below))
		switch entry.Name() {
		case submissionSums: // next to a copy of a run.json
			return fs.SkipDir
		case scale.File:
			s, err := scale.Load(name)
			if err != nil {
				set.unread(name, err)
				return nil
			}
			set.studies[below] = s
		case record.File:
			set.read(name, below)
		}
		return nil
	})
	if err != nil {
		return nil, infile.CannotRead("the runs", dir, err)
	}
	if len(set.Runs) == 0 {
		err := fmt.Errorf("collect: there is no run in %s: none of its folders has a readable %s: name a folder of "+
			"g500 run --output or g500 scale, or an archive of one", dir, record.File)
		return nil, WithUnread(err, set.Unread)
	}
	for _, run := range set.Runs {
		run.join(set.studies)
	}
	slices.SortFunc(set.Runs, inOrder)
	return setOf(set.Runs, set.Unread, set.studies), nil
}

// unreadable skips a folder or file that cannot be read, unless it is the set's own folder.
func (s *Set) unreadable(dir, name string, entry fs.DirEntry, err error) error {
	if name == dir {
		return err
	}
	s.unread(name, err)
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// unread notes a file that cannot be read.
func (s *Set) unread(name string, err error) { s.Unread = append(s.Unread, infile.LeftOut(name, err)) }

// WithUnread adds sentences of LeftOut to the error that nothing was left.
func WithUnread(err error, unread []string) error {
	if len(unread) == 0 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(unread, "; "))
}

// OfStudy returns the runs of the study in a folder below the set's, without the runs of studies below that folder.
func (s *Set) OfStudy(folder string) *Set {
	return setOf(lists.Where(s.Runs, func(r *Run) bool { return r.Kind.Study == folder }), s.Unread, s.studies)
}

// OutsideStudies returns the set as if no run were of a study, so that runs of different studies can be compared. Runs
// with an inconsistent record are among the unread ones.
func (s *Set) OutsideStudies() *Set {
	var runs []*Run
	var unread []string
	for _, r := range s.Runs {
		if r.Contradiction == "" {
			run := *r
			run.Kind.Study, run.Kind.Scaling, run.Kind.Axis, run.Units = "", "", "", run.Ranks
			runs = append(runs, &run)
			continue
		}
		sentence := fmt.Sprintf("%s was left out: %s", r.Name(), r.Contradiction)
		if !slices.Contains(unread, sentence) { // of the run's other kernel
			unread = append(unread, sentence)
		}
	}
	return setOf(runs, append(unread, s.Unread...), nil)
}

// read adds the run in a file to the set.
func (s *Set) read(name, folder string) {
	text, err := record.Stored(filepath.Dir(name))
	var run *record.Run
	if err == nil {
		run, err = record.Parse(text)
	}
	if err == nil && len(run.Kernels) == 0 {
		err = errors.New(cmp.Or(run.Contradiction, "the run has no kernel"))
	}
	if err != nil {
		s.unread(name, err)
		return
	}
	run.Settle()
	for _, kernel := range run.Kernels {
		s.Runs = append(s.Runs, &Run{Run: run, KernelRun: kernel, Folder: folder, Kind: kindOf(run, kernel)})
	}
}

// stored returns the first kernel of each stored run.
func (s *Set) stored() (runs []*Run) {
	seen := map[*record.Run]bool{}
	for _, r := range s.Runs {
		if !seen[r.Run] {
			seen[r.Run] = true
			runs = append(runs, r)
		}
	}
	return runs
}

// Count counts the stored runs, and the valid ones among them.
func (s *Set) Count() (all, valid int) {
	runs := s.stored()
	all = len(runs)
	return all, len(slices.DeleteFunc(runs, func(r *Run) bool { return r.Status != record.Valid }))
}

// Planned counts the runs that the set's studies plan, and those among them without a stored run.
func (s *Set) Planned() (all, missing int) {
	stored := map[string]bool{}
	for _, r := range s.Runs {
		stored[r.Folder] = true
	}
	for folder, study := range s.studies {
		for _, run := range study.Plan() {
			all++
			if !stored[path.Join(folder, run.String())] {
				missing++
			}
		}
	}
	return all, missing
}

// OnOtherGraphs counts the stored runs on graphs other than the official one.
func (s *Set) OnOtherGraphs() int {
	return len(slices.DeleteFunc(s.stored(), func(r *Run) bool { return r.Graph == nil }))
}

// Dates returns the dates of the first and the last run, in UTC; "" if unknown.
func (s *Set) Dates() (first, last string) {
	for _, r := range s.Runs {
		if day := r.Day; day != "" {
			first, last = min(cmp.Or(first, day), day), max(last, day)
		}
	}
	return first, last
}

// join adds the study of the run's folder, if there is one.
func (r *Run) join(studies map[string]scale.Study) {
	for folder := r.Folder; ; folder = path.Dir(folder) {
		if s, found := studies[folder]; found {
			r.Kind.Study, r.Kind.Scaling = folder, s.Scaling
			if s.Axis() != scale.Ranks {
				r.Kind.Axis = s.Axis()
			}
			r.Units = s.Units(r.Ranks, r.Environment.Threads)
			if p := s.PlanOf(path.Base(r.Folder)); p != nil && r.Run.Status != record.Valid {
				r.Units = p.Units // of a run that has not begun
			}
			return
		}
		if folder == "." {
			return
		}
	}
}

func kindOf(run *record.Run, kernel record.KernelRun) Kind {
	k := Kind{
		Machine: run.Environment.Machine(), Engine: run.Environment.Engine, Kernel: kernel.Kernel, Prune: kernel.Prune,
		Variant: variant(run), Factor: run.EdgeFactor,
	}
	if run.Environment.Device == nil {
		k.Threads = run.Environment.Threads
		if cores := run.Environment.Cores; cores > 0 { // virtual machines of all sizes have the same processor
			k.Machine += fmt.Sprintf(" (%s)", Count(cores, "core"))
		}
	}
	if run.ResultBits < usualBits {
		k.Bits = run.ResultBits
	}
	return k
}

// usualBits are the bits of a parent in a result. Early versions of the program had fewer on GPUs.
const usualBits = 64

// variant lists the settings of a run that affect its speed, are not the defaults, and are in no other field, and the
// variables by which its environment changes the transport.
func variant(run *record.Run) string {
	var made []string
	for _, s := range settings.Table {
		if s.Variant && run.Config != nil && !s.IsDefault(run.Config) {
			made = append(made, s.Name()+" "+s.Text(run.Config))
		}
	}
	if run.Graph != nil && run.Graph.Directed { // the spec says so only if it has symmetric=no
		made = append(made, "directed")
	}
	if run.Config != nil && run.Config.Machine.EmulateNodes > 0 {
		made = append(made, Count(run.Ranks/run.Config.Machine.EmulateNodes, "rank")+" per emulated node")
	}
	return strings.Join(append(made, run.Environment.OfTransport()...), ", ")
}

// inOrder sorts runs so that comparable ones are neighbours.
func inOrder(a, b *Run) int {
	k, l := a.Kind, b.Kind
	return cmp.Or(cmp.Compare(k.Study, l.Study), cmp.Compare(k.Machine, l.Machine), cmp.Compare(k.Engine, l.Engine),
		cmp.Compare(k.Kernel, l.Kernel), cmp.Compare(k.Prune, l.Prune), cmp.Compare(k.Threads, l.Threads),
		cmp.Compare(k.Settings(), l.Settings()), cmp.Compare(k.Factor, l.Factor), cmp.Compare(a.Scale, b.Scale),
		cmp.Compare(a.Ranks, b.Ranks), cmp.Compare(a.Folder, b.Folder))
}
