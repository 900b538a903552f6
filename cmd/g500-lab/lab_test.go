package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/cmd/cli/clitest"
)

func TestLabPages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "updates")
	clitest.Write(t, file, "+ 0 8\n+ 0 1\n? 0 8\n\n- 0 8\n? 0 8\n")
	args := []string{"pages", "--graph", "grid2d:3x3", "--updates"}
	status, out, errOut := tested.Call(append(args, file)...)
	for _, want := range []string{"batch 1: 6 updates in ", "2 edges inserted", "2 queries found, 0 not",
		"batch 2: 4 updates in ", "0 edges inserted, 2 deleted", "0 queries found, 2 not", "it needs a GPU"} {
		if status != cli.Success || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in\n%s%s", status, want, out, errOut)
		}
	}
	args = append(args, "random:batches=3,size=40,deletions=0", "--page-bytes", "8")
	if status, out, _ := tested.Call(args...); status != cli.Success || strings.Count(out, "\n") != 6 {
		t.Errorf("status %d\n%s", status, out)
	}
	status, _, errOut = tested.Call(append(args, "--spare-pages", "2")...)
	if status == cli.Success || !strings.Contains(errOut, "batch 1: out of pages") {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// docs/LAB.md has the output of lab bfs and lab pages on a CPU.
func TestLabDocument(t *testing.T) {
	blanks := regexp.MustCompile(` +`)
	mask := func(s string) string {
		s = clitest.Figure.ReplaceAllString(s, "#")
		return blanks.ReplaceAllString(strings.NewReplacer("# M", "#", "# k", "#", "# G", "#").Replace(s), " ")
	}
	for _, command := range []string{
		"bfs --graph kron:scale=12,duplicates=keep --strategy cpu*,cpu-topdown:count=kept --sources 8 --threads 1 " +
			"--engine cpu",
		"pages --graph kron:scale=12,duplicates=drop --updates random:batches=2,size=1000 --engine cpu",
	} {
		out := tested.MustCall(t, strings.Fields(command)...)
		sample := "<!-- sample: g500-lab " + command + " -->\n"
		clitest.Keep(t, "../../docs/LAB.md", sample, "<!-- /sample -->", "```\n"+out+"```\n", mask)
	}
}

// Without a GPU only cores search and colour, and the output names what was left out. A graph in pages has no duplicate
// edges; updates of a directed graph are made in one direction.
func TestOutputsWithoutGPU(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.toml")
	clitest.Write(t, own, "mine = { like = \"merrill-hybrid\", cull = \"none\" }\n")
	const on, cut = " --quiet --engine cpu --threads 2 --graph ", "--updates random:batches=1,size=9"
	for args, wants := range map[string][]string{
		"bfs --sources 5" + on + "kron:scale=8,grid2d:9x5": {"152 directed edges", "left out, since it needs a GPU"},
		"color --runs 3" + on + "kron:scale=8,grid2d:9x5":  {"serial", "jp", "multihash"},
		"color --runs 3 --csv" + on + "grid2d:9x5":         {",3,", "\"left out: it needs a GPU"},
		"bfs --list":                     {"merrill-hybrid  ", "cpu-topdown"},
		"bfs --list --strategies " + own: {"mine "},
		"pages " + cut + on + "kron:scale=6,duplicates=keep":     {"choose duplicates=drop"},
		"pages --json " + cut + on + "kron:scale=6,symmetric=no": {`"updates": 9`, `"edges_inserted": `},
	} {
		_, out, errOut := tested.Call(strings.Fields(args)...)
		for _, want := range wants {
			if !strings.Contains(out+errOut, want) {
				t.Errorf("%s: no %q in\n%s%s", args, want, out, errOut)
			}
		}
	}
}
