// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// term is a word of this project for a thing for which the field has a name.
type term struct {
	with, words string // words are alternatives, separated by commas; with is in all of them
	say         string
	left        int // lines that still have it: fewer may
}

// terms are refused in code, comments and documents, alone or as a part of a name (carrierOf, the_carrier). A word is
// here only if it needs no other meaning.
var terms = []term{
	{"carrier", "carrier, carriers", "GPU transport", 4},
	{"twin", "twin, twins", "reference implementation, or oracle in a test", 0},
	{"judg", "judge, judges, judged, judging", "validate, validator, verdict", 0},
	{"told", "told, untold", "replicated, broadcast, published", 0},
	{"armed", "armed", "pre-launched", 0},
	{"kit", "kit, kits", "backend", 0},
	{"door", "door, doors", "API", 0},
	{"official", "official program", "Graph500 reference code", 0},
	{"hub", "hub order, hub id, hub ids", "degree order, degree rank", 0},
	{"order", "order class, order classes", "degree class", 0},
	{"relabel", "relabelling, relabel", "writing the result by original label", 0},
	{"residual", "residual", "remaining", 1},
	{"asking", "asking ranks, asking mode", "query mode", 0},
	{"tier", "tier, tiers", "two-level collective", 0},
	{"half", "half word, half words", "16-bit rank field", 0},
}

// mayName matches the files that need these words: stored runs, names of earlier versions, this list.
var mayName = regexp.MustCompile(`^(results/.*|.*/testdata/.*|docs/GLOSSARY\.md|CHANGELOG\.md|` +
	`cmd/g500-lab/.*|internal/repolint/.*_test\.go)$`)

// wordFaults finds terms in the files and in their names.
func wordFaults(r repository) (faults []string) {
	files := slices.DeleteFunc(slices.Clone(r), func(f textFile) bool { return mayName.MatchString(f.path) })
	texts := make([][]string, len(files)) // lines, of which the first is the file's path
	for i, f := range files {
		text := strings.ReplaceAll(f.text, "g500-lab judge", "") // a command
		texts[i] = strings.Split(underscored(f.path+"\n"+text), "\n")
	}
	for _, term := range terms {
		pattern := regexp.MustCompile(`(?:^|[^a-z])(?:` + strings.ReplaceAll(strings.ReplaceAll(term.words, ", ", "|"),
			" ", "[ _-]") + `)(?:[^a-z]|$)`)
		var places []string
		for i, f := range files {
			for number, line := range texts[i] {
				if strings.Contains(line, term.with) && pattern.MatchString(line) {
					places = append(places, fmt.Sprintf("%s:%d: instead of %q say %s", f.path, number, term.words, term.say))
				}
			}
		}
		if len(places) > term.left {
			faults = append(faults, places...)
		}
	}
	return faults
}

// underscored returns a text in small letters with underscores between the words of each name.
func underscored(text string) string {
	var b strings.Builder
	before := '_'
	for _, r := range text {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}
