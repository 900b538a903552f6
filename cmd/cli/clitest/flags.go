// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
			if n := len(f.Usage); n > longestHelp || f.Usage == "" {
				t.Errorf("%s --%s: help of %d characters, not 1 to %d: %s", c.CommandPath(), f.Name, n, longestHelp, f.Usage)
			}
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
