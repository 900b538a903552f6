// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/compare"
	"g500/analysis/model"
	"g500/analysis/report"
	"g500/cmd/cli"
)

// runsFile is a file of a report.
const runsFile = "runs.csv"

func reportCommand() *cobra.Command {
	onlyCSV := false
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Make tables and one self-contained page with figures from the runs in a folder or archive",
		Long: "Make a report of all runs in or below a folder, as g500 run --output and g500 scale write them. It\n" +
			"consists of index.html, whose figures can be saved as SVG and which needs no network, report.md with its\n" +
			"tables, and runs.csv. With --csv it consists of all-runs.csv, all-searches.csv and all-steps.csv,\n" +
			"which have every figure of the runs. DIR may be an archive of a folder, DIR.tar.gz; the report is then where\n" +
			"it would be if the archive were unpacked. The program g500-lab reports its studies itself.",
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

// compareOptions are the flags of "g500 compare".
type compareOptions struct {
	confidence float64 // in percent
	same       float64 // in percent
	failBelow  float64 // in percent
	fail       bool    // failBelow was given
	format     cli.OutputFormat
}

func compareCommand() *cobra.Command {
	opt := compareOptions{confidence: 95, same: 1}
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare the rates of the runs in two folders or archives, with confidence intervals",
		Long: "Compare the harmonic mean TEPS of the valid runs in or below folder B with the runs of folder A, at each\n" +
			"scale and number of ranks that both have. A and B may be archives, DIR.tar.gz. Searches from the same keys\n" +
			"are compared in pairs. B is the same if its whole interval is within --same percent of A; otherwise faster\n" +
			"or slower if the interval excludes 0, and ambiguous if it does not.\n\n" +
			"Runs that are not valid, or whose record contradicts itself, are left out with a note. The exit status is 0\n" +
			"for any verdict, 1 if there is nothing to compare, and 2 for a wrong command line. With --fail-below it is\n" +
			"also 1 if B lacks a point of A, if a point has no interval, or if B is slower at a point by more than that\n" +
			"percentage at every value of the interval.",
		Args: cli.Arguments(2, 2, "two folders or archives with runs"),
		RunE: func(c *cobra.Command, args []string) error {
			opt.fail = c.Flags().Changed("fail-below")
			sets, err := readSets(args)
			if err != nil {
				return cli.Misuse(err)
			}
			return opt.print(compare.Sets(sets[0], sets[1], opt.confidence/100, opt.same), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.Float64Var(&opt.confidence, "confidence", opt.confidence, "compute intervals of this confidence, in percent")
	f.Float64Var(&opt.same, "same", opt.same, "call B the same if its interval is within this percentage of A")
	f.Float64Var(&opt.failBelow, "fail-below", 0,
		"exit with 1 if B is slower than A by more than this percentage or lacks a point")
	opt.format.AddTo(c, "point")
	return c
}

// print prints the comparison. The error is cli.ErrInvalid if --fail-below applies; the reasons are on errOut then.
func (o compareOptions) print(c *compare.Comparison, out, errOut io.Writer) error {
	if err := o.format.Write(out, c.WriteText, c.WriteJSON, c.WriteCSV); err != nil {
		return err
	}
	if len(c.Points) == 0 {
		return errors.New("there is nothing to compare: no valid runs of A and B have the same kernel, scale, edge " +
			"factor and number of ranks")
	}
	if !o.fail {
		return nil
	}
	lost := c.Lost(o.failBelow)
	for _, p := range lost {
		why := "has no interval: give it more searches"
		if p.High != nil {
			why = fmt.Sprintf("is slower by at least %.1f%%, and --fail-below allows %v%%", -*p.High, o.failBelow)
		}
		fmt.Fprintf(errOut, "g500: %s, scale %d, %s: B %s\n", p.Kernel, p.Scale, collect.Count(p.Ranks, "rank"), why)
	}
	for _, p := range c.OnlyA {
		fmt.Fprintf(errOut, "g500: %s: run it for B too\n", p)
	}
	if len(lost)+len(c.OnlyA) > 0 {
		return cli.ErrInvalid
	}
	return nil
}

func modelCommand() *cobra.Command {
	var gpus []int
	var scale int
	var file string
	var steps bool
	c := &cobra.Command{
		Use:   "model DIR...",
		Short: "Predict breadth-first searches on many GPUs from traced runs of one and two",
		Long: "Predict the time of breadth-first searches from traced runs in or below folders or archives: of one GPU\n" +
			"at two scales or more, and of two GPUs. The GPUs are peers or, with --links, no two are, and exchanges take\n" +
			"the times in that file, measured or assumed.",
		Args: cli.Arguments(1, math.MaxInt, "folders with runs"),
		RunE: func(c *cobra.Command, dirs []string) error {
			sets, err := readSets(dirs)
			links, err2 := model.ReadLinks(file)
			if err = cmp.Or(err, err2); err != nil {
				return cli.Misuse(err)
			}
			for i, set := range sets {
				sets[i] = set.OutsideStudies() // which has sentences on inconsistent runs
				noteUnread(c.ErrOrStderr(), sets[i])
			}
			all, err := model.PredictAll(sets, links, gpus, scale)
			if err != nil {
				return cli.Misuse(err)
			}
			return model.WriteText(c.OutOrStdout(), all, steps)
		},
	}
	f := c.Flags()
	f.IntSliceVar(&gpus, "gpus", []int{2}, "predict searches on these numbers of GPUs")
	f.IntVarP(&scale, "scale", "s", 28, "let each GPU have 2^scale vertices")
	f.StringVar(&file, "links", "", "read times of exchanges from this output of g500 net --csv")
	f.BoolVar(&steps, "steps", false, "also print a row per step")
	return c
}
