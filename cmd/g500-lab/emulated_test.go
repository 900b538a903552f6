// SPDX-License-Identifier: Apache-2.0

//go:build emulated

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/lab/color"
)

// faulty is the plugin of testdata/faulty.cu, which scripts/test-emulated.sh builds.
const faulty = "../../build/emulated/faulty-emulated.so"

// useEmulator uses the built program for --engine emulated.
func useEmulator(t *testing.T) {
	t.Helper()
	self := expect.Value(os.Executable())(t)
	built := expect.Value(filepath.Abs("../../build/emulated/g500-lab-child-emulated"))(t)
	relative := expect.Value(filepath.Rel(filepath.Dir(self), built))(t)
	kept := emulatedProgram.Name
	t.Cleanup(func() { emulatedProgram.Name = kept })
	emulatedProgram.Name = relative
}

// A plugin that is right has a row; one that is wrong, crashes or never ends has a sentence. Other rows stay, also on
// the next graph.
func TestEmulatedPlugin(t *testing.T) {
	useEmulator(t)
	command := "bfs --engine emulated --quiet --sources 3 --graph grid2d:9x5,kron:scale=6 --strategy toedling-queue,cpu " +
		"--plugin " + faulty
	for fault, want := range map[string]string{
		"":               "before the clock starts, nothing  happens : faulty-emulated",
		"crash":          "WRONG: faulty-emulated, its process ended (signal: segmentation fault): run it in a debugger",
		"exit":           "WRONG: faulty-emulated, its process ended (exit status 0)",
		"endless":        "WRONG: faulty-emulated, it did not answer within 1s: mend it, or allow more by --plugin-seconds",
		"endless kernel": "WRONG: faulty-emulated, it did not answer within 1s: ",
		"refusal":        "WRONG: faulty-emulated, it returned -7",
		"old result":     "WRONG: faulty-emulated, source ",
		"wrong distance": "WRONG: faulty-emulated, source ",
		"wrong meaning":  "WRONG: faulty-emulated, source ",
	} {
		t.Setenv("FAULT", fault)
		more := map[string]string{"endless": "--plugin-seconds 1", "endless kernel": "--plugin-seconds 1",
			"old result": "--sources 1"}[fault] // from the source of the first search, which is not timed
		status, out, errOut := tested.Call(strings.Fields(command + " " + more)...)
		if rows := strings.Count(out, want); rows != 2 || (status == 0) != (fault == "") || errOut != "" {
			t.Errorf("%q: status %d, %d graphs with %q, in %s%s", fault, status, rows, want, out, errOut)
		}
		expect.Equal(t, strings.Count(out, " toedling-queue  not timed  "), 2, fault, out)
		expect.Equal(t, strings.Count(out, " cpu "), 2, fault, out)
	}
}

// Files that are no plugins are refused before any search.
func TestEmulatedPluginsAreChecked(t *testing.T) {
	useEmulator(t)
	for path, want := range map[string]string{
		expect.File(t, "text.so", "text"):                   "cannot be used: ",
		expect.File(t, "libcpu.so", expect.Read(t, faulty)): "has the name of a strategy: rename the file",
		filepath.Join(t.TempDir(), "none.so"):               "no such file",
		faulty + "," + faulty:                               "two plugins have the name faulty-emulated: rename the file",
		"/lib/x86_64-linux-gnu/libm.so.6":                   "it has no function g500_plugin_search",
	} {
		status, _, errOut := tested.Call("bfs", "--engine", "emulated", "--graph", "grid2d:4x4", "--quiet", "--plugin", path)
		expect.That(t, status == 2 && strings.Contains(errOut, want), "%s: status %d, %s", path, status, errOut)
	}
}

// The emulated GPU has the counts of each strategy, and no times: a sweep inspects each edge once, and mechanisms ran.
func TestEmulatedCounts(t *testing.T) {
	useEmulator(t)
	out := tested.MustCall(t, strings.Fields("bfs --engine emulated --quiet --json --sources 2 --graph kron:scale=9 "+
		"--strategy toedling-queue,enterprise-hc,toedling-children*:child_from=16,merrill-partitioned,g500")...)
	var report lab.Report
	expect.NoError(t, json.Unmarshal([]byte(out), &report))
	g := report.Graphs[0]
	expect.Equal(t, len(g.Rows), 5)
	expect.Equal(t, g.LeftOut[0].Reason, "it needs a GPU, and a program that is built with CUDA")
	for _, row := range g.Rows {
		name, work := row.Strategy.Name, row.Work
		if row.Seconds != nil || row.Directed != nil || row.TEPS != nil || row.Searches[0].Seconds != 0 || work == nil {
			t.Errorf("%s has a time, or no counts: %+v", name, row)
			continue
		}
		if name == "toedling-queue" {
			expect.Equal(t, work.InspectedShare, 1.0)
		}
		expect.Equal(t, work.Children > 0, strings.HasPrefix(name, "toedling-children"), name, "children")
		expect.Equal(t, work.HitShare > 0, name == "enterprise-hc", name, "hits")
		expect.Equal(t, row.Searches[0].Switched > 0, name == "enterprise-hc", name, "the turn bottom-up")
		expect.Equal(t, len(row.Shares), map[bool]int{true: 2}[name == "merrill-partitioned"], name)
	}
}

