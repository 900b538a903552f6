// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"g500/bench"
	"g500/cmd/cli/clitest"
	"g500/graph/formats"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/policy"
	"g500/record"
	"g500/results"
	"g500/settings"
)

// TestMain runs the tests or, in a process that was started as such, a program.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_QUIET")); err == nil {
		quiet = d
	}
	if filepath.Base(os.Args[0]) != "g500" || os.Getenv(clitest.AnyMachine) != "" {
		causesOfLowRate = func(machine.Load) []machine.Diagnosis { return nil }
	}
	programs := map[string]func(){"g500": main, "interrupted": interrupted}
	for name := range referencePrograms {
		programs[name] = main
	}
	clitest.Main(m, programs)
}

// tested is this program.
var tested = clitest.Program{New: thisProgram}

// call runs one command in this process; mustCall ends the test if it fails, and returns the output.
var call, mustCall, read = tested.Call, tested.MustCall, expect.Read

// quick has arguments with which each command ends soon. Other commands take none.
var quick = map[string]string{
	"g500 run":           "--scale 3 --keys 2 --quiet --engine cpu --threads 1",
	"g500 generate":      "--scale 3 --output edges",
	"g500 validate":      "--scale 3 --tree tree --root 1",
	"g500 scale":         "nowhere.toml",
	"g500 report":        "nowhere",
	"g500 model":         "nowhere",
	"g500 submission":    "nowhere",
	"g500 compare":       "nowhere nowhere",
	"g500 net":           "--sizes 8 --repeats 1",
	"g500 doctor":        "--check",
	"g500 schema":        "run-3",
	"g500 graph info":    "grid2d:2x2",
	"g500 graph convert": "grid2d:2x2 graph.mtx",
}

func TestFlagsRefuseOddValues(t *testing.T) {
	tested.RefusesOddValues(t, quick, "report", "submission", "scale")
}

func TestLostOutputIsAFailure(t *testing.T) {
	tested.FailsIfOutputIsLost(t,
		"", "--help", "help run", "run --help", "--version", "version", "doctor --gpus", "doctor --preset", "doctor --json",
		"graph specs", "graph info grid2d:3x3", "completion bash",
		"run --print-config", "run --scale 3 --quiet", "run --scale 3 --quiet --json", "net --repeats 1 --sizes 8",
	)
}

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

// The help has examples that this program takes; the settings of examples of runs agree.
func TestHelp(t *testing.T) {
	tested.HasHelp(t, func(c *cobra.Command, args []string) error {
		if c.Name() != "run" {
			return nil
		}
		return expect.Err(runSettings(args))
	})
}

// The manual page of g500 run lists the files of its folder, and no other.
func TestManualPageHasTheFilesOfARun(t *testing.T) {
	dir := t.TempDir() + "/a"
	mustCall(t, "run", "--scale", "5", "--kernel", "both", "--trees", "--output", dir)
	entries := expect.Value(os.ReadDir(dir))(t)
	var listed []string
	for _, f := range thisProgram().Commands["g500 run"].Files {
		listed = append(listed, filepath.Base(f.Name))
	}
	for _, entry := range entries {
		expect.That(t, slices.Contains(listed, entry.Name()), "the page lacks %s", entry.Name())
	}
	expect.Equal(t, len(listed), len(entries), "the page has", listed, "the folder", "files")
}

// Flags override the file: without a time --power has the one of the file, and --edges its format.
func TestFlagsOfTwoSettings(t *testing.T) {
	file := t.TempDir() + "/a.toml"
	expect.Write(t, file, "[graph]\nformat = \"u64\"\n[search]\npower_seconds = 60\n")
	for args, want := range map[string][]string{
		"--edges a --power":                     {`edges = "a"`, `format = "u64"`, "power = true", "power_seconds = 60"},
		"--edges a,b,format=packed --power=30s": {`edges = "a,b"`, `format = "packed"`, "power = true", "power_seconds = 30"},
		"--power=false":                         {"power = false", "power_seconds = 60"},
	} {
		out := mustCall(t, append([]string{"run", "--print-config", "--config", file}, strings.Fields(args)...)...)
		for _, line := range want {
			expect.Contains(t, out, line+"\n")
		}
	}
}

