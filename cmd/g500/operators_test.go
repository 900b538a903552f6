package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"g500/comm"
)

const (
	operators = "../../docs/OPERATORS.md"
	reference = "../../docs/PRESETS.md" // generated
)

func same(s string) string { return s }

func TestOperatorsPresets(t *testing.T) {
	var items strings.Builder
	for _, p := range presets() {
		items.WriteString(wrapped(fmt.Sprintf("- `%s`: %s", p.Name, p.What)))
		items.WriteString(wrapped("  Memory and time: " + p.Price))
	}
	keep(t, reference, "<!-- presets -->\n", "<!-- /presets -->", items.String(), same)
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
	keep(t, reference, "<!-- launchers -->\n", "<!-- /launchers -->", table, same)
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

// Every message that the guide explains is in the sources of the program, piece by piece.
func TestOperatorsMessages(t *testing.T) {
	text := read(t, operators)
	sources := sourcesOf(t)
	table := part(t, operators, text, "<!-- errors -->\n", "<!-- /errors -->")
	messages := regexp.MustCompile("(?m)^\\| `([^`]*)`").FindAllStringSubmatch(table, -1)
	if want := strings.Count(table, "\n") - 2; len(messages) != want {
		t.Errorf("%d messages in %d rows", len(messages), want)
	}
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
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && len(entry.Name()) > 2 && (entry.Name()[0] == '.' || entry.Name() == "build") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(all.String(), "")
}

// The program and the Makefile have the commands in README.md, docs/OPERATORS.md and docs/LAB.md. mpirun binds no rank
// to a core.
func TestCommandsInDocuments(t *testing.T) {
	makefile := read(t, "../../Makefile")
	rules := read(t, "../../scripts/cuda.mk")
	ours := regexp.MustCompile(`(?:^|[ (])(?:bin/)?g500 ([a-z]+)([^()|&]*)`)
	targets := regexp.MustCompile(`(?:^|&& )make(?: -C g500)?(?: [A-Z_]+=\S+)* ([a-z][a-z-]*)`)
	for _, file := range []string{readme, operators, "../../docs/LAB.md"} {
		text := read(t, file)
		found := 0
		for _, snippet := range codeIn(text) {
			if strings.Contains(snippet, "g500 run") && regexp.MustCompile(`mpirun -np? [2-9]`).MatchString(snippet) &&
				!strings.Contains(snippet, "--bind-to none") {
				t.Errorf("%s: %q binds each rank to a core: mpirun needs --bind-to none", file, snippet)
			}
			for _, m := range ours.FindAllStringSubmatch(snippet, -1) {
				found++
				if fault := unknownIn(m[1], strings.Fields(m[2])); fault != "" {
					t.Errorf("%s: %q: %s", file, snippet, fault)
				}
			}
			for _, m := range targets.FindAllStringSubmatch(snippet, -1) {
				found++
				if !strings.Contains(makefile+rules, "\n"+m[1]+": ") {
					t.Errorf("%s: %q: the Makefile has no %s", file, snippet, m[1])
				}
			}
		}
		if found < 10 {
			t.Errorf("%s: only %d commands found", file, found)
		}
	}
}

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

// codeIn returns the command lines of a document: the lines of its sh blocks, and its code spans.
func codeIn(text string) (snippets []string) {
	shell := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			shell = line == "```sh"
			continue
		}
		if shell {
			line, _, _ = strings.Cut(line, " #")
			snippets = append(snippets, line)
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
			snippets = append(snippets, m[1])
		}
	}
	return snippets
}

// unknownIn describes the first command or flag of a command line that the program lacks, "" if there is none.
func unknownIn(command string, words []string) string {
	root := rootCommand()
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find(append([]string{command}, words...))
	if err != nil || c == root {
		return "there is no command " + command
	}
	for _, word := range words {
		name, isFlag := strings.CutPrefix(strings.Trim(word, "[]\""), "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && !hasFlag(c, name) {
			return "there is no flag --" + name
		}
	}
	return ""
}

func hasFlag(c *cobra.Command, name string) bool {
	flag := c.Flags().Lookup(name)
	return name == "help" || flag != nil && flag.Name == name
}
