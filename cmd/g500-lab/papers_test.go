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
	"time"

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
	var names []string // of all, with dates
	for _, name := range study.Names() {
		s := expect.Value(study.Load(name))(t)
		folders := expect.Value(filepath.Glob(filepath.Join(stored, "*", "*-lab-studies", name)))(t)
		slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(path.Base(path.Dir(b)), path.Base(path.Dir(a))) })
		text := ""
		for _, folder := range folders { // the newest first; older ones only on graphs that newer ones do not have
			read, _ := study.Read(folder, &s)
			if len(read) == 0 {
				continue
			}
			date := path.Base(path.Dir(folder))[:len(time.DateOnly)]
			all, text = append(all, read...), text+listOf(read[0], date)
			names = append(names, name+", "+date)
			s.Graphs = slices.DeleteFunc(s.Graphs, func(g study.Graph) bool {
				return slices.ContainsFunc(read[0].Study.Graphs, func(m study.Graph) bool { return m.Name == g.Name })
			})
		}
		keep("study: "+name, text)
	}
	keep("counts", counts(all, names))
}

// listOf returns the verdicts of a study of a day as a list of Markdown.
func listOf(r study.Result, date string) string {
	text := wrapped(fmt.Sprintf("On %s, by %s, %s.", r.On(), r.Program, date)) + "\n"
	for _, f := range slices.Concat(r.Pairs, r.Findings) {
		if len(f.Measured) == 0 {
			continue
		}
		place := strings.TrimSuffix(f.Place+", "+f.PublishedText(), ", ")
		line := fmt.Sprintf("- %s: %s Measured: %s. %s", place, f.Says, f.MeasuredText(),
			firstVerdict.ReplaceAllString(f.Sentence, "**$0**"))
		if differs := r.Differences(f.Claim); differs != "" && f.PublishedText() != "" {
			line += " Differs: " + differs + "."
		}
		text += wrapped(line)
	}
	return text + "\n"
}

// firstVerdict matches the verdict at the beginning of a sentence.
var firstVerdict = regexp.MustCompile("^(Reproduced|Direction only|Not reproduced|No verdict|Not measured|Equal|" +
	"Different|Too few searches|Not shown to be equal)")

// counts returns the number of verdicts of each study as a table of Markdown.
func counts(all []study.Result, names []string) (text string) {
	t := study.SummaryTable(all)
	rows := append([][]string{t.Head, slices.Repeat([]string{"---"}, len(t.Head))}, t.Rows...)
	for i, row := range rows {
		if i > 1 {
			row[0] = names[i-2]
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
