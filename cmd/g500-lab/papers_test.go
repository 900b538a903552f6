// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/cmd/cli/clitest"
	"g500/internal/expect"
	"g500/lab/study"
	"g500/results"
)

// PAPERS.md has the verdicts of the newest stored searches by the present claims and rule.
func TestPapersHasTheVerdicts(t *testing.T) {
	stored := results.Unpack(t, "../../results", "*/*-lab-studies")
	keep := func(part, text string) {
		clitest.Keep(t, "../../docs/PAPERS.md", "<!-- "+part+" -->\n", "<!-- /"+part+" -->", text,
			func(s string) string { return s })
	}
	var all []study.Result
	for _, name := range study.Names() {
		s := expect.Value(study.Load(name))(t)
		folders := expect.Value(filepath.Glob(filepath.Join(stored, "*", "*-lab-studies", name)))(t)
		slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(path.Base(path.Dir(a)), path.Base(path.Dir(b))) })
		read, unread := study.Read(folders[len(folders)-1], &s)
		if len(read) != 1 || len(unread) > 0 {
			t.Fatalf("%s: %d results, %q", name, len(read), unread)
		}
		all = append(all, read...)
		text := wrapped(fmt.Sprintf("On %s, by %s.", read[0].On(), read[0].Program)) + "\n"
		for _, f := range slices.Concat(read[0].Pairs, read[0].Findings) {
			line := fmt.Sprintf("- %s, %s: %s Measured: %s. %s", f.Place, f.PublishedText(), f.Says, f.MeasuredText(),
				firstVerdict.ReplaceAllString(f.Sentence, "**$0**"))
			if differs := read[0].Differences(f.Claim); differs != "" {
				line += " Differs: " + differs + "."
			}
			text += wrapped(line)
		}
		keep("study: "+name, text)
	}
	keep("counts", counts(all))
}

// firstVerdict matches the verdict at the beginning of a sentence.
var firstVerdict = regexp.MustCompile(`^(Reproduced|Direction only|Not reproduced|No verdict|Not measured)`)

// counts returns the number of verdicts of each study as a table of Markdown.
func counts(all []study.Result) (text string) {
	t := study.SummaryTable(all)
	rows := append([][]string{t.Head, slices.Repeat([]string{"---"}, len(t.Head))}, t.Rows...)
	for i, row := range rows {
		if i > 1 {
			row[0] = all[i-2].Study.Name
		}
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text
}

// wrapped breaks a text between words into lines of 160 columns, of which all but the first are indented.
func wrapped(text string) (lines string) {
	column := 0
	for i, word := range strings.Fields(text) {
		separator := " "
		if i == 0 {
			separator = ""
		} else if column+1+len(word) > 160 {
			separator, column = "\n  ", 1
		}
		lines, column = lines+separator+word, column+len(separator)+len(word)-strings.Count(separator, "\n")
	}
	return lines + "\n"
}
