package main

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
)

func TestReportWritesEveryFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "report")
	status, out, errOut := call("report", "../../analysis/collect/testdata/set", "--output", dir, "--title", "All of them")
	if status != success || !strings.Contains(out, "9 runs, 9 files") || !strings.Contains(errOut, "damaged") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	for file, begins := range map[string]string{
		cli.PageFile: "<!DOCTYPE html>", cli.MarkdownFile: "# All of them\n", runsFile: "folder,study,",
		"teps-ranks-strong.svg": "<svg ", "frontier.svg": "<svg ",
	} {
		if text := read(t, filepath.Join(dir, file)); !strings.HasPrefix(text, begins) {
			t.Errorf("%s: begins %.20q, want %q", file, text, begins)
		}
	}
}

func TestReportInTheFolderOfTheRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "few")
	mustCall(t, "run", "--scale", "6", "--keys", "2", "--output", filepath.Join(dir, "a"))
	for range 2 { // the report of the first is not a run
		if status, out, errOut := call("report", dir); status != success || !strings.Contains(out, "1 run, ") {
			t.Errorf("status %d\n%s%s", status, out, errOut)
		}
	}
	text := read(t, filepath.Join(dir, "report", cli.MarkdownFile))
	if !strings.HasPrefix(text, "# Graph500 report: few\n") {
		t.Errorf("%.30q", text)
	}
}

// With --csv the report is the tables of all figures. Studies of the laboratory are no runs.
func TestReportOfEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "csv")
	out := mustCall(t, "report", "../../analysis/collect/testdata/set", "--csv", "--output", dir)
	for _, name := range []string{"all-runs.csv", "all-searches.csv", "all-steps.csv"} {
		path := filepath.Join(dir, name)
		if !strings.HasPrefix(read(t, path), "folder,") || !strings.Contains(out, path+"\n") {
			t.Errorf("no %s in\n%s", name, out)
		}
	}
	studies := "../../results/h100x2/2026-11-26-lab-studies/runs.tar.gz"
	if status, _, errOut := call("report", studies, "--output", dir); status != misuse {
		t.Errorf("status %d: %s", status, errOut)
	}
}
