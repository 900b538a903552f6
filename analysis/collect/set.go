package collect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"g500/analysis/scale"
	"g500/record"
)

// submissionSums marks a folder as a submission, which holds a copy of a run. It comes before record.File, as folders
// are read in the order of names.
const submissionSums = "SHA256SUMS"

// Set is the kernels of all stored runs below a folder.
type Set struct {
	Runs   []*Run
	Unread []string // a sentence for each run that cannot be read
}

// Run is one kernel of a stored run, with its place in the set.
type Run struct {
	*record.Run
	record.KernelRun
	Folder string // below the set's, with slashes
	Kind   Kind
}

// Statistics derives the figures of the kernel that the run's state allows.
func (r *Run) Statistics() record.Statistics { return r.Run.Statistics(r.KernelRun) }

// Kind is what runs must have in common to be compared. Where a rank is a share of the cores, ranks must have as many
// threads: on one host that is only so where the run was told (--threads).
type Kind struct {
	Study   string // folder of the study that they belong to, "" for none
	Scaling string // of that study
	Machine string // GPU, or processor
	Engine  string
	Kernel  record.Kernel
	Prune   string // landmarks by which kernel 1 dropped edges, "" if it kept all
	Threads int    // of a rank, 0 if a rank computes on a GPU
	Variant string // settings that make a difference and are not the defaults
	Factor  int64  // edge factor
}

// Read finds the runs in a folder and in those below it, in the order of their kind, scale and ranks.
func Read(dir string) (*Set, error) {
	set := new(Set)
	studies := map[string]string{} // folder to scaling
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return set.unreadable(dir, name, entry, err)
		}
		below, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		switch entry.Name() {
		case submissionSums: // beside a copy of a run.json
			return fs.SkipDir
		case scale.File:
			s, err := scale.Load(name)
			if err != nil {
				set.Unread = append(set.Unread, err.Error())
				return nil
			}
			studies[below] = s.Scaling
		case record.File, record.PackedFile:
			set.read(name, below)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("collect: cannot look for runs: %w", err)
	}
	if len(set.Runs) == 0 {
		return nil, errors.Join(fmt.Errorf("collect: there is no run in %s: none of its folders has a %s that can be read",
			dir, record.File), said(set.Unread))
	}
	for _, run := range set.Runs {
		run.Kind.Study, run.Kind.Scaling = studyOf(studies, run.Folder)
	}
	slices.SortFunc(set.Runs, inOrder)
	return set, nil
}

