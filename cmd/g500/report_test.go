package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportWritesEveryFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "report")
	status, out, errOut := call("report", "../../analysis/collect/testdata/set", "--output", dir, "--title", "All of them")
	if status != success || !strings.Contains(out, "9 runs, 25 files") || !strings.Contains(errOut, "damaged") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	for file, begins := range map[string]string{
		pageFile: "<!DOCTYPE html>", markdownFile: "# All of them\n", runsFile: "folder,study,",
		"teps-ranks-strong.svg": "<svg ", "teps-ranks-weak.png": "\x89PNG",
		"searches-nvidia-h200-gpu.svg": "<svg ", "frontier.png": "\x89PNG",
		"levels-nvidia-h200-gpu-scale28-ranks4.svg": "<svg ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s: %v, begins %.20q, want %q", file, err, text, begins)
		}
	}
}

func TestReportBesideTheRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "few")
	status, _, errOut := call("run", "--scale", "6", "--keys", "2", "--output", filepath.Join(dir, "a"))
	if status != success {
		t.Fatal(errOut)
	}
	for range 2 { // the second finds no more runs than the first
		if status, out, errOut := call("report", dir); status != success || !strings.Contains(out, "1 run, ") {
			t.Errorf("status %d\n%s%s", status, out, errOut)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "report", markdownFile))
	if err != nil || !strings.HasPrefix(string(text), "# g500: few\n") {
		t.Errorf("%v, %.30q", err, text)
	}
}

func TestReportMisuse(t *testing.T) {
	for want, args := range map[string][]string{
		"g500 report needs one DIR": {"report"},
		"there is no run":           {"report", t.TempDir()},
		"cannot look for runs":      {"report", "nowhere"},
	} {
		if status, out, errOut := call(args...); status != misuse || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, output %q, error %q; want %q", args, status, out, errOut, want)
		}
	}
}
