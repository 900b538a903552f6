// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/cmd/cli/clitest"
	"g500/comm"
	"g500/internal/expect"
)

const (
	operators  = "../../docs/OPERATORS.md"
	submitting = "../../docs/SUBMIT.md"
	reference  = "../../docs/PRESETS.md" // generated
)

func same(s string) string { return s }

func TestOperatorsPresets(t *testing.T) {
	var items strings.Builder
	for _, p := range presets() {
		items.WriteString(wrapped(fmt.Sprintf("- `%s`: %s", p.Name, p.What)))
		items.WriteString(wrapped("  Memory and time: " + p.Price))
	}
	clitest.Keep(t, reference, "<!-- presets -->\n", "<!-- /presets -->", items.String(), same)
}

// The page on submissions has the official classes of the presets.
func TestSubmitClasses(t *testing.T) {
	rows := map[int]string{}
	for _, p := range presets() {
		cfg := expect.Value(loadConfig(p.Name))(t)
		if scale := cfg.Graph.Scale; strings.HasPrefix(p.What, "the official problem class") {
			memory, time, _ := strings.Cut(strings.TrimSuffix(p.Price, "."), "; ")
			rows[scale] = fmt.Sprintf("| %s | %d | %s | %s |\n", p.Name, scale, memory, time)
		}
	}
	table := "| class | scale | memory | time |\n|---|---|---|---|\n"
	for _, scale := range slices.Sorted(maps.Keys(rows)) {
		table += rows[scale]
	}
	clitest.Keep(t, submitting, "<!-- classes -->\n", "<!-- /classes -->", table, same)
}

// The documents have the table of launchers that the program uses.
func TestOperatorsLaunchers(t *testing.T) {
	code := func(words ...string) string {
		for i, w := range words {
			words[i] = "`" + w + "`"
		}
		return strings.ReplaceAll(strings.Join(words, ", "), "``", "-")
	}
	table := "| launcher | variables | ranks of Open MPI | ranks of MPICH |\n|---|---|---|---|\n"
	for _, s := range comm.Starters() {
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", s.Name, strings.TrimPrefix(code(s.Size, s.Rank), "-, "),
			code(s.OpenMPI), code(s.MPICH))
	}
	clitest.Keep(t, reference, "<!-- launchers -->\n", "<!-- /launchers -->", table, same)
}

// The guide has the files of a run, as its manual page has them.
func TestOperatorsFiles(t *testing.T) {
	table := "| file | content |\n|---|---|\n"
	for _, f := range files["g500 run"] {
		table += fmt.Sprintf("| `%s` | %s |\n", f.Name, f.Is)
	}
	clitest.Keep(t, operators, "<!-- files -->\n", "<!-- /files -->", table, same)
}

// wrapped breaks an item of a list into lines of a document.
func wrapped(text string) string {
	const width, indent = 158, "  "
	line, lines := "", ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = text[:len(text)-len(strings.TrimLeft(text, " "))] + word
		case len(line)+1+len(word) > width:
			lines, line = lines+line+"\n", indent+word
		default:
			line += " " + word
		}
	}
	return lines + line + "\n"
}

// Every message that ERRORS.md explains is in the sources of the program, piece by piece.
func TestErrorsAreOfTheProgram(t *testing.T) {
	text := read(t, "../../docs/ERRORS.md")
	sources := sourcesOf(t)
	messages := regexp.MustCompile("(?m)^\\| `([^`]*)`").FindAllStringSubmatch(text, -1)
	expect.Equal(t, len(messages), strings.Count(text, "\n|")-2*strings.Count(text, "\n|---"), "messages in", "rows")
	for _, m := range messages {
		for _, piece := range strings.Split(strings.ReplaceAll(m[1], "INVALID: ", "INVALID: ..."), "...") {
			if piece = strings.TrimSpace(piece); !strings.Contains(sources, piece) {
				t.Errorf("no source has %q, of %q", piece, m[1])
			}
		}
	}
}

// sourcesOf returns all Go sources except tests. It joins string literals that span lines.
func sourcesOf(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	expect.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && len(entry.Name()) > 2 && (entry.Name()[0] == '.' || entry.Name() == "build") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(all.String(), "")
}

func TestCommandsInDocuments(t *testing.T) { tested.HasCommandsOf(t, readme, operators, submitting) }

// The index of decisions is in the order of their numbers.
func TestDecisionsAreInOrder(t *testing.T) {
	last, index := 0, read(t, "../../docs/adr/README.md")
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(index, -1) {
		n, _ := strconv.Atoi(m[1])
		if n <= last {
			t.Errorf("decision %d comes after %d", n, last)
		}
		last = n
	}
}
