// SPDX-License-Identifier: Apache-2.0

//go:build browser

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/internal/browsertest"
	"g500/internal/expect"
	"g500/results"
)

// The page of a report of 301 runs or more works. The log has its processor time.
func TestManyRuns(t *testing.T) {
	dir := results.Unpack(t, "../../results", "*/*")
	for _, machine := range []string{"h200x2", "xeon-32core", "h200"} {
		expect.NoError(t, os.CopyFS(filepath.Join(dir, "again", machine), os.DirFS(filepath.Join(dir, machine))))
	}
	report, runs := exec.Command("g500", "report", dir), 0
	out, err := report.Output()
	_, counted, _ := strings.Cut(string(out), ": ")
	_, err2 := fmt.Sscan(counted, &runs)
	expect.Must(t, err == nil && err2 == nil && runs >= 301, "%v %v: %d runs in %q", err, err2, runs, out)
	t.Logf("%d runs: %v of processor time", runs, report.ProcessState.UserTime()+report.ProcessState.SystemTime())
	browsertest.Start(t).IsLegible(filepath.Join(dir, "report", cli.PageFile), browsertest.View{Width: 1280})
}

// Small reports, as the program makes them, are pages that work: the script reaches its end, everything is legible, and
// the first lines have what the runs are.
func TestSmallPages(t *testing.T) {
	dir := t.TempDir()
	study, weak, zeros := filepath.Join(dir, "s.toml"), filepath.Join(dir, "w.toml"), filepath.Join(dir, "zeros")
	expect.Write(t, study, "scaling = \"strong\"\nscales = [6]\nranks = [1, 2]\nflags = [\"--keys\", \"4\"]\n"+
		"kernels = [\"bfs\", \"sssp\"]\n")
	expect.Write(t, weak, "scaling = \"weak\"\nscales = [6]\nranks = [1, 2, 4]\nflags = [\"--keys\", \"4\"]\n")
	expect.Write(t, zeros, make([]byte, 8*512))
	run := func(want int, out string, args ...string) {
		args = append([]string{"run", "--threads", "1", "--output", filepath.Join(dir, out)}, args...)
		status, said, errOut := call(args...)
		expect.Must(t, status == want, "%q: %s%s", args, said, errOut)
	}
	run(success, "untraced/a", "--scale", "8")
	run(failure, "invalid/a", "--scale", "7", "--validate=false")
	run(failure, "invalid/b", "--edges", zeros+",format=u64", "--scale", "4")
	run(success, "paths/a", "--scale", "8", "--kernel", "sssp")
	run(success, "other/a", "--graph", "road:9x9,weights=uniform", "--kernel", "both", "--trace")
	scale := exec.Command("g500", "scale", study, "--output", filepath.Join(dir, "study"))
	part := exec.Command("g500", "scale", weak, "--only", "1,2", "--output", filepath.Join(dir, "weak"))
	expect.NoError(t, errors.Join(scale.Run(), part.Run(),
		copyCut(filepath.Join(dir, "untraced", "a"), filepath.Join(dir, "unfinished", "a"), 3)))
	b := browsertest.Start(t)
	for name, lead := range map[string]string{
		"untraced":   "1 run of the Graph500 breadth-first search, all valid, on 1 kind of machine, ",
		"invalid":    "2 runs of the Graph500 breadth-first search, 0 valid, ",
		"paths":      "1 run of the Graph500 shortest paths, all valid, on ",
		"other":      "1 run of breadth-first search and shortest paths on other graphs than the official one, all valid",
		"unfinished": "1 run of the Graph500 breadth-first search, 0 valid, ",
		"weak":       "2 runs of the Graph500 breadth-first search, all valid, on 1 kind",
		"study":      "4 runs of the Graph500 breadth-first search and shortest paths, all valid, on 1 kind",
	} {
		mustCall(t, "report", filepath.Join(dir, name))
		b.IsLegible(filepath.Join(dir, name, "report", cli.PageFile), browsertest.View{Width: 420},
			browsertest.View{Width: 1280, Dark: true}, browsertest.View{Width: 1280, NoScript: true})
		got := b.String(`document.querySelector(".lead").textContent`)
		expect.That(t, strings.HasPrefix(got, lead), "%s: the page begins %q, want %q", name, got, lead)
		b.Open(filepath.Join(dir, name, "report", cli.PageFile), browsertest.View{Width: 1280})
		empty := b.String(`String([...document.querySelectorAll(".explore")].filter((e) =>
			!e.querySelector("tbody tr")).length)`)
		expect.That(t, empty == "0", "%s: %s kernels show no run", name, empty)
		efficiency := b.String(`[...document.querySelectorAll("#bfs-efficiency, #sssp-efficiency, #sssp-rate-ranks")]
			.map((e) => e.querySelectorAll("svg [aria-label=dot] path, svg [aria-label=dot] circle").length).join()`)
		want := map[string]string{"study": "2,2,2", "weak": "2"}[name]
		expect.That(t, efficiency == want, "%s: figures over ranks have %s points, want %q", name, efficiency, want)
		caption := b.String(`document.querySelector("#bfs-efficiency figcaption")?.textContent ?? ""`)
		expect.That(t, name != "weak" || strings.HasSuffix(caption, " Missing: 4 ranks at scale 8: not run yet."),
			"%s: the caption does not name the missing size: %q", name, caption)
		faulty := strings.Contains(lead, " 0 valid")
		banner := b.String(`String(!!document.querySelector("header .banner li"))`)
		expect.That(t, banner == fmt.Sprint(faulty), "%s: there is a banner of runs that do not count: %s", name, banner)
		cut := b.String(`[...document.querySelectorAll(".banner, #sources .texts")].filter((e) => !e.clientHeight ||
			e.scrollWidth > e.clientWidth || e.clientWidth < 1000).map((e) => e.className).join()`)
		expect.That(t, cut == "", "%s: reasons are cut or narrow: %s", name, cut)
	}
}
