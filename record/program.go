// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"strings"
)

// Program is the version of g500 that made a run. Its text is "g500 0.3.0 (commit 1234567-dirty)".
type Program struct {
	Version string // name and version: g500 0.3.0
	Commit  string // "" if the text has none, UnknownCommit if the build had none
	Dirty   bool   // built with changes that the commit does not have
}

// UnknownCommit is the commit of a program that was built without git.
const UnknownCommit = "unknown"

const dirty = "-dirty" // as git describe writes it

// NewProgram returns the program with a version and the commit as git describe prints it.
func NewProgram(version, commit string) Program {
	commit, changed := strings.CutSuffix(commit, dirty)
	return Program{version, commit, changed}
}

// describe returns the commit as git describe prints it.
func (p Program) describe() string {
	if p.Dirty {
		return p.Commit + dirty
	}
	return p.Commit
}

// Label returns the commit as git describe prints it, or the version if the commit is unknown.
func (p Program) Label() string {
	if commit := p.describe(); commit != UnknownCommit {
		return cmp.Or(commit, p.Version)
	}
	return p.Version
}

// Reproducible reports whether the program can be built again from its commit.
func (p Program) Reproducible() bool { return p.Commit != UnknownCommit && !p.Dirty }

// String returns the text of the program.
func (p Program) String() string {
	if commit := p.describe(); commit != "" {
		return p.Version + " (commit " + commit + ")"
	}
	return p.Version
}

// MarshalText returns the text of the program.
func (p Program) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses the text of any program. A text in another form is a version without a commit.
func (p *Program) UnmarshalText(text []byte) error {
	version, rest, _ := strings.Cut(string(text), " (commit ")
	commit, closed := strings.CutSuffix(rest, ")")
	if *p = NewProgram(version, commit); !closed || p.String() != string(text) {
		*p = Program{Version: string(text)}
	}
	return nil
}
