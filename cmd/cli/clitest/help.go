// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
)

// HasHelp checks the help of each command: lines of 80 columns, examples that the command takes, exit statuses, all
// flags, those for experts only in --help-all, and one letter for a flag in all commands. check checks the arguments of
// an example further.
func (p Program) HasHelp(t *testing.T, check func(c *cobra.Command, args []string) error) {
	t.Helper()
	short := map[string]string{}
	for _, c := range append(p.Commands(), p.New().Complete()) {
		path := strings.Fields(c.CommandPath())[1:]
		text := p.MustCall(t, append(slices.Clone(path), "--help")...)
		all := text
		if strings.Contains(text, "--help-all ") {
			all = p.MustCall(t, append(slices.Clone(path), "--help-all")...)
		}
		for line := range strings.SplitSeq(all, "\n") {
			if len(line) > 80 {
				t.Errorf("%s --help has a line of %d columns: %s", c.CommandPath(), len(line), line)
			}
		}
		if !strings.Contains(text, "\nExit status: 0 for success") {
			t.Errorf("%s --help has no exit status:\n%s", c.CommandPath(), text)
		}
		p.hasFlags(t, c, text, all, short)
		examples := regexp.MustCompile(`(?m)^  # .*\n  (.*\b`+p.New().Root.Name()+` .*)$`).FindAllStringSubmatch(text, -1)
		if need := map[bool]int{true: 3, false: 1}[c.HasAvailableLocalFlags() && c.Name() != "man"]; len(examples) < need {
			t.Errorf("%s --help has %d examples, not %d or more", c.CommandPath(), len(examples), need)
		}
		for _, example := range examples {
			p.takes(t, example[1], check)
		}
	}
}

// hasFlags checks the flags of a command in its help and in the help with those for experts.
func (p Program) hasFlags(t *testing.T, c *cobra.Command, text, all string, short map[string]string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		name := regexp.MustCompile(`(?m)^ .*--` + regexp.QuoteMeta(f.Name) + `([ \[]|$)`)
		expert := len(p.New().Groups) > 0 && slices.Contains(f.Annotations["group"], p.New().Groups[len(p.New().Groups)-1])
		if name.MatchString(all) == f.Hidden || name.MatchString(text) == (f.Hidden || expert) {
			t.Errorf("%s: --%s is in the help: %v; in all of it: %v", c.CommandPath(), f.Name, name.MatchString(text),
				name.MatchString(all))
		}
		if len(f.Annotations["group"]) == 0 && all != text && !strings.HasPrefix(f.Name, "help") {
			t.Errorf("%s --%s is in no group, unlike other flags", c.CommandPath(), f.Name)
		}
		if other, known := short[f.Name]; known && other != f.Shorthand {
			t.Errorf("%s --%s has the letter %q, and in other commands %q", c.CommandPath(), f.Name, f.Shorthand, other)
		}
		short[f.Name] = f.Shorthand
	})
}

// takes checks that the program takes the arguments of a command line.
func (p Program) takes(t *testing.T, line string, check func(*cobra.Command, []string) error) {
	t.Helper()
	_, rest, _ := strings.Cut(line, p.New().Root.Name()+" ")
	root := p.New().Complete()
	root.InitDefaultCompletionCmd()
	c, args, err := root.Find(strings.Fields(rest))
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err == nil && c != root {
		err = check(c, args)
	}
	if err != nil || c == root {
		t.Errorf("the example %q fails: %v", line, err)
	}
}

// FileNames returns the last elements of the names of files in the manual page of a command.
func FileNames(files []cli.Term) (names []string) {
	for _, f := range files {
		names = append(names, f.Name[strings.LastIndex(f.Name, "/")+1:])
	}
	return names
}
