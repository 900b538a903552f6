// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"math"

	"github.com/spf13/cobra"

	"g500/analysis/model"
	"g500/cmd/cli"
)

func modelCommand() *cobra.Command {
	var gpus []int
	var scale int
	var file string
	var steps bool
	c := &cobra.Command{
		Use:  "model DIR...",
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
