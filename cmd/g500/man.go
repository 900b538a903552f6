package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand() *cobra.Command {
	dir := ""
	c := &cobra.Command{
		Use:   "man",
		Short: "Write the manual pages",
		Long: "Write a manual page for each command to a folder. \"man -l DIR/g500.1\" shows the first; make install\n" +
			"installs all.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return misuseError{errors.New("--dir DIR is missing: it names the folder for the manual pages")}
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("cannot make the folder for the manual pages: %w", err)
			}
			head := &doc.GenManHeader{Title: "G500", Section: "1", Source: "g500 " + version, Manual: "Graph500 benchmark"}
			return doc.GenManTree(c.Root(), head, dir)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the pages to this folder")
	return c
}
