// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxLines is the largest number of lines of a file.
const maxLines = 400

// maxColumns are the largest widths of code and documents in characters; a tab is one character.
var maxColumns = map[kind]int{inGo: 120, inC: 120, inShell: 120, inMake: 120, inScript: 120,
	inMarkdown: 160, inTestScript: 160}

// lengthFaults finds source files that are too long without their licence, except tests in Go.
func lengthFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake, inScript) {
		if f.isTest() {
			continue
		}
		lines := strings.Count(f.text, "\n")
		if len(f.text) > 0 && !strings.HasSuffix(f.text, "\n") {
			lines++
		}
		if lines -= linesOfLicence(f.text); lines > maxLines {
			faults = append(faults,
				fmt.Sprintf("%s has %d lines, more than %d: split it by concept", f.path, lines, maxLines))
		}
	}
	return faults
}

// columnFaults finds the lines of code and documents that are too long.
func columnFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake, inScript, inMarkdown, inTestScript) {
		if path.Base(f.path) == "study.md" {
			continue // written by the program
		}
		sample, limit := false, maxColumns[f.kind]
		for i, line := range strings.Split(f.text, "\n") {
			if f.kind == inMarkdown {
				sample = sample && !strings.HasPrefix(line, "<!-- /sample") || strings.HasPrefix(line, "<!-- sample")
			}
			if n := utf8.RuneCountInString(line); n > limit && !sample && !address.MatchString(line) {
				faults = append(faults, fmt.Sprintf("%s:%d has %d columns, more than %d", f.path, i+1, n, limit))
			}
		}
	}
	return faults
}

// address matches a line with only an address, perhaps in a comment or a list, which cannot be wrapped.
var address = regexp.MustCompile(`^\s*(//|#|-|\*)?\s*\S*://\S*$`)
