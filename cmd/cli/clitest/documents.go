// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"g500/docs/schema"
	"g500/internal/expect"
	"g500/internal/schematest"
)

// HasCommandsOf checks that the program and the Makefile have the commands in documents, in which mpirun binds no rank
// to a core.
func (p Program) HasCommandsOf(t *testing.T, documents ...string) {
	t.Helper()
	makefile := expect.Read(t, "../../Makefile")
	rules := expect.Read(t, "../../scripts/cuda.mk")
	ours := regexp.MustCompile(`(?:^|[ (])(?:bin/)?` + p.New().Root.Name() + ` ([a-z]+)([^()|&]*)`)
	targets := regexp.MustCompile(`(?:^|&& )make(?: -C g500)?(?: [A-Z_]+=\S+)* ([a-z][a-z-]*)`)
	for _, file := range documents {
		text := expect.Read(t, file)
		found := 0
		for _, snippet := range codeIn(text) {
			if strings.Contains(snippet, "g500 run") && regexp.MustCompile(`mpirun -np? [2-9]`).MatchString(snippet) &&
				!strings.Contains(snippet, "--bind-to none") {
				t.Errorf("%s: %q binds each rank to a core: mpirun needs --bind-to none", file, snippet)
			}
			for _, m := range ours.FindAllStringSubmatch(snippet, -1) {
				found++
				fault := p.unknownIn(m[1], strings.Fields(m[2]))
				expect.That(t, fault == "", "%s: %q: %s", file, snippet, fault)
			}
			for _, m := range targets.FindAllStringSubmatch(snippet, -1) {
				found++
				expect.That(t, strings.Contains(makefile+rules, "\n"+m[1]+": "),
					"%s: %q: the Makefile has no %s", file, snippet, m[1])
			}
		}
		expect.That(t, found >= 5, "%s: only %d commands found", file, found)
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
func (p Program) unknownIn(command string, words []string) string {
	root := p.New().Complete()
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find(append([]string{command}, words...))
	if err != nil || c == root {
		return "there is no command " + command
	}
	for _, word := range words {
		name, isFlag := strings.CutPrefix(strings.Trim(word, "[]\""), "--")
		name, _, _ = strings.Cut(name, "=")
		if flag := c.Flags().Lookup(name); isFlag && name != "help" && (flag == nil || flag.Name != name) {
			return "there is no flag --" + name
		}
	}
	return ""
}

// Figure matches measured figures of a sample, which differ from run to run.
var Figure = regexp.MustCompile(`[0-9][0-9.]*(e[+-][0-9]+)?( [GMkmun]?(TEPS|s)\b)?|, search key .*`)

// Part returns the text between two lines of a document.
func Part(t *testing.T, file, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	sample, _, closed := strings.Cut(rest, to)
	expect.Must(t, found && closed, "%s has nothing between %q and %q", file, from, to)
	return sample
}

// Keep compares a part of a document with the output of the program, or with -update replaces it. mask hides
// differences that do not count.
func Keep(t *testing.T, file, from, to, got string, mask func(string) string) {
	t.Helper()
	text := expect.Read(t, file)
	old := Part(t, file, text, from, to)
	if mask(old) == mask(got) {
		return
	}
	expect.Must(t, expect.Updating(),
		"%s is not what the program says (make golden rewrites it):\n%s\nbut the program says\n%s", file, old, got)
	expect.Write(t, file, strings.Replace(text, from+old+to, from+got+to, 1))
}

// Wrapped breaks an item of a list between words into lines of a document with that many columns at most.
func Wrapped(item string, columns int) string {
	line := regexp.MustCompile(fmt.Sprintf(`^(.{1,%d})(?: |$)|(.{1,%d})(?: |$)`, columns, columns-3))
	return strings.TrimSuffix(line.ReplaceAllString(item, "$1$2\n  "), "  ")
}

// Documents are the documents that the commands of a program print with --json.
type Documents []schematest.Document

// AreCurrent checks that docs/schema has the schema of each document in its present format, as its types have it, or
// with Update writes it.
func (all Documents) AreCurrent(t *testing.T) {
	t.Helper()
	for _, d := range all {
		want := expect.Value(schematest.Schema("../..", d))(t)
		// A change that old readers misread needs the next format.
		expect.Golden(t, filepath.Join("../../docs/schema", d.File()), string(want))
	}
}

// Validator returns a validator of a document's present format.
func (all Documents) Validator(name string) (*schematest.Validator, error) {
	i := slices.IndexFunc(all, func(d schematest.Document) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no document %q", name)
	}
	text, err := schema.Of(strings.TrimSuffix(all[i].File(), ".json"))
	if err != nil {
		return nil, err
	}
	return schematest.NewValidator(text)
}

func (all Documents) follows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: follows DOCUMENT FILE...")
	}
	v, err := all.Validator(args[0])
	ts.Check(err)
	for _, pattern := range args[1:] {
		files, _ := filepath.Glob(ts.MkAbs(pattern))
		if pattern == "stdout" {
			files = []string{pattern}
		}
		if len(files) == 0 {
			ts.Fatalf("there is no file %s", pattern)
		}
		for _, file := range files {
			if err := v.Check([]byte(ts.ReadFile(file))); err != nil {
				ts.Fatalf("%s: %v", file, err)
			}
		}
	}
}
