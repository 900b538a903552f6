// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Limits of all stored results. A new set of runs replaces those whose figures it has.
const (
	mostResults     = 150
	mostResultBytes = 4e6
)

func TestResultsAreSmall(t *testing.T) {
	files, bytes := 0, int64(0)
	expect.NoError(t, fs.WalkDir(os.DirFS("../../results"), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files, bytes = files+1, bytes+expect.Value(entry.Info())(t).Size()
		}
		return err
	}))
	expect.That(t, files <= mostResults && bytes <= mostResultBytes,
		"results has %d files with %d bytes, and may have %d with %d: pack new runs, and remove the sets that "+
			"they replace", files, bytes, mostResults, int64(mostResultBytes))
}

var (
	target   = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	commit   = regexp.MustCompile(`[ ,(](\d*[a-f][0-9a-f]*)\b`) // if it has seven characters at least
	mention  = regexp.MustCompile("`([a-z0-9_./-]+)`")          // of a file or folder
	citation = regexp.MustCompile(`results/[a-z0-9-]+/\d{4}-[\w./-]*\w( at [0-9a-f]{7,})?`)
)

// linkFaults returns the links of a text to files that tree lacks, and its citations of results that are neither in
// tree nor followed by "at COMMIT".
func linkFaults(tree fs.FS, name, text string) (faults []string) {
	missing := func(file string) bool {
		_, err := fs.Stat(tree, file)
		return err != nil
	}
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		if file := path.Join(path.Dir(name), m[1]); path.Ext(name) == ".md" && missing(file) {
			faults = append(faults, fmt.Sprintf("%s links to %s, which does not exist", name, file))
		}
	}
	for _, row := range strings.Split(text, "\n") {
		if strings.HasPrefix(row, "| ") && name == "docs/ARCHITECTURE.md" {
			faults = append(faults, mentionFaults(tree, name, row)...)
		}
	}
	for _, m := range citation.FindAllStringSubmatch(text, -1) {
		if m[1] == "" && missing(m[0]) {
			faults = append(faults, fmt.Sprintf("%s cites %s: add \" at COMMIT\" if only the history has it", name, m[0]))
		}
	}
	return faults
}

// mentionFaults returns the sources that a row of a table names and that tree lacks. A name without a folder is in one
// that the row has named before.
func mentionFaults(tree fs.FS, name, row string) (faults []string) {
	var folders []string
	for _, m := range mention.FindAllStringSubmatch(row, -1) {
		folder, file := path.Split(path.Clean(m[1]))
		switch ext := path.Ext(file); {
		case ext == "" && folder != "":
			folders = append(folders, path.Clean(m[1]))
			continue
		case ext != ".go" && ext != ".h" && ext != ".cu" && ext != ".cuh":
			continue
		case folder != "":
			folders = append(folders, path.Clean(folder))
		}
		in := func(folder string) bool { _, err := fs.Stat(tree, path.Join(folder, file)); return err == nil }
		if len(folders) > 0 && !slices.ContainsFunc(folders, in) {
			faults = append(faults, fmt.Sprintf("%s names %s, which is in none of %s", name, file, folders))
		}
	}
	return faults
}

func TestLinksAndCitations(t *testing.T) {
	files, err := ours()
	expect.NoError(t, err)
	tree := os.DirFS("../..")
	experiments := expect.Value(fs.ReadFile(tree, "docs/experiments.csv"))(t)
	commits, _ := exec.Command("git", "rev-list", "HEAD").Output()
	known := " " + strings.ReplaceAll(string(commits), "\n", " ") + repository(files).text("docs/EXPERIMENTS.md")
	for _, m := range commit.FindAllStringSubmatch(string(experiments), -1) {
		// A clone of all commits, where git is installed, has 9f75035.
		expect.That(t, !strings.Contains(known, " 9f75035") || len(m[1]) <= 6 || strings.Contains(known, " "+m[1]),
			"docs/experiments.csv cites %s, which no branch has: cite another commit", m[1])
	}
	for _, f := range append(files, textFile{path: "docs/experiments.csv", text: string(experiments)}) {
		if strings.HasPrefix(f.path, "internal/repolint/") {
			continue
		}
		for _, fault := range linkFaults(tree, f.path, f.text) {
			t.Error(fault)
		}
	}
	expect.Equal(t, len(mentionFaults(tree, "a.md", "| `bench/run.go`, `keys.go`, `none.go` |")), 1)
	for text, want := range map[string]string{
		"[a](ARCHITECTURE.md#b) [c](https://d) results/h100/2026-11-20 at 1f96f16": "",
		"[a](NONE.md)":                    "docs/a.md links to docs/NONE.md, which",
		"see results/h100/2026-11-20/a.b": "docs/a.md cites results/h100/2026-11-20/a.b: add",
	} {
		got := strings.Join(linkFaults(tree, "docs/a.md", text), "\n")
		expect.That(t, (got == "") == (want == "") && strings.HasPrefix(got, want), "%s: %q, want %q", text, got, want)
	}
}

// Every message that ERRORS.md explains is in the sources of the program, piece by piece.
func TestErrorsAreOfTheProgram(t *testing.T) {
	files := expect.Value(ours())(t)
	text, sources := files.text("docs/ERRORS.md"), ""
	for _, f := range files.sources() {
		sources += f.text
	}
	sources = regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(sources, "") // literals that span lines
	rows := regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1)
	expect.Equal(t, len(rows), strings.Count(text, "\n|")-2*strings.Count(text, "\n|---"), "rows with messages of", "rows")
	for _, row := range rows {
		for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row[1], -1) {
			for _, piece := range strings.Split(strings.ReplaceAll(m[1], "INVALID: ", "INVALID: ..."), "...") {
				piece = strings.TrimSpace(piece)
				expect.That(t, strings.Contains(sources, piece), "no source has %q, of %q", piece, m[1])
			}
		}
	}
}

// Every rule of docs/COMPLIANCE.md names a test, and every named test exists. Rules are numbered from 1.
func TestComplianceNamesTests(t *testing.T) {
	files := expect.Value(ours())(t)
	text := files.text("docs/COMPLIANCE.md")
	var tests strings.Builder
	for _, f := range files.of(inGo) {
		if f.isTest() {
			tests.WriteString(f.text)
		}
	}
	name := regexp.MustCompile("`(Test\\w+)(?:/([\\w-]+))?`")
	for _, m := range name.FindAllStringSubmatch(text, -1) {
		expect.That(t, strings.Contains(tests.String(), "\nfunc "+m[1]+"(t *testing.T)"), "test %s does not exist", m[1])
		expect.That(t, m[2] == "" || files.text("cmd/g500/testdata/script/"+m[2]+".txtar") != "",
			"script %s does not exist", m[2])
	}
	rules := regexp.MustCompile(`(?m)^\| (\d+) \|.*`).FindAllStringSubmatch(text, -1)
	for i, rule := range rules {
		expect.Equal(t, rule[1], strconv.Itoa(i+1), "number of the rule")
		cells := strings.Split(rule[0], " | ")
		expect.That(t, len(cells) >= 4 && name.MatchString(cells[3]), "%s names no test", rule[0])
	}
	expect.That(t, rules != nil, "there is no rule")
}
