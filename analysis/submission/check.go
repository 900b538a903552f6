package submission

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"g500/record"
)

// Run is a stored run.
type Run struct {
	*record.Run
	Config   record.Config
	Dir      string // its output folder
	Unpruned *Run   // the same run on an unpruned structure, of a run on a pruned structure; nil for none

	contradiction string // in its record, "" if there is none
}

// Open reads the run in an output folder. A record that contradicts itself breaks one rule, and the others are checked
// as if it did not.
func Open(dir string) (Run, error) {
	run, err := record.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Run{}, fmt.Errorf("there is no run in %s; g500 run --output %s makes one: %w", dir, dir, err)
	case err != nil:
		return Run{}, fmt.Errorf("%s: %w", filepath.Join(dir, record.File), err)
	case run.Config == nil:
		return Run{}, fmt.Errorf("the run in %s has no configuration: it did not begin", dir)
	}
	r := Run{Run: run, Config: *run.Config, Dir: dir, contradiction: run.Contradiction}
	run.Contradiction = ""
	return r, nil
}

// Rule is a rule of the list, and whether a run meets it.
type Rule struct {
	Name   string // as the run should be
	Source string // section of the specification V2.0, or what else asks for it
	Fault  string // how the run breaks it, "" where it meets it
}

// Met reports whether all rules are met.
func Met(rules []Rule) bool {
	for _, r := range rules {
		if r.Fault != "" {
			return false
		}
	}
	return true
}

// Check holds a run to every rule, also after one is broken.
func (r Run) Check() []Rule {
	var rules []Rule
	for _, c := range checks() {
		rules = append(rules, Rule{c.name, c.source, c.fault(r)})
	}
	return rules
}

// check is a rule with the function that finds its fault.
type check struct {
	name, source string
	fault        func(Run) string
}

// each finds the fault of the first kernel that has one, and names the kernel if the run has several.
func each(fault func(Run, record.KernelRun) string) func(Run) string {
	return func(r Run) string {
		for _, k := range r.Kernels {
			switch text := fault(r, k); {
			case text != "" && len(r.Kernels) > 1:
				return k.Kernel.Title() + ": " + text
			case text != "":
				return text
			}
		}
		return ""
	}
}

// checks are those of all rules.
func checks() []check {
	return []check{
		{"edge factor 16", "Generating the Edge List", edgeFactorFault},
		{"seeds 2 and 3", "official program, src/main.c", seedsFault},
		{"edge tuples from the official generator, not from a file", "Generating the Edge List", generatedFault},
		{"64 search keys, all different", "Sampling 64 Search Keys", each(keysFault)},
		{"search keys in the order in which the generator draws them", "Sampling 64 Search Keys", each(drawnFault)},
		{"search keys drawn by the generator, each searched once", "Sampling 64 Search Keys", chosenFault},
		{"parents of 48 bits at least", "Generating the Edge List", bitsFault},
		{"every search done", "Overall Benchmark", each(completeFault)},
		{"every result validated", "Validation", each(validatedFault)},
		{"the verdict is VALID", "Validation", verdictFault},
		{"generation and construction timed", "Computing and Outputting Performance Information", each(timedFault)},
		{"searches timed as they are, without --kernel-times", "Kernel 2", syncFault},
		{"all searches on one construction", "Overall Benchmark", constructionFault},
		{"a pruned structure's results beside those of a whole one", "this program, docs/adr/0019", prunedFault},
		{"run.json agrees with itself", "this program", contradictionFault},
		{"the other files agree with run.json", "this program", filesFault},
	}
}
