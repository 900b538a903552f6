// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"g500/graph"
	"g500/internal/lists"
	"g500/kronecker"
	"g500/record"
	"g500/settings"
)

// check is a rule with the function that returns its fault.
type check struct {
	name, source string
	fault        func(Run) string
}

// on returns the rule for a run. Its name ends in of.
func (c check) on(r Run, of string) Rule { return Rule{c.name + of, c.source, c.fault(r)} }

// faultIf returns the formatted fault if it applies, "" otherwise.
func faultIf(applies bool, format string, args ...any) string {
	if !applies {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// official returns the fault of a run with another value of one of the settings than submissions have.
func official(keys ...string) func(Run) string {
	return func(r Run) (fault string) {
		for _, key := range keys {
			fault = cmp.Or(fault, settings.Of(key).Unofficial(&r.Config))
		}
		return fault
	}
}

// each returns the fault of the first kernel that has one, with the kernel's name if the run has several.
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

// Sections of the specification with several rules.
const (
	edgeList   = "Generating the Edge List"
	sampling   = "Sampling 64 Search Keys"
	validation = "Validation"
	outputting = "Computing and Outputting Performance Information"
)

// Rules on the output of other programs, too. keyCount is the name of the rule on the number of search keys.
var (
	keyCount   = fmt.Sprintf("%d search keys", settings.OfficialKeys)
	factorRule = check{fmt.Sprintf("edge factor %d", settings.OfficialEdgeFactor), edgeList, official("graph.edgefactor")}
	keysRule   = check{keyCount + ", all different", sampling, each(keysFault)}
	orderRule  = check{"search keys in the order in which the generator draws them", sampling, each(drawnFault)}
)

// checks returns all rules.
func checks() []check {
	return []check{
		factorRule,
		{"seeds 2 and 3", "reference code, src/main.c", official("graph.seeds")},
		{"edge tuples from the official generator, not from a file", edgeList, func(r Run) string {
			return cmp.Or(official("graph.spec", "graph.edges")(r), faultIf(r.Graph != nil, "the graph is not the official one"))
		}},
		keysRule,
		orderRule,
		{"search keys drawn by the generator, each searched once", sampling, official("search.roots", "search.min_time")},
		{fmt.Sprintf("%d-bit parents at least", record.OfficialBits), edgeList, func(r Run) string {
			return faultIf(r.ResultBits < record.OfficialBits,
				"the searches wrote parents of %d bits: run it again with --result-bits 64", r.ResultBits)
		}},
		{"every search done", "Overall Benchmark", each(func(_ Run, k record.KernelRun) string {
			done := len(k.Searches)
			return faultIf(done < k.Keys || k.Keys == 0, "%d of %d searches are done", done, k.Keys)
		})},
		{"every result validated and right", validation, each(validatedFault)},
		{"the verdict is VALID", validation, func(r Run) string {
			verdict := r.Verdict() // derived again
			return faultIf(verdict != string(record.Valid), "%s", verdict)
		}},
		{"generation and construction timed", outputting, each(func(r Run, k record.KernelRun) string {
			return cmp.Or(faultIf(!(r.GenerationSeconds > 0), "graph generation took %g s", r.GenerationSeconds),
				faultIf(!(k.ConstructionSeconds > 0), "kernel 1 took %g s", k.ConstructionSeconds))
		})},
		{"searches timed as they are, without --kernel-times", "Kernel 2", official("search.kernel_times")},
		{"all searches on one construction", "Overall Benchmark", constructionFault},
		{"results on a pruned structure together with results on an unpruned one", "this program, docs/adr/0019",
			prunedFault},
		{"run.json is consistent", "this program", func(r Run) string { return r.contradiction }},
		{"the other files agree with run.json", "this program", func(r Run) string {
			if r.Dir == "" {
				return ""
			}
			err := r.CompareFiles(r.Dir)
			return faultIf(err != nil, "%v", err)
		}},
	}
}

func keysFault(_ Run, k record.KernelRun) string {
	if k.Keys != settings.OfficialKeys {
		return fmt.Sprintf("the run has %d search keys", k.Keys)
	}
	of := map[int64]int{}
	for _, s := range k.Searches {
		if first, twice := of[s.Root]; twice {
			return fmt.Sprintf("keys %d and %d are both vertex %d", first, s.Key, s.Root)
		}
		of[s.Root] = s.Key
	}
	return ""
}

// drawnFault requires that the generator draws the roots as candidates in this order. It cannot check that candidates
// between two roots are isolated vertices or repetitions, because it has no graph.
func drawnFault(r Run, k record.KernelRun) string {
	roots := map[int]int64{}
	for _, s := range k.Searches {
		roots[s.Key] = s.Root
	}
	p := r.Config.Params()
	if err := p.Validate(); err != nil {
		return fmt.Sprintf("the generator's parameters are not right: %v", err)
	}
	next := int64(0)
	for key := range settings.OfficialKeys {
		root, done := roots[key]
		if !done {
			continue // the fault of another rule
		}
		if next = afterCandidate(p, next, root); next < 0 {
			return fmt.Sprintf("the generator does not draw vertex %d, which is search key %d, at that place", root, key)
		}
	}
	return ""
}

// mostSkipped bounds the number of successive candidates that are no keys. The share of vertices without an edge grows
// slowly with the scale, to 38% at scale 20, so longer sequences do not occur.
const mostSkipped = 1024

// afterCandidate returns the number after the first candidate, from number next on, that is the root; -1 for none.
func afterCandidate(p kronecker.Params, next, root int64) int64 {
	for k := next; k < next+mostSkipped; k++ {
		if p.KeyCandidate(k) == graph.Global(root) {
			return k + 1
		}
	}
	return -1
}

func validatedFault(r Run, k record.KernelRun) string {
	if fault := official("search.validate")(r); fault != "" {
		return fault
	}
	for _, s := range k.Searches {
		switch {
		case s.ValidateSeconds < 0:
			return fmt.Sprintf("the result of search key %d was not validated", s.Key)
		case s.Fault != "":
			return fmt.Sprintf("the result of search key %d (root %d) is wrong: %s", s.Key, s.Root, s.Fault)
		}
	}
	return ""
}

// constructionFault refuses searches on another construction than the timed one: otherwise a user could stop and resume
// a run until its construction time is short. A part that was cut off before its first search does not count.
func constructionFault(r Run) string {
	earlier := r.Resumed
	for _, part := range r.Parts {
		earlier = max(earlier, part.Searches)
	}
	return faultIf(earlier > 0, "the run was resumed: %d searches are of an earlier construction", earlier)
}

// Run is a stored run.
type Run struct {
	*record.Run
	Config   record.Config
	Dir      string // its output folder, "" for none
	Unpruned *Run   // the same run on an unpruned structure, of a run on a pruned structure; nil for none

	contradiction string // in its record, "" for none
}

// Open reads the run in an output folder. An inconsistent record breaks one rule; the others are checked nevertheless.
func Open(dir string) (Run, error) {
	run, err := record.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Run{}, fmt.Errorf("there is no run in %s; g500 run --output %s makes one: %w", dir, dir, err)
	case err != nil:
		return Run{}, err
	case run.Config == nil:
		return Run{}, fmt.Errorf("the run in %s has no configuration: it did not begin", dir)
	}
	return Of(*run, cmp.Or(dir, ".")), nil
}

// Of returns a run in a folder. Without a folder, "", its other files are not checked.
func Of(run record.Run, dir string) Run {
	r := Run{Run: &run, Config: *cmp.Or(run.Config, &record.Config{}), Dir: dir, contradiction: run.Contradiction}
	run.Contradiction = ""
	return r
}

// Rule is a rule of the list, and whether a run meets it.
type Rule struct {
	Name   string // as the run should be
	Source string // section of the specification V2.0, or another source
	Fault  string // how the run breaks it, "" if it does not
}

// Broken returns the rules that are not met.
func Broken(rules []Rule) []Rule {
	return lists.Where(rules, func(r Rule) bool { return r.Fault != "" })
}

// Check checks all rules, also after one is broken.
func (r Run) Check() []Rule { return lists.Of(checks(), func(c check) Rule { return c.on(r, "") }) }

// Write prints the rules, each broken one with its fault, and the remarks.
func Write(w io.Writer, rules []Rule, remarks []string) error {
	var b strings.Builder
	for _, r := range rules {
		if r.Fault == "" {
			fmt.Fprintf(&b, "met      %s\n", r.Name)
		} else {
			fmt.Fprintf(&b, "NOT MET  %s (%s)\n           %s\n", r.Name, r.Source, r.Fault)
		}
	}
	for _, remark := range remarks {
		fmt.Fprintf(&b, "remark   %s\n", remark)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
