// SPDX-License-Identifier: Apache-2.0

// Command g500-lab is the laboratory: it measures the strategies of papers under one set of rules. It is no part of the
// benchmark, and its figures are no Graph500 results.
package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"g500/cmd/cli"
	"g500/lab"
	"g500/lab/color"
	"g500/lab/study"
)

//go:embed manual.toml
var manual string

func main() { os.Exit(thisProgram().Run(os.Args[1:], os.Stdout, os.Stderr)) }

// thisProgram returns this program, whose Root has no command of cobra yet.
func thisProgram() cli.Program {
	root := cli.Group("g500-lab",
		bfsCommand(), colorCommand(), pagesCommand(), studyCommand(), pageCommand())
	return cli.Program{Root: root, Manual: cli.ReadManual(manual),
		Built: func() string { return fmt.Sprintf("engines:    cpu; %s", gpuBuild()) },
		Flags: cli.Flags{
			Choices: map[string][]string{
				"bfs engine": engines, "color engine": engines, "pages engine": engines, "study engine": engines,
				"study size": {"published", study.Small},
				"bfs result": {"distance", "parent"},
				"algorithm":  append([]string{"all"}, color.Names()...),
				"opt":        append([]string{"all"}, color.Optimisations...),
				"strategy":   append([]string{"all"}, lab.Table().Names()...),
			},
			Completers: map[string]cobra.CompletionFunc{"graph": cli.CompleteSpecs},
			Folders:    []string{"dir", "files", "output"},
			Values: map[string]string{"algorithm": "NAME,NAME", "graph": "SPEC", "opt": "NAME,NAME", "plugin": "FILE,FILE",
				"strategy": "NAME,NAME", "title": "TEXT", "updates": "SPEC"},
			Limits: map[string]cli.Limit{
				"plugin-seconds": {Low: 1, High: 1 << 20}, "runs": {Low: 1, High: 1 << 20},
				"sources": {Low: 1, High: 1 << 20}, "spare-pages": {Low: 0, High: 1 << 31},
			},
		}}
}
