// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"github.com/spf13/cobra"

	"g500/cmd/cli"
	"g500/configs"
	"g500/graph"
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
			"config": completeConfig, "graph": cli.CompleteSpecs, "policy": completePolicy,
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

// completeConfig offers the presets, and files.
func completeConfig(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, p := range configs.All() {
		names = append(names, cobra.CompletionWithDesc(p.Name, p.What))
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completePolicy offers the keys of a policy.
func completePolicy(*cobra.Command, []string, string) (keys []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, key := range policy.Keys() {
		keys = append(keys, key+"=")
	}
	return keys, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
