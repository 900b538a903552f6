// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"g500/cmd/cli/clitest"
	"g500/record"
)

// TestScripts runs what operators type: each command, what it prints, its exit status and its files. The scripts have
// these commands in addition to clitest's:
//
//	interrupted FROM TO SEARCHES  copies a run as if it had been interrupted after that many searches; also a program
//	words FILE[@BYTE] NUMBER...   writes 64-bit whole numbers to a file, or into a file from a byte on
//	floats FILE NUMBER...         writes 32-bit numbers to a file
//	gauges FILE                   checks the format of a file for Prometheus
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, folder string) {
	tested.RunScripts(t, folder, documents, map[string]clitest.Command{
		"gauges": gauges,
		"words":  writer(func(x float64) any { return int64(x) }),
		"floats": writer(func(x float64) any { return float32(x) }),
	})
}

// writer returns a command of scripts that writes numbers to a file, or into a file from a byte on.
func writer(typed func(float64) any) clitest.Command {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		name, begin, _ := strings.Cut(args[0], "@")
		at, _ := strconv.ParseInt(begin, 10, 64)
		file, err := os.OpenFile(ts.MkAbs(name), os.O_CREATE|os.O_WRONLY, 0o644)
		ts.Check(err)
		defer file.Close()
		to := io.NewOffsetWriter(file, at)
		for _, arg := range args[1:] {
			x, err := strconv.ParseFloat(arg, 64)
			ts.Check(err)
			ts.Check(binary.Write(to, binary.LittleEndian, typed(x)))
		}
	}
}

// interrupted is a program: interrupted FROM TO SEARCHES.
func interrupted() {
	searches, err := strconv.Atoi(os.Args[3])
	if err = errors.Join(err, copyCut(os.Args[1], os.Args[2], searches)); err != nil {
		panic(err)
	}
}

// copyCut writes a run as if it had been interrupted after that many searches of its first kernel.
func copyCut(from, to string, searches int) error {
	run, err := record.Read(from)
	if err != nil {
		return err
	}
	for i := range run.Kernels {
		k := &run.Kernels[i]
		k.Searches, searches = k.Searches[:min(searches, len(k.Searches))], 0
	}
	run.Failure = record.Interrupted
	var text, lines bytes.Buffer
	err = errors.Join(run.WriteJSON(&text), run.WriteSearches(&lines), os.MkdirAll(to, 0o755))
	return errors.Join(err, os.WriteFile(filepath.Join(to, record.File), text.Bytes(), 0o644),
		os.WriteFile(filepath.Join(to, "searches.jsonl"), lines.Bytes(), 0o644))
}

var (
	gaugeHelp   = regexp.MustCompile(`^# HELP (g500_[a-z0-9_]+) (\S.*\.)$`)
	gaugeLabel  = `[a-z]+="(?:[^"\\]|\\[\\n"])*"`
	gaugeSample = regexp.MustCompile(`^(g500_[a-z0-9_]+)(\{` + gaugeLabel + `(?:,` + gaugeLabel + `)*\})? (\S+)$`)
)

// gauges is a command of scripts: gauges FILE. It parses a file strictly by the text format 0.0.4: each name has one
// HELP line, one TYPE line and then all its samples, no series occurs twice, and the last line ends.
func gauges(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n") {
		ts.Fatalf("an empty or unfinished line")
	}
	seen, known, name := map[string]bool{}, map[string]bool{}, ""
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if help := gaugeHelp.FindStringSubmatch(lines[i]); help != nil {
			name = help[1]
			if i++; known[name] || i == len(lines) || lines[i] != "# TYPE "+name+" gauge" {
				ts.Fatalf("no single type of %s", name)
			}
			known[name] = true
			continue
		}
		sample := gaugeSample.FindStringSubmatch(lines[i])
		if sample == nil || sample[1] != name || seen[sample[1]+sample[2]] {
			ts.Fatalf("%q is no sample of %q, or the second", lines[i], name)
		}
		seen[sample[1]+sample[2]] = true
		_, err := strconv.ParseFloat(sample[3], 64)
		ts.Check(err)
	}
}
