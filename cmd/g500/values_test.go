package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"g500/internal/infile"
)

// Every flag refuses an empty value, which the shell passes if a command substitution fails.
func TestEmptyValuesAreRefused(t *testing.T) {
	found := 0
	for _, c := range commandsOf(rootCommand()) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			found++
			args := strings.Fields(c.CommandPath())[1:]
			if strings.Contains(c.Use, " DIR") || strings.Contains(c.Use, " SPEC") || strings.Contains(c.Use, " STUDY") {
				args = append(args, "nowhere")
			}
			status, out, errOut := call(append(args, "--"+f.Name, "")...)
			if status != misuse || !strings.Contains(errOut, "--"+f.Name) || strings.Count(errOut, "\n") != 1 || out != "" {
				t.Errorf("%s --%s \"\": status %d\n%s%s", c.CommandPath(), f.Name, status, out, errOut)
			}
		})
	}
	if found < 50 {
		t.Errorf("only %d flags found", found)
	}
	for _, command := range []string{"report", "submission", "scale"} {
		if status, _, errOut := call(command, ""); status != misuse || !strings.Contains(errOut, "empty argument") {
			t.Errorf("%s \"\": status %d: %s", command, status, errOut)
		}
	}
}

func TestWholeNumbersAreDecimal(t *testing.T) {
	status, out, errOut := call("run", "--scale", "010", "--edgefactor", "016", "--keys", "02")
	if status != success || !strings.Contains(out, "SCALE:                          10\n") ||
		!strings.Contains(out, "edgefactor:                     16\n") || !strings.Contains(out, "n = 2") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	for _, number := range []string{"0x10", "0b1", "1_0", "1e1", "ten", "99999999999999999999"} {
		status, _, errOut := call("run", "--scale", number)
		if status != misuse || !strings.Contains(errOut, "a whole number is needed") {
			t.Errorf("--scale %s: status %d: %s", number, status, errOut)
		}
	}
}

// oddValues are values that most flags refuse.
var oddValues = []string{"-1", "0", "9223372036854775807", "4294967296", "NaN", "", "word", "1e400", "0x10", " 5",
	"\x1b"}

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
	"g500 lab bfs":       "--graph grid2d:2x2 --engine cpu --quiet --sources 1 --strategy cpu",
	"g500 lab color":     "--graph grid2d:2x2 --engine cpu --quiet --runs 1 --algorithm serial",
	"g500 lab pages":     "--graph grid2d:2x2 --engine cpu --quiet --updates random:size=3",
	"g500 lab study":     "nowhere",
}

// Every flag of every command takes an odd value, or refuses it by one sentence.
func TestFlagsRefuseOddValues(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range commandsOf(rootCommand()) {
		args := append(strings.Fields(c.CommandPath())[1:], strings.Fields(quick[c.CommandPath()])...)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			number := !slices.Contains([]string{"string", "stringSlice", "A,B", "KEY=VALUE", "bool"}, f.Value.Type())
			for _, value := range oddValues {
				if f.Name == "validate" && value == "0" {
					continue // such a run prints its block and ends with failure
				}
				status, out, errOut := calledIn(t, append(args, "--"+f.Name+"="+value)...)
				errOut = startLines.ReplaceAllString(errOut, "")
				sentence := strings.Count(errOut, "\n") == 1 && !wordsOfGo.MatchString(errOut) &&
					infile.IsClean(strings.TrimSpace(errOut))
				never := (number || f.Value.Type() == "bool") && slices.Contains([]string{"NaN", "", "word", "1e400"}, value)
				if status != success && (!sentence || out != "") || status != misuse && never {
					t.Errorf("%s --%s=%q: status %d, %q %q", c.CommandPath(), f.Name, value, status, out, errOut)
				}
			}
			if words := choices[c.Name()+" "+f.Name]; words != nil {
				status, _, errOut := call(append(args, "--"+f.Name+"=pigeon")...)
				if status != misuse || !strings.Contains(errOut, "or "+words[len(words)-1]) {
					t.Errorf("%s --%s=pigeon: status %d, %s", c.CommandPath(), f.Name, status, errOut)
				}
			}
		})
	}
}
