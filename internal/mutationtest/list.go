// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"g500/internal/tomlfile"
)

// mutant is a change of one source file that breaks a rule, and that tests must notice.
type mutant struct {
	Number   int      `toml:"number"`
	File     string   `toml:"file"`
	Breaks   string   `toml:"breaks"`
	Tests    []string `toml:"tests"`    // packages with a regular expression of tests, or commands of the emulator
	Survives string   `toml:"survives"` // why no test can notice the change, "" if one must
	Old      string   `toml:"old"`      // text that occurs once in File
	New      string   `toml:"new"`      // text in its place, which mut.Is(N) or mut.If(N, changed, unchanged) switches
}

// read returns all mutants of a folder, by number.
func read(folder string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var file struct {
			Mutants []mutant `toml:"mutant"`
		}
		if err := tomlfile.Decode(path, string(text), &file, "a mutant has the settings of its neighbours"); err != nil {
			return nil, err
		}
		all = append(all, file.Mutants...)
	}
	slices.SortFunc(all, func(a, b mutant) int { return a.Number - b.Number })
	for i, m := range all {
		if i > 0 && m.Number == all[i-1].Number {
			return nil, fmt.Errorf("there are two mutants %d: the next free number is %d", m.Number,
				all[len(all)-1].Number+1)
		}
	}
	return all, nil
}

// isCUDA reports whether the emulator compiles the mutant's file.
func (m mutant) isCUDA() bool {
	return strings.HasPrefix(m.File, "cuda/") && !strings.HasSuffix(m.File, ".go")
}

// switched returns the new text with the mutant's number.
func (m mutant) switched() string {
	n := fmt.Sprint(m.Number)
	return strings.NewReplacer("mut.Is(N)", "mut.Is("+n+")", "mut.If(N,", "mut.If("+n+",",
		"MUT(N)", "MUT("+n+")").Replace(m.New)
}

// packageClause matches the package clause of a Go file.
var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

// apply returns the text of each file below root that mutants change, with all of them, each behind its switch. The
// error names each mutant whose text does not occur once.
func apply(root string, mutants []mutant) (map[string]string, error) {
	texts, lost := map[string]string{}, []error(nil)
	for _, m := range mutants {
		text, begun := texts[m.File]
		if !begun {
			read, err := os.ReadFile(filepath.Join(root, m.File))
			if err != nil {
				lost = append(lost, fmt.Errorf("mutant %d: %w", m.Number, err))
				continue
			}
			text = string(read)
			if at := packageClause.FindStringIndex(text); at != nil && !m.isCUDA() {
				text = text[:at[1]] + "\n\nimport \"g500/internal/mut\"" + text[at[1]:]
			}
		}
		if n := strings.Count(text, m.Old); n != 1 {
			lost = append(lost, fmt.Errorf("mutant %d: its text is no longer in %s once, but %d times: renew it in "+
				"tools/mutants under the same number", m.Number, m.File, n))
		}
		if m.switched() == m.New {
			lost = append(lost, fmt.Errorf("mutant %d: its new text has no switch, such as mut.Is(N)", m.Number))
		}
		texts[m.File] = strings.Replace(text, m.Old, m.switched(), 1)
	}
	return texts, errors.Join(lost...)
}
