// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"g500/bench"
	"g500/cmd/cli/clitest"
	"g500/graph/formats"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/policy"
	"g500/record"
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

func TestEmptyValuesAreRefused(t *testing.T) {
	tested.RefusesEmptyValues(t, "report", "submission", "scale")
}

// quick has arguments with which each command ends soon. Other commands take none.
var quick = map[string]string{
	"g500 run":           "--scale 3 --keys 2 --quiet --engine cpu --threads 1",
	"g500 generate":      "--scale 3 --output edges",
	"g500 validate":      "--scale 3 --tree tree --root 1",
	"g500 scale":         "nowhere.toml",
	"g500 report":        "nowhere",
	"g500 submission":    "nowhere",
	"g500 compare":       "nowhere nowhere",
	"g500 net":           "--sizes 8 --repeats 1",
	"g500 doctor":        "--check",
	"g500 schema":        "run-3",
	"g500 graph info":    "grid2d:2x2",
	"g500 graph convert": "grid2d:2x2 graph.mtx",
}

func TestFlagsRefuseOddValues(t *testing.T) { tested.RefusesOddValues(t, quick) }

func TestLostOutputIsAFailure(t *testing.T) {
	tested.FailsIfOutputIsLost(t,
		"", "--help", "help run", "run --help", "--version", "version", "doctor --gpus", "doctor --preset", "doctor --json",
		"graph specs", "graph info grid2d:3x3", "completion bash",
		"run --print-config", "run --scale 3 --quiet", "run --scale 3 --quiet --json", "net --repeats 1 --sizes 8",
	)
}

// A run fails if its output is incomplete, at whatever byte.
func TestRunThatCannotPrintItsResultFails(t *testing.T) {
	for _, mode := range []string{"--quiet=false", "--quiet", "--json"} {
		run := func(left int) (int, *clitest.ShortWriter) {
			w := &clitest.ShortWriter{Left: left}
			return g500([]string{"run", "--scale", "4", mode}, w, new(bytes.Buffer)), w
		}
		status, whole := run(1 << 20)
		if status != success {
			t.Fatalf("%s: status %d\n%s", mode, status, &whole.Text)
		}
		for _, left := range []int{0, 100, 300} {
			if status, w := run(left); status != failure || strings.Contains(w.Text.String(), "\nVALID") {
				t.Errorf("%s, %d bytes: status %d\n%s", mode, left, status, &w.Text)
			}
		}
	}
}

func TestManualPages(t *testing.T) { tested.HasManualPages(t) }

// The help has examples that this program takes; the settings of examples of runs agree.
func TestHelp(t *testing.T) {
	tested.HasHelp(t, func(c *cobra.Command, args []string) error {
		if c.Name() != "run" {
			return nil
		}
		_, err := runSettings(args)
		return err
	})
}

// The manual page of g500 run lists the files of its folder, and no other.
func TestManualPageHasTheFilesOfARun(t *testing.T) {
	dir := t.TempDir() + "/a"
	mustCall(t, "run", "--scale", "5", "--kernel", "both", "--trees", "--output", dir)
	entries := expect.Value(os.ReadDir(dir))(t)
	listed := clitest.FileNames(files["g500 run"])
	for _, entry := range entries {
		if !slices.Contains(listed, entry.Name()) {
			t.Errorf("the page lacks %s", entry.Name())
		}
	}
	expect.Equal(t, len(listed), len(entries), "the page has", listed, "the folder", "files")
}

// A flag in a group of the table is in it, and each row with a flag of its own has a group.
func TestEachSettingHasAGroup(t *testing.T) {
	for _, s := range settings.Table {
		if slices.Contains(settings.Groups, s.Group) == (s.Within != "") {
			t.Errorf("%s has the group %q", s.Key, s.Group)
		}
	}
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
			if !strings.Contains(out, line+"\n") {
				t.Errorf("%s: no line %s in\n%s", args, line, out)
			}
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

// If a setting has a list of values, the shell offers exactly these.
func TestCompletionOffersTheValuesOfSettings(t *testing.T) {
	for _, s := range settings.Table {
		if s.Values == nil || s.Within != "" {
			continue
		}
		expect.Equal(t, completions(t, "run", "--"+s.Flag, ""), s.Values, "--", s.Flag, "the shell offers")
	}
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
		if len(offered) != want.n || !slices.Contains(offered, want.word) {
			t.Errorf("%s: %q", args, offered)
		}
	}
}

func TestGraphSpecs(t *testing.T) {
	status, out, _ := call("graph", "specs")
	if status != success {
		t.Fatal(out)
	}
	for _, k := range formats.Kinds() {
		for _, want := range []string{"\n" + k.Form + "\n", k.Help} {
			expect.Contains(t, "\n"+out, want)
		}
		for _, p := range append(k.Params, formats.Common()...) {
			if !strings.Contains(out, p.Key+"=") && !strings.Contains(out, p.Key+" ") || !strings.Contains(out, p.Range) {
				t.Errorf("nothing of %s", p.Key)
			}
		}
	}
}

// The slowest kernel comes first; the columns are launches, total milliseconds, microseconds per launch. Without times
// there is no table.
func TestPrintKernels(t *testing.T) {
	var out strings.Builder
	err := printKernels(&out, bench.Backend{KernelTimes: func() []bench.KernelTime {
		return []bench.KernelTime{{Name: "quick_kernel", Launches: 2, Seconds: 3e-6},
			{Name: "slow<u32>", Launches: 65, Seconds: 0.13}}
	}})
	want := []string{"launches total ms mean us kernel", "65 130.000 2000.0 slow<u32>", "2 0.003 1.5 quick_kernel"}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if err != nil || len(lines) != len(want) {
		t.Fatalf("error %v, lines %q", err, lines)
	}
	for i, line := range lines {
		expect.Equal(t, strings.Join(strings.Fields(line), " "), want[i], "line", i)
	}
	out.Reset()
	for _, backend := range []bench.Backend{{}, {KernelTimes: func() []bench.KernelTime { return nil }}} {
		if err := printKernels(&out, backend); err != nil || out.Len() > 0 {
			t.Errorf("without times: error %v, output %q", err, out.String())
		}
	}
}

// Skipped validation is no excuse for a run that ends early or is wrong.
func TestReferenceAcceptsOnlyTheSkipped(t *testing.T) {
	for _, skip := range []bool{false, true} {
		ref := &referenceMode{skipValidation: skip}
		for status, want := range map[record.Status]bool{record.Valid: true, record.Unvalidated: skip, record.Invalid: false,
			record.Incomplete: false, record.Inconsistent: false} {
			if ref.accepts(status) != want {
				t.Errorf("validation skipped %v: %s is accepted, or VALID is not", skip, status)
			}
		}
	}
}
