// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/internal/expect"
	"g500/internal/infile"
)

// Program is a program under test.
type Program struct{ New func() cli.Program }

// Call runs one command in this process.
func (p Program) Call(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = p.New().Run(args, &o, &e)
	return status, o.String(), e.String()
}

// MustCall runs one command in this process and returns its output. The test ends if it fails.
func (p Program) MustCall(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errOut := p.Call(args...)
	expect.Must(t, status == cli.Success, "%q: status %d\n%s%s", args, status, out, errOut)
	return out
}

// Commands returns all commands of the program.
func (p Program) Commands() []*cobra.Command { return commandsOf(p.New().Complete()) }

// commandsOf returns all commands below a command.
func commandsOf(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		all = append(append(all, sub), commandsOf(sub)...)
	}
	return all
}

// shortWriter takes that many bytes and then fails like a full disk.
type shortWriter int

func (left *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), int(*left))
	if *left -= shortWriter(n); n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// FailsIfOutputIsLost checks that a command whose standard output is lost fails with one error.
func (p Program) FailsIfOutputIsLost(t *testing.T, commands ...string) {
	t.Helper()
	for _, args := range commands {
		for _, left := range []shortWriter{0, 5} {
			var errOut bytes.Buffer
			out := left
			status := p.New().Run(strings.Fields(args), &out, &errOut)
			text := errOut.String()
			expect.That(t, status == cli.Failure && strings.Count(text, p.New().Root.Name()+": ") == 1 &&
				strings.Contains(text, "standard output cannot be written (no space left on device)"),
				"%s, %d bytes written: status %d, %q", args, left, status, text)
		}
	}
}

// HasManualPages checks that each command has a manual page with all its flags.
func (p Program) HasManualPages(t *testing.T) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "man")
	p.MustCall(t, "man", "--dir", dir)
	for _, c := range p.Commands() {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := strings.ReplaceAll(expect.Read(t, filepath.Join(dir, name)), `\-`, "-")
		head := fmt.Sprintf(".nh\n.TH %q \"1\"", strings.ToUpper(p.New().Root.Name()))
		expect.That(t, strings.HasPrefix(page, head) && !strings.Contains(page, "Auto generated"),
			"the page of %s begins %.80q", c.CommandPath(), page)
		for _, title := range []string{"EXAMPLES", "EXIT STATUS", "SEE ALSO"} {
			expect.Contains(t, page, ".SH "+title+"\n")
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			has := strings.Contains(page, "--"+f.Name)
			expect.That(t, has != f.Hidden, "the page of %s has --%s: %v", c.CommandPath(), f.Name, has)
		})
	}
	for path, texts := range p.New().Commands {
		page := expect.Read(t, filepath.Join(dir, strings.ReplaceAll(path, " ", "-")+".1"))
		for _, term := range append(slices.Clone(texts.Files), p.New().Environment...) {
			expect.Contains(t, page, ".TP\n\\fB"+strings.ReplaceAll(term.Name, "-", `\-`)+"\\fP\n")
		}
	}
}

// longestHelp is the maximal length of the help of a flag.
const longestHelp = 80