// The emulated GPU has counts of each colouring with kernels, valid ones without times; colours of cores keep theirs.
func TestEmulatedColorings(t *testing.T) {
	useEmulator(t)
	out := tested.MustCall(t, strings.Fields("color --engine emulated --quiet --json --runs 2 "+
		"--algorithm serial,gm3,multihash,csrcolor,jp,topology,data,opt,llf,alone,data+keep,topology+coarsen-fit "+
		"--graph kron:scale=8,duplicates=keep,loops=keep,grid2d:9x5")...)
	var report lab.Report
	expect.NoError(t, json.Unmarshal([]byte(out), &report))
	for _, g := range report.Graphs {
		expect.Equal(t, len(g.Rows), 10+len(color.Optimisations), g.Graph)
		expect.Contains(t, g.LeftOut[0].Reason, "the library cuSPARSE")
		for _, row := range g.Rows {
			name, cores, c := row.Strategy.Name, row.Strategy.Name == "serial", row.Coloring
			alone := cores || slices.Contains([]string{"jp", "multihash", "llf"}, name) // of two neighbours one has a colour
			if row.Fault != "" || (row.Seconds == nil) == cores || len(c.Runs) != 2 || (c.Runs[0].Seconds > 0) != cores ||
				c.Colors < 2 || (c.Rounds > 0) == (cores || name == "llf") || (c.Conflicts > 0) == alone ||
				name == "gm3" && c.Rounds != 3 {
				t.Errorf("%s, %s: %+v, %+v", g.Graph, name, row, c)
			}
		}
	}
	dir := t.TempDir()
	tested.MustCall(t, strings.Fields("study chen --size small --engine emulated --quiet --only grid-1000 -o "+dir)...)
	expect.Contains(t, expect.Read(t, filepath.Join(dir, "study.md")), "| data+resolve | not timed |", "| gm3 | 3 |")
	tested.MustCall(t, "judge", dir, "chen")
}

// The emulated GPU changes a graph in pages, follows levels and searches; all is compared with a plain program.
func TestEmulatedPages(t *testing.T) {
	useEmulator(t)
	updates := expect.File(t, "updates", "+ 0 8\n- 0 1\n-v 4\n? 0 8\n+v 4\n+ 4 3\n+ 99 3\n\n+ 1 5\n-v 0\n-v 0\n")
	for _, more := range []string{"grid2d:3x3 --updates " + updates, "kron:scale=7 --updates random:batches=3,size=80"} {
		out := tested.MustCall(t, strings.Fields("pages --engine emulated --quiet --page-bytes 8 --strategy toedling-queue,"+
			"merrill-hybrid,merrill-lookup --graph "+more)...)
		expect.Contains(t, out, " updates not timed; ", "levels updated; ", " merrill-hybrid  not timed  not timed  ",
			"and the graph is directed: merrill-lookup\n")
	}
}

// A study goes on after a plugin that crashes, and ends with status 1. Its claims have figures of counts.
func TestEmulatedStudy(t *testing.T) {
	useEmulator(t)
	dir := t.TempDir()
	t.Setenv("FAULT", "exit")
	status, _, errOut := tested.Call("study", "enterprise", "--size", "small", "--only", "kr0,grid-1000", "--quiet",
		"--engine", "emulated", "--output", dir, "--plugin", faulty)
	expect.Equal(t, status, 1, errOut)
	expect.Contains(t, expect.Read(t, filepath.Join(dir, "study.md")), "| faulty-emulated | wrong | wrong |",
		"| enterprise-hc | not timed | not timed |", "kron:scale=9,edgefactor=16", "grid2d:24x24")
}

const studyOfAPlugin = `
paper = "Doe, 2026"
strategies = ["toedling-queue"]
plugins = ["libMine.so"]
pairs = ["mine"]
graph = [{ name = "grid", spec = "grid2d:9x5" }]
claim = [{ says = "Fast.", place = "table 1", figure = "rate", of = "mine", over = "toedling-queue", at_least = 1 }]
`

// A study's file names a plugin, and a claim its strategy, which is measured twice. The verdicts are found again
// without the plugin's file.
func TestEmulatedStudyOfAPlugin(t *testing.T) {
	useEmulator(t)
	dir := t.TempDir()
	study, output, library := filepath.Join(dir, "mine.toml"), filepath.Join(dir, "out"), filepath.Join(dir, "libMine.so")
	expect.Write(t, library, expect.Read(t, faulty))
	expect.Write(t, study, studyOfAPlugin)
	tested.MustCall(t, "study", study, "--quiet", "--engine", "emulated", "--output", output)
	expect.NoError(t, os.Remove(library))
	tested.MustCall(t, "judge", output, study)
	for _, page := range []string{"study.md", "report/report.md"} {
		expect.Contains(t, expect.Read(t, filepath.Join(output, page)), "| mine | not timed |", "| mine again | not timed |",
			"rate of mine over toedling-queue | at least 1 |", "rate of mine over toedling-queue was not measured")
	}
}
