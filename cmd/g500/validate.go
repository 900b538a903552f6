// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/comm/agreement"
	"g500/graph"
	"g500/internal/infile"
	"g500/internal/numbers"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
)

// stored are the results to validate, and how the verdict is printed.
type stored struct {
	bench.Stored
	one  bench.StoredResult // of --tree
	list string             // file with several results
	json bool
}

func validateCommand() *cobra.Command {
	s := stored{Stored: bench.Stored{Config: settings.Default()}}
	cfg := &s.Config
	c := &cobra.Command{
		Use:  "validate",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if err = s.check(c.Flags()); err == nil {
				s.Graph, err = bench.NewSpecGraph(*cfg)
			}
			if err != nil {
				return cli.Misuse(err)
			}
			return s.validate(c)
		},
	}
	f := c.Flags()
	f.StringVar(&s.one.Tree, "tree", "", "validate the parents in this file")
	f.StringVar(&s.one.Distances, "distances", "", "validate the distances in this file (default: next to --tree)")
	f.Int64Var((*int64)(&s.one.Root), "root", -1, "set the root of the search, a label")
	f.Float64Var(&s.one.Seconds, "seconds", 0, "compute TEPS from this time of the search")
	f.StringVar(&s.list, "list", "", "validate the results in this CSV file: root, tree, distances, seconds")
	f.StringVar(&s.Map, "map", "", "read the label of each vertex of the program from this file")
	f.StringVar(&s.Format, "result-format", numbers.Auto,
		"read files of results as: "+output.List(numbers.Formats(), "or"))
	f.BoolVar(&s.json, "json", false, "print the verdicts as JSON")
	settingFlags(f, cfg, "graph", "search.kernel", "machine.transport", "machine.ranks", "machine.threads")
	f.Lookup("kernel").Usage = "validate a tree (bfs) or shortest paths (sssp)"
	return c
}

// check refuses missing and idle flags. It reads the list of results, and sets the default of --distances.
func (s *stored) check(f *pflag.FlagSet) (err error) {
	if err := s.Config.Check(); err != nil {
		return err
	}
	switch {
	case s.Config.Search.Kernel == record.Both:
		return errors.New("--kernel both: one kernel is validated at a time, with --kernel bfs or --kernel sssp")
	case s.list != "":
		s.Results, err = readList(s.list)
	case s.one.Tree == "" || s.one.Root < 0:
		return errors.New("--tree FILE and --root LABEL are needed, or --list FILE")
	default:
		s.Results = []bench.StoredResult{s.one}
	}
	paths := record.Kernel(s.Config.Search.Kernel) == record.SSSP
	for i := range s.Results {
		switch of := &s.Results[i]; {
		case err != nil:
		case !paths && of.Distances != "":
			err = errors.New("--distances is for shortest paths: add --kernel sssp, or leave it out")
		case paths && of.Distances == "":
			of.Distances, err = bench.DistancesFile(of.Tree)
		}
	}
	err = cmp.Or(err, refuseIdleSettings(f, s.Config))
	if s.Config.Graph.Edges != "" {
		err = cmp.Or(err, cli.RefuseIdle(f, "with --edges", "seeds"))
	}
	if s.list != "" {
		err = cmp.Or(err, cli.RefuseIdle(f, "with --list, whose columns have it", "tree", "root", "distances", "seconds"))
	}
	return err
}

// declare lists the settings that must be the same on all ranks.
func (s *stored) declare(f *pflag.FlagSet) agreement.Declaration {
	d := declare("validate", slices.Concat(declaredSettings(s.Config),
		flagValues(f, "tree", "distances", "root", "list", "map", "result-format"),
		[]agreement.Setting{{Name: "the number of results", Value: fmt.Sprint(len(s.Results))}})...)
	d.Files = append(declaredFiles(s.Config), agreement.Look("the tree", s.Results[0].Tree))
	if name := s.Results[0].Distances; name != "" {
		d.Files = append(d.Files, agreement.Look("the file of distances", name))
	}
	if s.Map != "" {
		d.Files = append(d.Files, agreement.Look("the map", s.Map))
	}
	return d
}

// validate validates the results on all ranks and prints the verdicts on rank 0.
func (s *stored) validate(c *cobra.Command) error {
	out, errOut := c.OutOrStdout(), c.ErrOrStderr()
	launch, _, err := launcher(s.Config.Machine, s.declare(c.Flags()))
	if err != nil {
		return cli.Misuse(err)
	}
	var first, wrong atomic.Bool // rank 0 is in this process; a result breaks a rule
	verdicts := record.Verdicts{Graph: s.Config.Graph, Kernel: record.Kernel(s.Config.Search.Kernel)}
	err = launch.watched(errOut, "validation", func(t comm.Transport) error {
		threads, err := threadsPerRank(s.Config.Machine, t)
		if err != nil {
			return err
		}
		of := s.Stored
		of.Workers = threads
		return bench.CheckStored(context.Background(), t, of, func(r record.ResultVerdict) {
			if r.Fault != "" {
				wrong.Store(true)
			}
			if t.Rank() == 0 {
				first.Store(true)
				verdicts.Add(r)
			}
		})
	})
	verdicts.Settle()
	switch {
	case !first.Load() || err != nil && s.json:
	case err != nil: // after these verdicts
		for _, r := range verdicts.Results {
			fmt.Fprintln(out, r.Line())
		}
	case s.json:
		err = output.Document(out, record.VerdictsFormat, verdicts)
	default:
		err = verdicts.Write(out)
	}
	if err == nil && wrong.Load() {
		return cli.ErrInvalid
	}
	return err
}

// mostListBytes is the maximum length of a list of results.
const mostListBytes = 16 << 20

// readList reads a list of results. Names of files are relative to its folder.
func readList(path string) (results []bench.StoredResult, err error) {
	text, err := infile.Small(path, "the list of results", mostListBytes)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", path, err)
	}
	if len(rows) < 2 || !slices.Contains(rows[0], "root") || !slices.Contains(rows[0], "tree") {
		return nil, fmt.Errorf("list %s has no results, or no column root or tree: its first line names the columns root, "+
			"tree, distances, seconds, and each other line has a result", path)
	}
	for i, row := range rows[1:] {
		of, err := listedResult(rows[0], row, filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("list %s, result %d: %w", path, i+1, err)
		}
		results = append(results, of)
	}
	return results, nil
}

// listedResult parses a row of a list with these columns in a folder. Other columns have no meaning.
func listedResult(columns, row []string, folder string) (of bench.StoredResult, err error) {
	file := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	for c, text := range row {
		switch columns[c] {
		case "root":
			root, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return of, fmt.Errorf("the root %q is no label: write a whole number", text)
			}
			of.Root = graph.Global(root)
		case "tree":
			of.Tree = file(text)
		case "distances":
			of.Distances = file(text)
		case "seconds":
			of.Seconds, err = strconv.ParseFloat(text, 64)
			if within := limits["validate seconds"]; err != nil || !(within.Low <= of.Seconds && of.Seconds <= within.High) {
				return of, fmt.Errorf("the time %q is none: write the seconds of the search, from %g to %g",
					text, within.Low, within.High)
			}
		}
	}
	if of.Tree == "" {
		return of, fmt.Errorf("it has no tree: name its file")
	}
	return of, nil
}
