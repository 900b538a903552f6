package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/configs"
	"g500/lab"
	"g500/policy"
	"g500/settings"
)

// choices are the values of flags that the shell offers, by "flag" for lists, or by "command flag", whose values word
// checks. Package settings has those of settings.
var choices = map[string][]string{
	"bfs engine":   {"auto", gpuEngine, cpuEngine},
	"color engine": {"auto", gpuEngine, cpuEngine},
	"bfs result":   {"distance", "parent"},
	"net engine":   {hostEngine, gpuEngine},
	"pages engine": {"auto", gpuEngine, cpuEngine},
	"strategy":     append([]string{"all"}, lab.Table().Names()...),
	"study engine": {"auto", gpuEngine, cpuEngine},
}

// completers compute the values that the shell offers, by flag.
var completers = map[string]cobra.CompletionFunc{
	"config": completeConfig, "graph": completeSpecs, "policy": completePolicy,
}

// folders are the flags that take a folder; only "generate --output" takes a file.
var folders = []string{"compare", "dir", "output", "resume"}

// completeFlags registers the completion of the flags of a command and its subcommands.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		words, special := choices[c.Name()+" "+f.Name]
		if !special {
			words = slices.Concat(settings.OfFlag(f.Name).Values, choices[f.Name])
		}
		completer := completers[f.Name]
		if words != nil {
			completer = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		}
		var err error
		if slices.Contains(folders, f.Name) && c.Name() != "generate" {
			err = c.MarkFlagDirname(f.Name)
		} else if completer != nil {
			err = c.RegisterFlagCompletionFunc(f.Name, completer)
		}
		if err != nil {
			panic(err) // the flag exists
		}
	})
	for _, sub := range c.Commands() {
		completeFlags(sub)
	}
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
