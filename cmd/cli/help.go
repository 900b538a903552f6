// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"g500/internal/output"
)

// exitStatus describes the exit statuses of all commands.
const exitStatus = "0 for success, and for a run only if it is VALID; 1 for a run that is invalid, incomplete or " +
	"failed, and for other failures; 2 for a command line or a configuration that is wrong on any machine."

// commonExamples are command lines of the commands that all programs have; THIS is the command.
var commonExamples = map[string]string{
	"man":     "# a page for each command, for man -l\nTHIS --dir pages",
	"schema":  "# the members of run.json\nTHIS run-3",
	"version": "# also whether MPI and GPUs are compiled in\nTHIS",
}

// groupOf is the annotation of a flag with its group in the help of its command.
const groupOf = "group"

// InGroup puts flags in a group of their command's help.
func InGroup(f *pflag.FlagSet, group string, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, groupOf, []string{group}); err != nil {
			panic(err) // the flag exists
		}
	}
}

// expert reports whether only --help-all prints a flag.
func (p Flags) expert(f *pflag.Flag) bool {
	return len(p.Groups) > 0 && slices.Contains(f.Annotations[groupOf], p.Groups[len(p.Groups)-1])
}

// addHelp adds the texts of the manual to a command, and --help-all if it has flags for experts.
func (p Program) addHelp(c *cobra.Command) {
	texts := p.Commands[c.CommandPath()]
	c.Short, c.Long = cmp.Or(texts.Short, c.Short), cmp.Or(texts.Long, c.Long)
	c.Example = cmp.Or(texts.Examples, commonExamples[c.Name()])
	c.Example = strings.ReplaceAll(c.Example, "THIS", c.CommandPath())
	experts := false
	c.Flags().VisitAll(func(f *pflag.Flag) { experts = experts || p.expert(f) })
	if run := c.RunE; experts {
		all := c.Flags().Bool("help-all", false, "print this help with the flags for experts")
		c.RunE = func(c *cobra.Command, args []string) error {
			if *all {
				_, err := fmt.Fprint(c.OutOrStdout(), p.help(c, true))
				return err
			}
			return run(c, args)
		}
	}
}

// help returns the help of a command, with or without the flags for experts.
func (p Program) help(c *cobra.Command, all bool) string {
	usage := c.UseLine()
	if c.HasAvailableSubCommands() {
		usage = c.CommandPath() + " COMMAND"
	}
	text := fill(cmp.Or(c.Long, c.Short)) + "\nUsage: " + usage + "\n"
	if c.Example != "" {
		text += "\nExamples:\n  " + strings.ReplaceAll(c.Example, "\n", "\n  ") + "\n"
	}
	var commands []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			commands = append(commands, "  "+sub.Name(), sub.Short)
		}
	}
	text += columns("Commands", commands)
	flags := "Flags"
	for _, group := range append(slices.Clone(p.Groups), "") {
		var rows []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && strings.Join(f.Annotations[groupOf], "") == group && (all || !p.expert(f)) {
				rows = append(rows, p.flagTerm(c, f), f.Usage+defaultOf(f))
			}
		})
		if group != "" && len(rows) > 0 {
			flags = "Help"
		}
		text += columns(cmp.Or(group, flags), rows)
	}
	if c.HasAvailableSubCommands() {
		text += fmt.Sprintf("\n%s COMMAND --help prints the help of a command.\n", c.CommandPath())
	}
	return text + "\n" + fill("Exit status: "+exitStatus)
}

// flagTerm returns the names of a flag and of its value, as "  -s, --scale N".
func (p Flags) flagTerm(c *cobra.Command, f *pflag.Flag) string {
	term := "      --" + f.Name
	if f.Shorthand != "" {
		term = "  -" + f.Shorthand + ", --" + f.Name
	}
	switch value := p.valueName(c, f); {
	case value == "":
		return term
	case f.NoOptDefVal != "":
		return term + "[=" + value + "]"
	default:
		return term + " " + value
	}
}

// valueNames are the names of values in help, by the type of the flag.
var valueNames = map[string]string{"bool": "", "duration": "TIME", "float64": "X", "int": "N", "int64": "N",
	"intSlice": "N,N", "string": "FILE", "stringSlice": "NAME,NAME", "uint64": "N"}

