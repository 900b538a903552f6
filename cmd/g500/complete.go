// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"github.com/spf13/cobra"

	"g500/cmd/cli"
	"g500/configs"
	"g500/graph"
	"g500/internal/lists"
	"g500/internal/numbers"
	"g500/policy"
	"g500/settings"
)

// flags describes flags. Package settings has the ranges of a run's settings; package net checks --repeats and --sizes.
func flags() cli.Flags {
	choices := map[string][]string{"net engine": {hostEngine, settings.GPU}, "validate result-format": numbers.Formats()}
	for _, s := range settings.Table {
		if s.Values != nil {
			choices[s.Flag] = s.Values
		}
	}
	return cli.Flags{
		Choices: choices,
		Completers: map[string]cobra.CompletionFunc{
			"config": cobra.FixedCompletions(lists.Of(configs.All(), func(p configs.Preset) cobra.Completion {
				return cobra.CompletionWithDesc(p.Name, p.What)
			}), cobra.ShellCompDirectiveDefault), // presets, and files
			"graph": cli.CompleteSpecs,
			"policy": cobra.FixedCompletions(lists.Of(policy.Keys(), func(key string) cobra.Completion { return key + "=" }),
				cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace),
		},
		Folders: []string{"dir", "log-dir", "output", "resume", "unpruned"},
		Groups:  settings.Groups,
		Values: map[string]string{"config": "NAME", "generate output": "FILE", "graph": "SPEC",
			"submission output": "DIR|FILE", "title": "TEXT"},
		Limits: limits,
	}
}

// limits are the ranges of numbers that are no settings of a run.
var limits = map[string]cli.Limit{
	"confidence":         {Low: 1, High: 99.999},
	"fail-below":         {Low: 0, High: 99.999},
	"max-latency-us":     {Low: 0, High: 1e9},
	"min-cores":          {Low: 0, High: 1 << 20},
	"min-gbs":            {Low: 0, High: 1e9},
	"min-gpu-memory-gib": {Low: 0, High: 1 << 30},
	"min-gpus":           {Low: 0, High: 1 << 20},
	"min-memory-gib":     {Low: 0, High: 1 << 30},
	"gpu-memory-gib":     {Low: 0, High: 1 << 30},
	"host-memory-gib":    {Low: 0, High: 1 << 30},
	"info root":          {Low: busiest, High: math.MaxInt32},
	"same":               {Low: 0, High: 99.999},
	"slow":               {Low: 1.001, High: 1e9},
	"validate root":      {Low: 0, High: 1 << graph.MaxScale},
	"validate seconds":   {Low: 1e-9, High: 1e9},
}
