package repolint

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxLines is the longest that a file may be: what does not fit is more than one concept.
const maxLines = 400

// maxColumns are the widths of code and of documents in characters, a tab counting as one.
var maxColumns = map[kind]int{inGo: 120, inC: 120, inShell: 120, inMake: 120, inMarkdown: 160}

// lengthFaults finds the files with code that are too long. Tests in Go may be.
func lengthFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake) {
		if f.isTest() {
			continue
		}
		lines := strings.Count(f.text, "\n")
		if len(f.text) > 0 && !strings.HasSuffix(f.text, "\n") {
			lines++
		}
		if lines > maxLines {
			faults = append(faults,
				fmt.Sprintf("%s has %d lines, more than %d: split it by concept", f.path, lines, maxLines))
		}
	}
	return faults
}

// columnFaults finds the lines of code and documents that are too long.
func columnFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake, inMarkdown) {
		if path.Base(f.path) == "study.md" {
			continue // the program writes these
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

// address is a line that cannot be wrapped: nothing but an address, perhaps in a comment or a list.
var address = regexp.MustCompile(`^\s*(//|#|-|\*)?\s*\S*://\S*$`)