// valueName returns the name of a flag's value in help, "" for a switch.
func (p Flags) valueName(c *cobra.Command, f *pflag.Flag) string {
	if name, named := of(p.Values, c, f.Name); named {
		return name
	}
	if _, choice := of(p.Choices, c, f.Name); choice {
		return "WORD"
	}
	if slices.Contains(p.Folders, f.Name) {
		return "DIR"
	}
	if name, named := valueNames[f.Value.Type()]; named {
		return name
	}
	return f.Value.Type()
}

// defaultOf returns the end of the help of a flag, "" for the default of a switch, of a count, or none.
func defaultOf(f *pflag.Flag) string {
	text := strings.Trim(f.DefValue, "[]")
	if slices.Contains([]string{"", "0", "0s", "false"}, text) {
		return ""
	}
	return " (default " + text + ")"
}

// columns returns a table with a title. cells are pairs of a term and its description; without cells it is "".
func columns(title string, cells []string) string {
	const widest = 26 // of terms; after longer ones the description begins in the next line
	width, text := 0, ""
	for i := 0; i < len(cells); i += 2 {
		if n := len(cells[i]); n <= widest {
			width = max(width, n)
		}
	}
	for i := 0; i < len(cells); i += 2 {
		term, margin := cells[i], strings.Repeat(" ", width+2)
		if len(term) > width {
			text, term = text+term+"\n", ""
		}
		text += output.Wrapped(fmt.Sprintf("%-*s%s", len(margin), term, cells[i+1]), margin) + "\n"
	}
	if text == "" {
		return ""
	}
	return "\n" + title + ":\n" + text
}

// broken matches the end of a line that the next one continues.
var broken = regexp.MustCompile(`(\S)\n(\S)`)

// fill breaks paragraphs into lines of a terminal. Lines that begin with a space or a tab stay.
func fill(text string) string {
	text = broken.ReplaceAllString(strings.TrimSpace(text), "$1 $2")
	return output.Wrapped(strings.ReplaceAll(text, "\t", "    "), "") + "\n"
}

// Manual has texts of the help and the manual pages of a program.
type Manual struct {
	Environment []Term           // variables that the program and its libraries read
	Commands    map[string]Texts // by the path of a command
}

// Texts are about a command.
type Texts struct {
	Short    string // one line
	Long     string // description, if its short text does not suffice
	Examples string // command lines, each after a line that begins with # and describes it
	Files    []Term // that it writes
}

// Term is a name with its description.
type Term struct{ Name, Is string }

// ReadManual reads the texts of a program from TOML.
func ReadManual(text string) (m Manual) {
	if _, err := toml.Decode(text, &m); err != nil {
		panic(err) // the text is part of the program
	}
	return m
}

func (p Program) manCommand() *cobra.Command {
	dir := ""
	c := &cobra.Command{
		Use:   "man",
		Short: "Write the manual pages",
		Long:  "Write a manual page for each command to a folder. \"man -l\" shows one; make install installs all.",
		Args:  NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return Misuse(errors.New("--dir DIR is missing: it names the folder for the manual pages"))
			}
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return fmt.Errorf("cannot make the folder for the manual pages: %w; name another one with --dir", err)
			}
			name := c.Root().Name()
			head := doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: name + " " + Version,
				Manual: "Graph500 benchmark"}
			var err error
			each(c.Root(), func(c *cobra.Command) { err = cmp.Or(err, p.writePage(c, head, dir)) })
			return err
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the pages to this folder")
	return c
}

// writePage writes the page of a command to a folder. GenMan completes its copy of the head.
func (p Program) writePage(c *cobra.Command, head doc.GenManHeader, dir string) error {
	var page strings.Builder
	if err := doc.GenMan(c, &head, &page); err != nil {
		return err
	}
	path := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
	before, after, _ := strings.Cut(strings.Replace(page.String(), ".SH EXAMPLE\n", ".SH EXAMPLES\n", 1), ".SH SEE ALSO\n")
	text := before + ".SH EXIT STATUS\n" + roff(exitStatus) + "\n" + list("ENVIRONMENT", p.Environment) +
		list("FILES", p.Commands[c.CommandPath()].Files) + ".SH SEE ALSO\n" + after
	return os.WriteFile(path, []byte(text), 0o644)
}

// list returns a section of a manual page with terms and their descriptions, "" without any.
func list(title string, terms []Term) string {
	if len(terms) == 0 {
		return ""
	}
	text := ".SH " + title + "\n"
	for _, t := range terms {
		text += ".TP\n\\fB" + roff(t.Name) + "\\fP\n" + roff(t.Is) + "\n"
	}
	return text
}

// roff returns a text for a manual page.
func roff(text string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text) }
