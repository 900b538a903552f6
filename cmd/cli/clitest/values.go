// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"g500/cmd/cli"
	"g500/internal/infile"
)

// RefusesEmptyValues checks that every flag refuses an empty value, which the shell passes if a command substitution
// fails, and each of the commands an empty argument.
func (p Program) RefusesEmptyValues(t *testing.T, commands ...string) {
	t.Helper()
	found := 0
	for _, c := range p.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" {
				return
			}
			found++
			args := strings.Fields(c.CommandPath())[1:]
			if strings.Contains(c.Use, " DIR") || strings.Contains(c.Use, " SPEC") || strings.Contains(c.Use, " STUDY") {
				args = append(args, "nowhere")
			}
			status, out, errOut := p.Call(append(args, "--"+f.Name, "")...)
			if status != cli.WasMisused || !strings.Contains(errOut, "--"+f.Name) || strings.Count(errOut, "\n") != 1 ||
				out != "" {
				t.Errorf("%s --%s \"\": status %d\n%s%s", c.CommandPath(), f.Name, status, out, errOut)
			}
		})
	}
	if found < 20 {
		t.Errorf("only %d flags found", found)
	}
	for _, command := range commands {
		if status, _, errOut := p.Call(command, ""); status != cli.WasMisused || !strings.Contains(errOut, "empty argument") {
			t.Errorf("%s \"\": status %d: %s", command, status, errOut)
		}
	}
}

// oddValues are values that most flags refuse.
var oddValues = []string{"-1", "0", "9223372036854775807", "4294967296", "NaN", "", "word", "1e400", "0x10", " 5",
	"\x1b"}

// RefusesOddValues checks that every flag of every command takes an odd value, or refuses it by one sentence. quick has
// arguments with which each command ends soon; other commands take none.
func (p Program) RefusesOddValues(t *testing.T, quick map[string]string) {
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
				status, out, errOut := p.CallIn(t, append(args, "--"+f.Name+"="+value)...)
				errOut = announced.ReplaceAllString(errOut, "")
				sentence := strings.Count(errOut, "\n") == 1 && !WordsOfGo.MatchString(errOut) &&
					infile.IsClean(strings.TrimSpace(errOut))
				never := (number || f.Value.Type() == "bool") && slices.Contains([]string{"NaN", "", "word", "1e400"}, value)
				if status != cli.Success && (!sentence || out != "") || status != cli.WasMisused && never {
					t.Errorf("%s --%s=%q: status %d, %q %q", c.CommandPath(), f.Name, value, status, out, errOut)
				}
			}
			if words := p.New().Choices[c.Name()+" "+f.Name]; words != nil {
				status, _, errOut := p.Call(append(args, "--"+f.Name+"=pigeon")...)
				if status != cli.WasMisused || !strings.Contains(errOut, "or "+words[len(words)-1]) {
					t.Errorf("%s --%s=pigeon: status %d, %s", c.CommandPath(), f.Name, status, errOut)
				}
			}
		})
	}
}
