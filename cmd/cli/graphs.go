// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/spf13/cobra"

	"g500/graph/formats"
)

// MakingGraph is the first step of commands that make graphs, after the name of the graph.
const MakingGraph = ": reading or generating"

// CompleteSpecs offers the kinds of graphs, and files.
func CompleteSpecs(*cobra.Command, []string, string) (kinds []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, k := range formats.Kinds() {
		kinds = append(kinds, cobra.CompletionWithDesc(k.Name+":", k.Help))
	}
	return kinds, cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveNoSpace
}
