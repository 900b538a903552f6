// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

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
	{Name: "study", Format: lab.Format, Title: "study.json of g500-lab study", Type: reflect.TypeFor[study.Result]()},
}

func TestSchemasAreCurrent(t *testing.T) { documents.AreCurrent(t) }

// TestScripts runs what researchers type.
func TestScripts(t *testing.T) { tested.RunScripts(t, "testdata/script", documents, nil) }

func TestFlagsAreDocumented(t *testing.T) {
	const head = "# Flags of g500-lab\n\nGenerated from the program by `make golden`.\n"
	tables := tested.FlagTables(t, func(*cobra.Command, *pflag.Flag) (string, bool) { return "", false })
	expect.Golden(t, "../../docs/LAB_FLAGS.md", head+tables)
}

// PAPERS.md has the verdicts of the newest stored searches by the present claims and rule.
func TestPapersHasTheVerdicts(t *testing.T) {
	const file, wide = "../../docs/PAPERS.md", 160
	stored := results.Unpack(t, "../../results", "*/*-lab-studies")
	var all []study.Result
	for _, name := range study.Names() {
		s := expect.Value(study.Load(name))(t)
		folders := expect.Value(filepath.Glob(filepath.Join(stored, "*", "*-lab-studies", name)))(t)
		slices.SortFunc(folders, func(a, b string) int {
			return cmp.Compare(filepath.Base(filepath.Dir(a)), filepath.Base(filepath.Dir(b)))
		})
		read, unread := study.Read(folders[len(folders)-1], &s)
		if len(read) != 1 || len(unread) > 0 {
			t.Fatalf("%s: %d results, %q", name, len(read), unread)
		}
		all = append(all, read...)
		text := wrapped(fmt.Sprintf("On %s, by %s.", read[0].On(), read[0].Program), wide) + "\n"
		for _, f := range slices.Concat(read[0].Pairs, read[0].Findings) {
			text += wrapped(fmt.Sprintf("- %s, %s: %s Measured: %s. **%s", f.Place, f.PublishedText(), f.Says, f.MeasuredText(),
				emphasised(f.Sentence)), wide)
		}
		clitest.Keep(t, file, "<!-- study: "+name+" -->\n", "<!-- /study: "+name+" -->", text, func(s string) string { return s })
	}
	clitest.Keep(t, file, "<!-- counts -->\n", "<!-- /counts -->", counts(all), func(s string) string { return s })
}

// emphasised returns a text whose first verdict ends with two stars.
func emphasised(sentence string) string {
	return regexp.MustCompile(`^(Reproduced|Direction only|Not reproduced|No verdict|Not measured)`).ReplaceAllString(sentence, "$1**")
}

// counts returns the number of verdicts of each study as a table of Markdown.
func counts(all []study.Result) string {
	t := study.SummaryTable(all)
	t.Head[0] = "study"
	rows := append([][]string{t.Head, slices.Repeat([]string{"---"}, len(t.Head))}, t.Rows...)
	for i, r := range all {
		rows[i+2][0] = r.Study.Name
	}
	text := ""
	for _, row := range rows {
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text
}

// wrapped breaks a text between words into lines, of which all but the first are indented.
func wrapped(text string, wide int) string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		if len(*last)+1+len(word) > wide {
			lines = append(lines, "  "+word)
			continue
		}
		if *last != "" {
			word = " " + word
		}
		*last += word
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestCommandsInDocuments(t *testing.T) { tested.HasCommandsOf(t, "../../docs/LAB.md") }

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

func TestHelp(t *testing.T) {
	tested.HasHelp(t, func(*cobra.Command, []string) error { return nil })
}

func TestCompletionOfLists(t *testing.T) {
	for args, word := range map[string]string{"color --algorithm": "jp", "color --opt": "all", "bfs --strategy": "all"} {
		out := tested.MustCall(t, append(append([]string{cobra.ShellCompRequestCmd}, strings.Fields(args)...), "")...)
		if !strings.Contains(out, word+"\n") {
			t.Errorf("%s: the shell offers %q", args, out)
		}
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
