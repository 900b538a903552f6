// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/report"
	"g500/cmd/cli"
)

// runsFile is a file of a report.
const runsFile = "runs.csv"

func reportCommand() *cobra.Command {
	onlyCSV := false
	c := &cobra.Command{
		Use: "report DIR",
	}
	const kind = "Graph500 report"
	cli.PageCommand(c, kind, collect.Records(), func(from cli.Runs, title string, notes io.Writer) (cli.Content, error) {
		set, err := readSet(from)
		if err != nil {
			return cli.Content{}, err
		}
		noteUnread(notes, set)
		noteOutsideScaling(notes, set)
		if onlyCSV {
			return cli.Content{CSV: set.Everything(), Only: true}, nil
		}
		n, _ := set.Count()
		return cli.Content{Page: report.New(title, set), From: collect.Count(n, "run"),
			CSV: map[string]func(io.Writer) error{runsFile: set.WriteCSV}}, nil
	})
	c.Flags().BoolVar(&onlyCSV, "csv", false, "write only CSV: a row per run, per search and per step, with all figures")
	c.MarkFlagsMutuallyExclusive("csv", "title")
	return c
}

// readSet reads the runs in a folder or archive. Sentences of the set and the error have its path for people.
func readSet(from cli.Runs) (*collect.Set, error) {
	set, err := collect.Read(from.Dir)
	if err != nil {
		return nil, from.Named(err)
	}
	for i, sentence := range set.Unread {
		set.Unread[i] = from.Named(errors.New(sentence)).Error()
	}
	return set, nil
}

// readSets reads the runs in folders or archives.
func readSets(paths []string) (sets []*collect.Set, err error) {
	for _, path := range paths {
		from, err := cli.OpenRuns(path, collect.Records())
		if err != nil {
			return nil, err
		}
		set, err := readSet(from)
		from.Close()
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// noteUnread notes the runs of a set that cannot be read.
func noteUnread(notes io.Writer, set *collect.Set) {
	for _, sentence := range set.Unread {
		fmt.Fprintf(notes, "note: %s\n", sentence)
	}
}
