// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli/clitest"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/pages"
	"g500/lab/study"
)

var tested = clitest.Program{New: thisProgram}

func TestMain(m *testing.M) {
	clitest.Main(m, map[string]func(){"g500-lab": main})
}

// documents are the documents that commands print with --json, and study.json.
var documents = clitest.Documents{
	{Name: "lab", Format: lab.Format, Title: "Output of g500-lab bfs --json and g500-lab color --json",
		Type: reflect.TypeFor[lab.Report]()},
	{Name: "lab-pages", Format: lab.Format, Title: "Output of g500-lab pages --json",
		Type: reflect.TypeFor[pages.Report]()},
	{Name: "study", Format: study.Format, Title: "study.json of g500-lab study", Type: reflect.TypeFor[study.Result]()},
}

func TestSchemasAreCurrent(t *testing.T) { documents.AreCurrent(t) }

// TestScripts runs what researchers type.
func TestScripts(t *testing.T) { tested.RunScripts(t, "testdata/script", documents, nil) }

func TestFlagsAreDocumented(t *testing.T) {
	const head = "# Flags of g500-lab\n\nGenerated from the program by `make golden`.\n"
	tables := tested.FlagTables(t, func(*cobra.Command, *pflag.Flag) (string, bool) { return "", false })
	expect.Golden(t, "../../docs/LAB_FLAGS.md", head+tables)
}

func TestCommandsInDocuments(t *testing.T) { tested.HasCommandsOf(t, "../../docs/LAB.md") }

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

func TestHelp(t *testing.T) {
	tested.HasHelp(t, func(c *cobra.Command, _ []string) error {
		if c.Name() != "study" {
			return nil
		}
		s, err := study.Load(c.Flags().Arg(0))
		only, _ := c.Flags().GetStringSlice("only")
		return cmp.Or(err, s.Choose(only))
	})
}

func TestCompletionOfLists(t *testing.T) {
	for args, word := range map[string]string{"color --algorithm": "jp", "color --opt": "all", "bfs --strategy": "all"} {
		out := tested.MustCall(t, append(append([]string{cobra.ShellCompRequestCmd}, strings.Fields(args)...), "")...)
		expect.Contains(t, out, word+"\n")
	}
}

func TestEmptyValuesAreRefused(t *testing.T) { tested.RefusesEmptyValues(t, "study", "judge") }

func TestFlagsRefuseOddValues(t *testing.T) {
	tested.RefusesOddValues(t, map[string]string{
		"g500-lab bfs":    "--graph grid2d:2x2 --engine cpu --quiet --sources 1 --strategy cpu",
		"g500-lab color":  "--graph grid2d:2x2 --engine cpu --quiet --runs 1 --algorithm serial",
		"g500-lab pages":  "--graph grid2d:2x2 --engine cpu --quiet --updates random:size=3",
		"g500-lab study":  "nowhere",
		"g500-lab judge":  "nowhere",
		"g500-lab schema": "lab-1",
	})
}

func TestLostOutputIsAFailure(t *testing.T) {
	tested.FailsIfOutputIsLost(t, "", "bfs --list", "color --graph grid2d:2x2 --engine cpu --quiet --runs 1", "version")
}

func TestOddFilesAreNamed(t *testing.T) {
	const on = " --engine cpu --quiet --graph grid2d:2x2\n"
	tested.NamesOddFiles(t, "bfs --strategies DIR/x"+on+"bfs --times DIR/x"+on+"bfs --list --strategies DIR/x\n"+
		"pages --updates random: --strategies DIR/x"+on+"pages --updates DIR/x"+on+"study DIR/x\njudge DIR => study.json")
}

// docs/LAB.md has the output of lab bfs and lab pages on a CPU.
func TestLabDocument(t *testing.T) {
	blanks := regexp.MustCompile(` +`)
	mask := func(s string) string {
		s = clitest.Figure.ReplaceAllString(s, "#")
		return blanks.ReplaceAllString(strings.NewReplacer("# M", "#", "# k", "#", "# G", "#").Replace(s), " ")
	}
	for _, command := range []string{
		"bfs --graph kron:scale=12,duplicates=keep --strategy cpu*,cpu-topdown:count=kept --sources 8 --threads 1 " +
			"--engine cpu",
		"pages --graph kron:scale=12,duplicates=drop --updates random:batches=2,size=1000 --engine cpu",
	} {
		out := tested.MustCall(t, strings.Fields(command)...)
		sample := "<!-- sample: g500-lab " + command + " -->\n"
		clitest.Keep(t, "../../docs/LAB.md", sample, "<!-- /sample -->", "```\n"+out+"```\n", mask)
	}
}