// FlagTables returns a table for each command with every flag, its help and default. setting returns the setting of a
// flag if the command has a column for them.
func (p Program) FlagTables(t *testing.T, setting func(*cobra.Command, *pflag.Flag) (setting string, has bool),
) (text string) {
	t.Helper()
	for _, c := range p.Commands() {
		rows, line := "", ""
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			n := len(f.Usage)
			expect.That(t, n > 0 && n <= longestHelp,
				"%s --%s: help of %d characters, not 1 to %d: %s", c.CommandPath(), f.Name, n, longestHelp, f.Usage)
			top := "| flag | default | effect |"
			name := code("--" + f.Name)
			if f.Shorthand != "" {
				name = code("-"+f.Shorthand) + ", " + name
			}
			cells := []string{name, code(strings.Trim(f.DefValue, "[]")), f.Usage}
			if key, has := setting(c, f); has {
				top += " setting |"
				cells = append(cells, code(key))
			}
			line = top + "\n" + strings.Repeat("|---", len(cells)) + "|\n"
			rows += "| " + strings.Join(cells, " | ") + " |\n"
		})
		if rows != "" {
			text += "\n## " + c.CommandPath() + "\n\n" + line + rows
		}
	}
	return text
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

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
			expect.That(t, len(line) <= 80, "%s --help has a line of %d columns: %s", c.CommandPath(), len(line), line)
		}
		expect.Contains(t, text, "\nExit status: 0 for success")
		p.hasFlags(t, c, text, all, short)
		examples := regexp.MustCompile(`(?m)^  # .*\n  (.*\b`+p.New().Root.Name()+` .*)$`).FindAllStringSubmatch(text, -1)
		need := map[bool]int{true: 3, false: 1}[c.HasAvailableLocalFlags() && c.Name() != "man"]
		expect.That(t, len(examples) >= need, "%s --help has %d examples, not %d", c.CommandPath(), len(examples), need)
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
		expect.That(t, name.MatchString(all) != f.Hidden && name.MatchString(text) != (f.Hidden || expert),
			"%s: --%s is in the help: %v; in all of it: %v", c.CommandPath(), f.Name, name.MatchString(text),
			name.MatchString(all))
		if strings.Join(f.Annotations["group"], "") == "" && all != text && !strings.HasPrefix(f.Name, "help") {
			t.Errorf("%s --%s is in no group, unlike other flags", c.CommandPath(), f.Name)
		}
		other, known := short[f.Name]
		expect.That(t, !known || other == f.Shorthand,
			"%s --%s has the letter %q, and in other commands %q", c.CommandPath(), f.Name, f.Shorthand, other)
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
	expect.That(t, err == nil && c != root, "the example %q fails: %v", line, err)
}

// oddValues are values that most flags refuse.
var oddValues = []string{"-1", "0", "9223372036854775807", "4294967296", "NaN", "", "word", "1e400", "0x10", " 5",
	"\x1b"}

// RefusesOddValues checks that every flag of every command takes an odd value, or refuses it by one sentence. Each
// refuses an empty value, which the shell passes if a command substitution fails, and the commands with arguments an
// empty one. quick has arguments with which each command ends soon; other commands take none.
func (p Program) RefusesOddValues(t *testing.T, quick map[string]string, withArguments ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, c := range p.Commands() {
		args := append(strings.Fields(c.CommandPath())[1:], strings.Fields(quick[c.CommandPath()])...)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			number := regexp.MustCompile(`^(u?int|float|duration)`).MatchString(f.Value.Type())
			for _, value := range oddValues {
				if f.Name == "validate" && value == "0" {
					continue // such a run prints its block and ends with failure
				}
				status, out, errOut := p.Call(append(args, "--"+f.Name+"="+value)...)
				errOut = announced.ReplaceAllString(errOut, "")
				sentence := strings.Count(errOut, "\n") == 1 && !WordsOfGo.MatchString(errOut) &&
					infile.IsClean(strings.TrimSpace(errOut))
				never := value == "" && f.NoOptDefVal == "" ||
					(number || f.Value.Type() == "bool") && slices.Contains([]string{"NaN", "", "word", "1e400"}, value)
				if status != cli.Success && (!sentence || out != "") || status != cli.WasMisused && never ||
					value == "" && never && !strings.Contains(errOut, "--"+f.Name) {
					t.Errorf("%s --%s=%q: status %d, %q %q", c.CommandPath(), f.Name, value, status, out, errOut)
				}
			}
			if words := p.New().Choices[c.Name()+" "+f.Name]; words != nil {
				status, _, errOut := p.Call(append(args, "--"+f.Name+"=pigeon")...)
				expect.That(t, status == cli.WasMisused && strings.Contains(errOut, "or "+words[len(words)-1]),
					"%s --%s=pigeon: status %d, %s", c.CommandPath(), f.Name, status, errOut)
			}
		})
	}
	for _, command := range withArguments {
		status, _, errOut := p.Call(command, "")
		expect.That(t, status == cli.WasMisused && strings.Contains(errOut, "empty argument"),
			"%s \"\": status %d: %s", command, status, errOut)
	}
}
