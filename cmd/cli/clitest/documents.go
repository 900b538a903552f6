// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"g500/internal/expect"
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
				if fault := p.unknownIn(m[1], strings.Fields(m[2])); fault != "" {
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
		if found < 5 {
			t.Errorf("%s: only %d commands found", file, found)
		}
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
