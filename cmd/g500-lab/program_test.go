// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli/clitest"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/pages"
	"g500/lab/study"
	"g500/results"
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

func TestFlagsRefuseOddValues(t *testing.T) {
	tested.RefusesOddValues(t, map[string]string{
		"g500-lab bfs":    "--graph grid2d:2x2 --engine cpu --quiet --sources 1 --strategy cpu",
		"g500-lab color":  "--graph grid2d:2x2 --engine cpu --quiet --runs 1 --algorithm serial",
		"g500-lab pages":  "--graph grid2d:2x2 --engine cpu --quiet --updates random:size=3",
		"g500-lab study":  "nowhere",
		"g500-lab judge":  "nowhere",
		"g500-lab schema": "lab-1",
	}, "study", "judge")
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

// PAPERS.md has the verdicts of the newest stored searches by the present claims and rule.
func TestPapersHasTheVerdicts(t *testing.T) {
	stored := results.Unpack(t, "../../results", "*/*-lab-studies")
	keep := func(part, text string) {
		clitest.Keep(t, "../../docs/PAPERS.md", "<!-- "+part+" -->\n", "<!-- /"+part+" -->", text,
			func(s string) string { return s })
	}
	var all []study.Result
	var names []string // of all, with dates
	for _, name := range study.Names() {
		s := expect.Value(study.Load(name))(t)
		folders := expect.Value(filepath.Glob(filepath.Join(stored, "*", "*-lab-studies", name)))(t)
		slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(path.Base(path.Dir(b)), path.Base(path.Dir(a))) })
		text := ""
		for _, folder := range folders { // the newest first; older ones only on graphs that newer ones do not have
			read, _ := study.Read(folder, &s)
			if len(read) == 0 {
				continue
			}
			date := path.Base(path.Dir(folder))[:len(time.DateOnly)]
			all, text = append(all, read...), text+listOf(read[0], date)
			names = append(names, name+", "+date)
			s.Graphs = slices.DeleteFunc(s.Graphs, func(g study.Graph) bool {
				return slices.ContainsFunc(read[0].Study.Graphs, func(m study.Graph) bool { return m.Name == g.Name })
			})
		}
		keep("study: "+name, text)
	}
	keep("counts", counts(all, names))
}

// listOf returns the verdicts of a study of a day as a list of Markdown.
func listOf(r study.Result, date string) string {
	on := fmt.Sprintf("- On %s, by %s, %s.", r.On(), r.Program, date)
	text := strings.TrimPrefix(clitest.Wrapped(on, 160), "- ") + "\n"
	for _, f := range slices.Concat(r.Pairs, r.Findings) {
		if len(f.Measured) == 0 {
			continue
		}
		place := strings.TrimSuffix(f.Place+", "+f.PublishedText(), ", ")
		verdict, on, _ := strings.Cut(f.Sentence, " on ")
		line := fmt.Sprintf("%s: %s Measured: %s. **%s** on %s", place, f.Says, f.MeasuredText(), verdict, on)
		if differs := r.Differences(f.Claim); differs != "" && f.PublishedText() != "" {
			line += " Differs: " + differs + "."
		}
		text += clitest.Wrapped("- "+line, 160)
	}
	return text + "\n"
}

// counts returns the number of verdicts of each study as a table of Markdown.
func counts(all []study.Result, names []string) (text string) {
	t := study.SummaryTable(all)
	rows := append([][]string{t.Head, slices.Repeat([]string{"---"}, len(t.Head))}, t.Rows...)
	for i, row := range rows {
		if i > 1 {
			row[0] = names[i-2]
		}
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text
}
