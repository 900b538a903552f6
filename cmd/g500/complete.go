package main

import (
	"github.com/spf13/cobra"

	"g500/bfs"
	"g500/configs"
	"g500/lab"
)

// choices are the words that flags take, by flag, for the shell to complete.
var choices = map[string][]string{
	"gpu-transport": {"auto", "peer", "mpi", "staged", "nccl", "peer+nccl"},
	"engine":        {"auto", gpuEngine, cpuEngine, "topdown"},
	"exchange":      {"auto", "bitmap", "bins"},
	"format":        {"packed", "u64"},
	"names":         {"official", "spec"},
	"result-bits":   {"64", "32"},
	"edge-memory":   {"auto", "device", "host"},
	"transport":     {"auto", "loopback", "mpi"},
}

// folders are the flags that take a folder.
var folders = []string{"compare", "dir", "output", "resume"}

// completeFlags tells the shell what the flags of a command and its subcommands take. The model's exchanges are others.
func completeFlags(c *cobra.Command) {
	for name, words := range choices {
		if c.Name() == "net" && name == "engine" {
			words = []string{hostEngine, gpuEngine}
		}
		if c.Name() == "bfs" && name == "engine" {
			words = []string{"auto", gpuEngine, "cpu"}
		}
		if c.Flags().Lookup(name) != nil && c.Name() != "model" {
			must(c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
		}
	}
	for _, name := range folders {
		if c.Flags().Lookup(name) != nil && c.Name() != "generate" {
			must(c.MarkFlagDirname(name))
		}
	}
	if c.Flags().Lookup("policy") != nil {
		must(c.RegisterFlagCompletionFunc("policy", completePolicy))
	}
	if c.Flags().Lookup("graph") != nil {
		must(c.RegisterFlagCompletionFunc("graph", completeSpecs))
	}
	if c.Flags().Lookup("strategy") != nil {
		names := append([]string{"all"}, lab.Names()...)
		must(c.RegisterFlagCompletionFunc("strategy", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)))
	}
	if c.Flags().Lookup("config") != nil {
		must(c.RegisterFlagCompletionFunc("config", completeConfig))
	}
	for _, sub := range c.Commands() {
		completeFlags(sub)
	}
}

// completeConfig offers the presets, and files where none begins so.
func completeConfig(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, p := range configs.All() {
		names = append(names, cobra.CompletionWithDesc(p.Name, p.What))
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completePolicy offers the keys of a policy.
func completePolicy(*cobra.Command, []string, string) (keys []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, key := range bfs.PolicyKeys() {
		keys = append(keys, key+"=")
	}
	return keys, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// must is for what fails only where this program names a flag that it does not have.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