// completions returns the words that the shell offers after args.
func completions(t *testing.T, args ...string) (words []string) {
	t.Helper()
	out := mustCall(t, append([]string{cobra.ShellCompRequestCmd}, args...)...)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if word, _, _ := strings.Cut(line, "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

func TestCompletionOfNames(t *testing.T) {
	for args, want := range map[string]struct {
		n    int
		word string
	}{
		"run --config": {len(presets()), "tiny"}, "run --policy": {len(policy.Keys()), "few_edges="},
		"graph info": {len(formats.Kinds()), "kron:"}, "graph convert": {len(formats.Kinds()), "kron:"},
	} {
		offered := completions(t, append(strings.Fields(args), "")...)
		expect.That(t, len(offered) == want.n && slices.Contains(offered, want.word), "%s: %q", args, offered)
	}
}

func TestGraphSpecs(t *testing.T) {
	out := mustCall(t, "graph", "specs")
	for _, k := range formats.Kinds() {
		expect.Contains(t, "\n"+out, "\n"+k.Form+"\n", k.Help)
		for _, p := range append(k.Params, formats.Common()...) {
			expect.That(t, strings.Contains(out, p.Key+"=") || strings.Contains(out, p.Key+" "), "nothing of %s", p.Key)
			expect.Contains(t, out, p.Range)
		}
	}
}

// The slowest kernel comes first; the columns are launches, total milliseconds, microseconds per launch. Without times
// there is no table.
func TestPrintKernels(t *testing.T) {
	var out strings.Builder
	expect.NoError(t, printKernels(&out, bench.Backend{KernelTimes: func() []bench.KernelTime {
		return []bench.KernelTime{{Name: "quick_kernel", Launches: 2, Seconds: 3e-6},
			{Name: "slow<u32>", Launches: 65, Seconds: 0.13}}
	}}))
	want := "launches total ms mean us kernel 65 130.000 2000.0 slow<u32> 2 0.003 1.5 quick_kernel"
	expect.Equal(t, strings.Join(strings.Fields(out.String()), " "), want)
	out.Reset()
	for _, backend := range []bench.Backend{{}, {KernelTimes: func() []bench.KernelTime { return nil }}} {
		err := printKernels(&out, backend)
		expect.That(t, err == nil && out.Len() == 0, "without times: error %v, output %q", err, out.String())
	}
}

// Skipped validation is no excuse for a run that ends early or is wrong.
func TestReferenceAcceptsOnlyTheSkipped(t *testing.T) {
	for _, skip := range []bool{false, true} {
		ref := &referenceMode{skipValidation: skip}
		for status, want := range map[record.Status]bool{record.Valid: true, record.Unvalidated: skip, record.Invalid: false,
			record.Incomplete: false, record.Inconsistent: false} {
			expect.Equal(t, ref.accepts(status), want, skip, status)
		}
	}
}

const flagsHead = "# Flags\n\nGenerated from the program by `make golden`. Flags of `g500 run` override the TOML " +
	"file that `--config` names; the file overrides the\ndefaults. `g500 COMMAND --help`, `g500 run --help-all` for " +
	"experts, and the\nmanual pages print the same help.\n"

// docs/FLAGS.md lists every flag of every command, with its help and default, and each setting of files with its flag.
func TestFlagsAreDocumented(t *testing.T) { expect.Golden(t, "../../docs/FLAGS.md", flagsText(t)) }

func flagsText(t *testing.T) string {
	return flagsHead + tested.FlagTables(t, func(c *cobra.Command, f *pflag.Flag) (setting string, has bool) {
		return settingOf(f), c.Name() == "run"
	})
}

// settingOf returns the keys of the settings that a flag of "g500 run" overrides, "" if it overrides none.
func settingOf(f *pflag.Flag) string {
	var keys []string
	for _, s := range settings.Table {
		if s.Flag == f.Name || s.Within != "" && settings.Of(s.Within).Flag == f.Name {
			keys = append(keys, strings.Replace(s.Key, "policy", "policy.KEY", 1))
		}
	}
	return strings.Join(keys, "`, `")
}

// A row of the table is all that a new setting needs: a flag with help, values that are checked and that the shell
// offers, engines, documents, and the agreement of ranks. This one has the place of machine.emulate_nodes.
func TestNewSettingNeedsOnlyARow(t *testing.T) {
	row := settings.Row("search.toys", 0, settings.Setting{
		Field: func(c *settings.Config) any { return &c.Machine.EmulateNodes },
		Help:  "search with this many toys: {values}", Values: []string{"0", "2"}, Engines: []string{"gpu"}, Official: true,
	})
	expect.Set(t, &settings.Table, append(slices.Clone(settings.Table), row))
	const documented = "| `--toys` | `0` | search with this many toys: 0 or 2; 0 for a submission | `search.toys` |\n"
	expect.Contains(t, flagsText(t), documented)
	expect.Equal(t, completions(t, "run", "--toys", ""), []string{"0", "2"}, "the shell offers")
	expect.Contains(t, mustCall(t, "run", "--toys", "2", "--print-config"), "emulate_nodes = 2")
	for args, want := range map[string]string{
		"--toys 3": "search.toys = 3: it must be 0 or 2", "--toy 2": "did you mean --toys?",
		"--toys 2 --ranks 2 --engine cpu": "--toys=2 is for engine gpu, and this run has engine cpu",
	} {
		status, _, errOut := call(append(strings.Fields("run --scale 4"), strings.Fields(args)...)...)
		expect.That(t, status == misuse && strings.Contains(errOut, want), "%s: status %d, %s", args, status, errOut)
	}
	all := declaredSettings(settings.Default())
	expect.That(t, all[len(all)-1].Name == "search.toys", "ranks agree on %v", all)
}

// notHere are words of examples that need GPUs, traces of runs on several nodes, or a machine without other load.
var notHere = []string{"gpu1", "--engine gpu", "--min-gpus", "--links", "net --check"}

// smaller makes the graphs of examples smaller. Their launchers are left out.
var smaller = strings.NewReplacer("-s 20", "-s 10", "-s 22", "-s 10", "--scale 18", "--scale 10", "1000x1000", "9x9",
	"=1000000", "=1000", "scale=16", "scale=8")

// The examples in the help of all commands succeed, in a folder with the files that they name.
func TestExamplesRun(t *testing.T) {
	traced := results.Unpack(t, "../../results", "h200x2/2026-11-26-4c3e53d")
	t.Chdir(t.TempDir())
	filesOfExamples(t, traced)
	commands := thisProgram().Commands
	for _, command := range slices.Sorted(maps.Keys(commands)) {
		for line := range strings.SplitSeq(commands[command].Examples, "\n") {
			in := func(words string) bool { return strings.Contains(line, words) }
			if !strings.HasPrefix(line, "#") && !slices.ContainsFunc(notHere, in) {
				runExample(t, smaller.Replace(line))
			}
		}
	}
}

// runExample runs a command line of g500, which must succeed.
func runExample(t *testing.T, line string) {
	t.Helper()
	_, rest, _ := strings.Cut(line, "g500 ")
	args := strings.Fields(rest)
	if args[0] == "scale" { // it starts this program again
		out, err := exec.Command("g500", args...).CombinedOutput()
		expect.That(t, err == nil, "%s: %v\n%s", line, err, out)
	} else if status, _, errOut := call(args...); status != success {
		t.Errorf("%s: status %d\n%s", line, status, errOut)
	}
}

// filesOfExamples makes the files that examples read. traced has traced runs of GPUs.
func filesOfExamples(t *testing.T, traced string) {
	t.Helper()
	expect.Write(t, "zero", "0\n")
	expect.Write(t, "results.csv", "root,tree,seconds\n458,runs/ten/trees/0.i64,1e-6\n")
	study := "scaling = \"strong\"\nscales = [6]\nranks = [1, 2]\nflags = [\"--keys\", \"4\"]\n"
	expect.Write(t, "study.toml", study)
	expect.NoError(t, os.MkdirAll("configs/studies", 0o777))
	expect.Write(t, "configs/studies/laptop.toml", study)
	for _, line := range []string{
		"graph convert grid2d:9x9 graph.mtx.gz", "graph convert grid2d:9x9 graph.mtx", "graph convert grid2d:9x9 graph.txt",
		"graph convert road:9x9 road.mtx.gz", "graph convert road:9x9 road.mtx",
		"run --graph file:road.mtx --roots zero --trees --output road", "run --scale 8 --output runs/before",
		"run --scale 10 --kernel both --trees --output runs/ten", "run --scale 8 --kernel sssp --output runs/unpruned",
		"run --scale 8 --kernel sssp --prune hub --output runs/pruned",
	} {
		runExample(t, "g500 "+line)
	}
	expect.NoError(t, errors.Join(os.CopyFS("runs/traced", os.DirFS(traced)),
		os.CopyFS("runs/after", os.DirFS("runs/before")), os.Rename("road/trees/0.i64", "road.i64"),
		exec.Command("tar", "-czf", "first.tar.gz", "runs/before").Run()))
}
