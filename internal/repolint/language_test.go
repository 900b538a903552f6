// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

// language has words that this project used ten times as often as comparable ones do (etcd-io/raft, NVIDIA/nccl,
// golang/perf), with the largest rates per 1,000 words in its prose.
var language = []struct {
	name, pattern string
	goal          float64
}{
	{"what (noun clause)", `\bwhat\b`, 1.5},
	{"tell, told", `\b(tell|tells|told|telling|untold)\b`, 0.3},
	{"ask, asks, question", `\b(ask|asks|asked|asking|question|questions)\b`, 0.5},
	{"judge", `\bjudg(e|es|ed|ing)\b`, 0.15},
	{"twin", `\btwins?\b`, 0.1},
	{"those of, that of", `\b(those|that) of\b`, 0.3},
	{"so many", `\bso many\b`, 0.05},
	{"beside", `\bbesides?\b`, 0.15},
	{"nobody, nothing but, but for", `\b(nobody|nothing but|but for|none but|no \w+ but)\b`, 0.2},
	{"stands, lies (is)", `\b(stands?|lies|lie|lay)\b`, 0.3},
	{"way, ways", `\bways?\b`, 0.7},
	{"where (condition)", `\bwhere\b`, 2},
	{"goes by, go by", `\b(goes|go|went) by\b`, 0.05},
	{"by turns", `\bby turns\b`, 0.02},
	{"results of N bits", `\b(results?|parents?|labels?) of \d+ bits\b`, 0.02},
	{"a twentieth, one third",
		`\b(a|one) (third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|hundredth)\b`, 0.1},
	{"house, room (code)", `\b(house|rooms?)\b`, 0.2},
}

// The rates of words in comments and documents, and in the texts of the program, must be at most their goals.
func TestLanguage(t *testing.T) {
	files := expect.Value(ours())(t)
	for place, prose := range map[string]func(textFile) []string{"comments and documents": comments, "texts": texts} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			words, counts := 0, make([]map[string]int, len(language))
			for _, f := range files {
				if !f.isIn("results") && f.path != "CHANGELOG.md" {
					words += count(f.path, prose(f), counts)
				}
			}
			for i, w := range language {
				sum := 0
				for n := range maps.Values(counts[i]) {
					sum += n
				}
				most := slices.SortedFunc(maps.Keys(counts[i]), func(a, b string) int { return counts[i][b] - counts[i][a] })
				rate := 1000 * float64(sum) / float64(words)
				report := fmt.Sprintf("%-28s %5d = %5.2f per 1,000 words, goal %.2f; most in", w.name, sum, rate, w.goal)
				for _, path := range most[:min(5, len(most))] {
					report += fmt.Sprintf(" %s (%d)", path, counts[i][path])
				}
				t.Log(report)
				expect.That(t, rate <= w.goal, "%s: %q is above its goal: name the thing (see the report)", place, w.name)
			}
		})
	}
}

var (
	anyWord  = regexp.MustCompile(`[A-Za-z][A-Za-z'-]*`)
	patterns = func() (all []*regexp.Regexp) {
		for _, w := range language {
			all = append(all, regexp.MustCompile(w.pattern))
		}
		return all
	}()
)

// count adds the matches of each pattern of language in the lines of a file to counts, and returns the number of words.
func count(path string, lines []string, counts []map[string]int) (words int) {
	for _, line := range lines {
		words += len(anyWord.FindAllStringIndex(line, -1))
		line = strings.ToLower(line)
		for i := range language {
			if n := len(patterns[i].FindAllStringIndex(line, -1)); n > 0 {
				if counts[i] == nil {
					counts[i] = map[string]int{}
				}
				counts[i][path] += n
			}
		}
	}
	return words
}

var (
	codeSpan  = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)")
	commentOf = map[kind]*regexp.Regexp{
		inGo: slashes, inC: slashes, inScript: slashes, inShell: hashes, inMake: hashes, inTOML: hashes,
		inTestScript: hashes}
	slashes    = regexp.MustCompile(`(?:^|\s)//(.*)$`)
	hashes     = regexp.MustCompile(`(?:^|\s)#(.*)$`)
	directives = regexp.MustCompile(`^\w+:`) // go:build, and addresses
	inBlock    = regexp.MustCompile(`^\s*\*\s|/\*`)
)

// comments returns the comments of a file, or the lines of a document without code.
func comments(f textFile) (lines []string) {
	fenced := false
	for line := range strings.Lines(f.text) {
		line = strings.TrimRight(line, "\n")
		if f.kind == inMarkdown {
			if strings.HasPrefix(strings.TrimLeft(line, " \t"), "```") {
				fenced = !fenced
			} else if !fenced && !strings.HasPrefix(line, "    ") {
				lines = append(lines, codeSpan.ReplaceAllString(line, " "))
			}
		} else if m := commentOf[f.kind].FindStringSubmatch(line); m != nil && !directives.MatchString(m[1]) {
			lines = append(lines, m[1])
		} else if inBlock.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// texts returns the string literals with a blank of a Go file that is no test: help, errors and output.
func texts(f textFile) (lines []string) {
	if f.kind != inGo || f.isTest() {
		return nil
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if is && literal.Kind == token.STRING && strings.Contains(literal.Value, " ") {
			lines = append(lines, strings.Split(literal.Value, "\n")...)
		}
		return true
	})
	return lines
}

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
	texts := make([][]string, len(files)) // lines in small letters with underscores in names; the first is the file's path
	nextWord := regexp.MustCompile(`([a-z0-9])([A-Z])`)
	for i, f := range files {
		text := strings.ReplaceAll(f.text, "g500-lab judge", "") // a command
		texts[i] = strings.Split(strings.ToLower(nextWord.ReplaceAllString(f.path+"\n"+text, "${1}_$2")), "\n")
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