// unreadable leaves out a folder or file that cannot be read, unless it is the set's own folder.
func (s *Set) unreadable(dir, name string, entry fs.DirEntry, err error) error {
	if name == dir {
		return err
	}
	s.Unread = append(s.Unread, fmt.Sprintf("%s was left out: %v", name, err))
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// OfStudy returns the runs of the study in a folder below the set's, without the runs of studies below that folder.
func (s *Set) OfStudy(folder string) *Set {
	own := &Set{Unread: s.Unread}
	for _, r := range s.Runs {
		if r.Kind.Study == folder {
			own.Runs = append(own.Runs, r)
		}
	}
	return own
}

// read takes the run in a file into the set, once where its folder has it packed as well.
func (s *Set) read(name, folder string) {
	if last := len(s.Runs) - 1; last >= 0 && s.Runs[last].Folder == folder {
		return
	}
	run, err := record.Read(filepath.Dir(name))
	if err != nil {
		s.Unread = append(s.Unread, fmt.Sprintf("%s was left out: %v", name, err))
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
	for _, r := range s.stored() {
		all++
		if r.Status == record.Valid {
			valid++
		}
	}
	return all, valid
}

// Inconsistent returns one sentence for each run whose record contradicts itself.
func (s *Set) Inconsistent() (sentences []string) {
	for _, r := range s.stored() {
		if r.Contradiction != "" {
			sentences = append(sentences, fmt.Sprintf("the run in %s is inconsistent: %s", r.Folder, r.Contradiction))
		}
	}
	return sentences
}

// Programs are the versions of the program that made the runs, in the order in which they were first used.
func (s *Set) Programs() (all []string) {
	runs := slices.SortedStableFunc(slices.Values(s.Runs), func(a, b *Run) int { return a.started().Compare(b.started()) })
	for _, r := range runs {
		if program := cmp.Or(r.Environment.Program, "an unknown program"); !slices.Contains(all, program) {
			all = append(all, program)
		}
	}
	return all
}

// Dates are the days of the first run and of the last, in UTC; "" where no run says when it began.
func (s *Set) Dates() (first, last string) {
	for _, r := range s.Runs {
		if day := r.day(); day != "" {
			first, last = min(cmp.Or(first, day), day), max(last, day)
		}
	}
	return first, last
}

// Superseded counts the valid runs that are part of no point, since a later version of the program made the same one.
func (s *Set) Superseded() int {
	current := map[*record.Run]bool{}
	for _, p := range s.Points() {
		for _, r := range p.Runs {
			current[r.Run] = true
		}
	}
	_, valid := s.Count()
	return valid - len(current)
}

func said(sentences []string) error {
	if len(sentences) == 0 {
		return nil
	}
	return errors.New(strings.Join(sentences, "; "))
}

// studyOf finds the study that a folder belongs to, and its scaling.
func studyOf(studies map[string]string, folder string) (name, scaling string) {
	for ; ; folder = path.Dir(folder) {
		if scaling, found := studies[folder]; found {
			return folder, scaling
		}
		if folder == "." {
			return "", ""
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
	}
	return k
}

// usualBits are the bits of a parent in a result. The first programs had fewer on GPUs.
const usualBits = 64

// variant lists the settings of a run that its speed depends on, that its other fields do not show, and that are not
// the defaults.
func variant(run *record.Run) string {
	var made []string
	add := func(name, value, usual string) {
		if value != usual {
			made = append(made, name+" "+value)
		}
	}
	if c, usual := run.Config, record.DefaultConfig(); c != nil {
		add("exchange", c.Search.Exchange, usual.Search.Exchange)
		add("kernel-times", fmt.Sprint(c.Search.KernelTimes), "false")
		add("gpu-transport", c.Machine.GPUTransport, usual.Machine.GPUTransport)
		add("edge-memory", c.Machine.EdgeMemory, usual.Machine.EdgeMemory)
		add("edges", c.Graph.Edges, "")
		add("spec", c.Graph.Spec, "")
	}
	if bits := run.ResultBits; 0 < bits && bits < usualBits {
		made = append(made, fmt.Sprintf("%d-bit results", bits))
	}
	return strings.Join(made, ", ")
}

// inOrder puts runs beside those that they are compared with.
func inOrder(a, b *Run) int {
	return cmp.Or(compareKinds(a.Kind, b.Kind), cmp.Compare(a.Scale, b.Scale), cmp.Compare(a.Ranks, b.Ranks),
		cmp.Compare(a.Folder, b.Folder))
}

func compareKinds(a, b Kind) int {
	return cmp.Or(cmp.Compare(a.Study, b.Study), cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Engine, b.Engine),
		cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Prune, b.Prune), cmp.Compare(a.Threads, b.Threads),
		cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Factor, b.Factor))
}

// KernelName names the kernel with its pruning; it is empty for BFS, the kernel of most runs.
func (k Kind) KernelName() string {
	switch {
	case k.Kernel == record.BFS:
		return ""
	case k.Prune == "":
		return k.Kernel.Abbreviation()
	}
	return fmt.Sprintf("%s pruned by a %s", k.Kernel.Abbreviation(), k.Prune)
}

// String names the kind for people.
func (k Kind) String() string {
	var parts []string
	if k.Study != "." {
		parts = append(parts, k.Study)
	}
	parts = append(parts, k.Machine, k.Engine, k.KernelName())
	if k.Threads > 0 {
		parts = append(parts, Count(k.Threads, "thread")+" per rank")
	}
	parts = append(parts, k.Variant)
	if k.Factor != record.OfficialEdgeFactor && k.Factor > 0 { // a run that did not begin has none
		parts = append(parts, fmt.Sprintf("edge factor %d", k.Factor))
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}
