package main

import (
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/cmd/cli/clitest"
	"g500/lab"
	"g500/lab/pages"
	"g500/lab/study"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var tested = clitest.Program{New: thisProgram}

func TestMain(m *testing.M) {
	clitest.Update = update
	clitest.Main(main)
	os.Exit(m.Run())
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

func TestOutputsFollowTheirSchemas(t *testing.T) {
	tested.FollowSchemas(t, documents, [][2]string{
		{"lab", "bfs --json --quiet --graph kron:scale=8 --strategy cpu* --sources 3"},
		{"lab", "color --json --quiet --graph grid2d:8x8 --runs 2"},
		{"lab-pages", "pages --json --quiet --engine cpu --graph grid2d:3x3 --updates random:size=9"},
	})
}

func TestFlagsAreDocumented(t *testing.T) {
	const head = "# Flags of g500-lab\n\nGenerated from the program by `make golden`.\n"
	tables := tested.FlagTables(t, func(*cobra.Command, *pflag.Flag) (string, bool) { return "", false })
	clitest.IsCurrent(t, "../../docs/LAB_FLAGS.md", head+tables)
}

func TestCommandsInDocuments(t *testing.T) { tested.HasCommandsOf(t, "../../docs/LAB.md") }

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

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

func TestErrorsAreOneSentence(t *testing.T) {
	tested.EndsWithOneSentence(t, `pigeon => there is no command
lab => there is no command "lab"; see
bfs => name a graph
bfs --graph pigeon:9 --quiet --engine cpu => there is no kind
bfs --graph grid2d:4x4 --strategy pigeon => there is no strategy
bfs --graph grid2d:4x4 --sources 0 => it must be from 1 to 1048576
bfs --graph grid2d:4x4 --result colour => choose distance or parent
bfs --graph grid2d:4x4 --engine topdown => choose auto, gpu or cpu
bfs --graph grid2d:4x4 --json --csv => exclude each other
bfs --list --json => --json has no effect with --list
bfs --engine cpu --graph grid2d:2x2 --trace => --trace has no effect with --engine cpu
bfs --engine cpu --graph grid2d:2x2 --strategy merrill-hybrid => --strategy merrill-hybrid has no
color => name a graph
color --graph pigeon:9 --quiet --engine cpu => there is no kind
color --graph grid2d:4x4 --algorithm pigeon => there is no algorithm
color --graph grid2d:4x4 --opt pigeon => is no optimisation
color --graph grid2d:4x4 --runs 0 => it must be from 1 to 1048576
color --graph grid2d:4x4 --engine pigeon => choose auto, gpu or cpu
color --graph grid2d:4x4 --json --csv => exclude each other
color --graph grid2d:2x2 --algorithm serial --opt fuse => --opt has no effect without --algorithm opt or
color --engine cpu --graph grid2d:2x2 --algorithm serial,data => --algorithm data has no effect
pages --updates random: => name a graph
pages --graph grid2d:3x3 => name a file of updates
pages --graph grid2d:3x3 --updates random: --page-bytes 6 => power of two
pages --graph grid2d:3x3 --updates random: --strategy pigeon => there is no strategy
pages --graph grid2d:3x3 --updates random: --sources 0 => it must be from 1 to 1048576
bfs --graph grid2d:4x4 --threads 4294967296 => machine.threads = 4294967296: it must be from 0 to 1024
pages --graph grid2d:3x3 --updates random:size=4294967296 => choose 1 to 16777216 batches
bfs --graph grid2d:4x4 --strategies none => cannot read the strategies: none: no such file or directory: check
pages --graph grid2d:3x3 --updates random:sizes=3 => have no "sizes"
pages --engine cpu --graph grid2d:2x2 --updates random --sources 2 => --sources 2 has no effect
study => needs one STUDY
study nowhere => is not one of busato, chen, enterprise
study busato --engine pigeon => choose auto, gpu or cpu
judge DIR => there is no study in
judge nowhere => there is no study in`,
		`color --graph grid2d:4x4,symmetric=no --engine cpu --quiet => choose an undirected`)
}

func TestOddFilesAreNamed(t *testing.T) {
	const on = " --engine cpu --quiet --graph grid2d:2x2\n"
	tested.NamesOddFiles(t, "bfs --strategies DIR/x"+on+"bfs --times DIR/x"+on+"bfs --list --strategies DIR/x\n"+
		"pages --updates random: --strategies DIR/x"+on+"pages --updates DIR/x"+on+"study DIR/x\njudge DIR => study.json")
}

func TestCommandsEndAtASignal(t *testing.T) {
	clitest.EndsAtASignal(t, map[string][]string{
		"bfs":       {"bfs", "--engine", "cpu", "--graph", "road:2000x2000", "--quiet"},
		"bfs, file": {"bfs", "--engine", "cpu", "--graph", "file:FIFO,format=mtx"},
		"color":     {"color", "--engine", "cpu", "--graph", "road:3000x3000"},
	})
}
