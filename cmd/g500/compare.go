// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"g500/analysis/collect"
	"g500/analysis/compare"
	"g500/cmd/cli"
)

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
		Use:  "compare A B",
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
