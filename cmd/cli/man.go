// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"g500/docs/schema"
)

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

func schemaCommand() *cobra.Command {
	names := strings.Join(schema.Names(), ", ")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a document that g500 or g500-lab writes",
		Long: "Print the JSON Schema (draft 2020-12) of a document that a command prints with --json. A name ends with\n" +
			"the document's format; the one of run is also the schema of run.json. NAME is one of\n" + names + ".",
		Args:      Arguments(1, 1, "one NAME"),
		ValidArgs: schema.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := schema.Of(args[0])
			if err != nil {
				return Misuse(fmt.Errorf("there is no schema %q: choose one of %s", args[0], names))
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
}
