package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand() *cobra.Command {
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
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("cannot make the folder for the manual pages: %w", err)
			}
			name := c.Root().Name()
			head := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: name + " " + Version,
				Manual: "Graph500 benchmark"}
			return doc.GenManTree(c.Root(), head, dir)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the pages to this folder")
	return c
}
