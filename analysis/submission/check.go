// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"g500/record"
)

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
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.Fault == "" })
}

// Check checks all rules, also after one is broken.
func (r Run) Check() (rules []Rule) {
	for _, c := range checks() {
		rules = append(rules, c.on(r, ""))
	}
	return rules
}

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
