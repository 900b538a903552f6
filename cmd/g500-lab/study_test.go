package main

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/cmd/cli/clitest"
)

// cpuStudy is a study that a machine without a GPU can measure in part.
const cpuStudy = `
paper = "Nobody, 2026"
strategies = ["cpu*", "merrill-hybrid"]
sources = 6

[[graph]]
name = "grid"
spec = "grid2d:9x5"

[[graph]]
name = "kron"
spec = "kron:scale=6"

[[claim]]
says = "The plain engine is not a million times as fast."
place = "table 1"
figure = "rate"
of = "cpu-topdown"
over = "cpu"
published = [1e-6, 1e6]

[[claim]]
says = "The hybrid of the paper is faster."
place = "table 2"
figure = "rate"
of = "merrill-hybrid"
over = "cpu"
graphs = ["grid"]
at_least = 2
`

// A study is measured and resumed; its folder and the parent folder have a report.
func TestLabStudy(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "mine.toml"), filepath.Join(dir, "lab", "mine")
	clitest.Write(t, file, cpuStudy)
	args := []string{"study", file, "--engine", "cpu", "--threads", "1", "--output", folder}
	for _, note := range []string{"", "grid: was measured before"} {
		status, out, errOut := tested.Call(args...)
		for _, want := range []string{"It holds on grid and kron.", "has no verdict (merrill-hybrid was left out, since"} {
			if status != cli.Success || !strings.Contains(out, want) || !strings.Contains(errOut, note) {
				t.Errorf("status %d, no %q or %q in\n%s%s", status, want, note, out, errOut)
			}
		}
	}
	for _, report := range []string{folder, filepath.Dir(folder)} {
		status, out, errOut := tested.Call("judge", report)
		if status != cli.Success || !strings.Contains(out, "1 study, 3 files") {
			t.Errorf("status %d\n%s%s", status, out, errOut)
		}
	}
	for path, want := range map[string]string{"study.md": "| The hybrid of the paper is faster. | table 2 |",
		"report/index.html": "<svg ", "report/report.md": "lab-rates.svg", "report/lab-rates.svg": "on 1 CPU threads"} {
		if !strings.Contains(clitest.Read(t, filepath.Join(folder, path)), want) {
			t.Errorf("%s: no %q", path, want)
		}
	}
	stored := clitest.Read(t, filepath.Join(folder, "study.json"))
	if err := documents.Validator(t, "study").Check([]byte(stored)); err != nil {
		t.Error(err)
	}
	for dir, want := range map[string]string{filepath.Dir(folder): "note: ", t.TempDir(): "there is no study in"} {
		damaged := filepath.Join(dir, "study.json")
		clitest.Write(t, damaged, "{")
		status, out, errOut := tested.Call("judge", dir)
		if ok := want == "note: "; ok != (status == cli.Success) || ok != strings.Contains(out, "1 study") ||
			!strings.Contains(errOut, want) || !strings.Contains(errOut, damaged+" was left out: study: cannot read") {
			t.Errorf("with a damaged study: status %d, no %q in\n%s%s", status, want, out, errOut)
		}
	}
}

// Times of another program, as lab bfs prints them, are rows of searches and of studies.
func TestLabTimes(t *testing.T) {
	dir := t.TempDir()
	args := strings.Fields("bfs --graph grid2d:9x5 --sources 6 --engine cpu --threads 1 --strategy cpu-topdown")
	times := strings.ReplaceAll(tested.MustCall(t, append(args, "--csv")...), "cpu-topdown", "rival")
	clitest.Write(t, filepath.Join(dir, "rival.csv"), times)
	clitest.Write(t, filepath.Join(dir, "own.toml"), "mine = { like = \"cpu-topdown\", count = \"kept\" }\n")
	own := append(args[:len(args)-1:len(args)-1], "cpu-topdown,mine", "--strategies", filepath.Join(dir, "own.toml"),
		"--times", filepath.Join(dir, "rival.csv"))
	out := tested.MustCall(t, own...)
	for _, want := range []string{"results not validated: rival", "sorted by degree: cpu-topdown, mine"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	files := "sources = 6\ntimes = [\"rival.csv\"]\nstrategies_file = \"own.toml\""
	study := strings.NewReplacer("sources = 6", files,
		`of = "cpu-topdown"`, `of = "rival"`, `"merrill-hybrid"]`, `"mine"]`,
		`of = "merrill-hybrid"`, `of = "mine"`).Replace(cpuStudy)
	clitest.Write(t, filepath.Join(dir, "mine.toml"), study)
	out = tested.MustCall(t, "study", filepath.Join(dir, "mine.toml"), "--engine", "cpu", "--threads", "1", "--output",
		filepath.Join(dir, "out"))
	want := "It holds on grid, has no verdict on kron (rival was left out, since its file has no times"
	page := clitest.Read(t, filepath.Join(dir, "out", "study.md"))
	if !strings.Contains(out, want) || !strings.Contains(page, "| mine | ") {
		t.Errorf("no %q, or no row of mine, in\n%s", want, out)
	}
}

func TestLabStudyRefusals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	for _, c := range []struct{ old, new, want string }{
		{"grid2d:9x5", "pigeon:9", "graph grid: "},
		{"at_least = 2", "", "claim 2: give one of"},
	} {
		clitest.Write(t, file, strings.Replace(cpuStudy, c.old, c.new, 1))
		status, _, errOut := tested.Call("study", file, "--engine", "cpu", "--output", t.TempDir())
		if status != cli.WasMisused || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %q", c.new, status, errOut)
		}
	}
}
