package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/compare"
)

// compareOptions are the flags of "g500 compare".
type compareOptions struct {
	confidence float64 // in percent
	failBelow  float64 // in percent
	fail       bool    // failBelow was given
	json, csv  bool
}

func compareCommand() *cobra.Command {
	opt := compareOptions{confidence: 95}
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Tell whether the runs in folder B are faster than those in A, with a confidence interval",
		Long: "Compare the harmonic mean TEPS of two sets of runs, B with A, at each scale and number of ranks that both\n" +
			"have. A and B are folders with valid runs in or below them. Searches from the same keys are compared in\n" +
			"pairs. With --fail-below the exit status is 1 if a point has become slower by more than that, and its whole\n" +
			"interval says so, or if B lacks a point that A has.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return misuseError{fmt.Errorf("%s needs two folders with runs, as in %s", c.CommandPath(), c.UseLine())}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opt.fail = c.Flags().Changed("fail-below")
			if err := opt.check(); err != nil {
				return misuseError{err}
			}
			var sets [2]*collect.Set
			for i, dir := range args {
				set, err := collect.Read(dir)
				if err != nil {
					return misuseError{err}
				}
				sets[i] = set
			}
			result, err := compare.Sets(sets[0], sets[1], opt.confidence/100)
			if err != nil {
				return misuseError{err}
			}
			return opt.tell(result, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	f := c.Flags()
	f.Float64Var(&opt.confidence, "confidence", opt.confidence, "compute intervals of this confidence, in percent")
	f.Float64Var(&opt.failBelow, "fail-below", 0,
		"exit with 1 if B is slower than A by more than this percentage or lacks a point")
	f.BoolVar(&opt.json, "json", false, "print JSON, rates in TEPS")
	f.BoolVar(&opt.csv, "csv", false, "print CSV, one row per point, rates in TEPS")
	return c
}

func (o compareOptions) check() error {
	switch {
	case !(o.confidence > 0 && o.confidence < 100):
		return fmt.Errorf("--confidence %v is none: choose a percentage between 0 and 100, such as 95", o.confidence)
	case !(o.failBelow >= 0 && o.failBelow < 100):
		return fmt.Errorf("--fail-below %v: choose a percentage from 0 to less than 100, such as 5", o.failBelow)
	case o.json && o.csv:
		return errors.New("--json and --csv exclude each other: choose one")
	}
	return nil
}

// tell prints the comparison, and ends with an error where it must fail.
func (o compareOptions) tell(c *compare.Comparison, out, errOut io.Writer) error {
	write := c.WriteText
	switch {
	case o.json:
		write = c.WriteJSON
	case o.csv:
		write = c.WriteCSV
	}
	if err := write(out); err != nil {
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
		return errInvalid
	}
	return nil
}
