// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"g500/internal/expect"
)

// rules return one sentence per place of a repository that breaks them.
var rules = map[string]func(repository) (faults []string){
	"imports":    importFaults,
	"includes":   includeFaults,
	"folders":    folderFaults,
	"lengths":    lengthFaults,
	"columns":    columnFaults,
	"parameters": parameterFaults,
	"words":      wordFaults,
	"clock":      clockFaults,
	"threads":    threadFaults,
	"opens":      openFaults,
	"wrappers":   wrapperFaults,
	"goroutines": goroutineFaults,
	"budgets":    budgetFaults,
	"licences":   licenceFaults,
}

// ours reads this repository once for all tests.
var ours = sync.OnceValues(func() (repository, error) { return read(os.DirFS("../..")) })

func TestRules(t *testing.T) {
	files := expect.Value(ours())(t)
	for name, broken := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range broken(files) {
				t.Error(fault)
			}
		})
	}
}

const table = "# Folders\n<!-- imports -->\n| folder | may import |\n|---|---|\n| `a` | nothing |\n| `b` | `a` |\n" +
	"<!-- /imports -->\n"

const includes = "<!-- includes -->\n| folder | may include |\n|---|---|\n" +
	"| `cuda/a` | nothing |\n| `cuda/b` | `cuda/a` |\n<!-- /includes -->\n"

// manyLines are more than any budget.
var manyLines = strings.Repeat("\n", 100_000)

// faults are small trees with one fault, or none, for each rule. TestRules runs it on this repository, without faults.
var faults = []struct {
	rule, name string
	files      map[string]string
	fault      string // the start of the expected sentence
}{
	{"budgets", "what a program imports", map[string]string{
		"a/a.go": "package main\nimport _ \"g500/b\"", "b/b.go": "package b\nimport _ \"g500/c\"",
		"c/c.go": "package c" + manyLines,
	}, "Go of the benchmark"},
	{"budgets", "what only tests import", map[string]string{
		"b/a_test.go": "package b\nimport _ \"g500/c\"", "b/b.go": "package b", "c/c.go": "package c" + manyLines,
	}, "tests of the benchmark"},
	{"budgets", "a program that tests", map[string]string{"internal/a/a.go": "package main" + manyLines}, "tests of"},
	{"budgets", "scripts", map[string]string{"a/testdata/script/a.txtar": manyLines}, "tests of the benchmark"},
	{"budgets", "the laboratory", map[string]string{"lab/a.go": "package main" + manyLines}, "Go of the laboratory"},
	{"budgets", "CUDA", map[string]string{"cuda/a/a.cuh": manyLines}, "CUDA without"},
	{"budgets", "documents", map[string]string{"docs/adr/a.md": manyLines}, "documents without references"},

	{"folders", "not in the files", map[string]string{
		"docs/ARCHITECTURE.md": "\n## Files\n\n`docs` `b`\n", "a/a.go": "package a", "b/b.go": "package b",
	}, "folder a is missing from the files"},

	{"licences", "none in Go", map[string]string{"a/a.go": "package main"}, "a/a.go does not begin with SPDX-"},
	{"licences", "none in a script", map[string]string{"a/a": "#!/bin/sh\n\n# " + licence}, "a/a does not begin with"},

	{"imports", "an import that it does not", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a\nimport \"g500/b\"",
		"b/b.go":               "package b",
	}, "a/a.go uses b"},
	{"imports", "a folder that the table does not have", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"b/b.go":               "package b",
		"c/c.go":               "package c",
	}, "folder c is missing from"},
	{"imports", "a permission that names no folder", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "nothing", "`aa`", 1),
		"a/a.go":               "package a",
		"b/b.go":               "package b",
	}, "row a in docs/ARCHITECTURE.md has aa, which"},

	{"includes", "below a folder", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/cub/block.cuh": "#include \"b/b.cuh\"",
		"cuda/b/b.cuh":         "",
	}, "cuda/a/cub/block.cuh uses cuda/b"},

	{"lengths", "401 lines of Go", map[string]string{
		"a/a.go": "package a" + strings.Repeat("\n", 401),
	}, "a/a.go has 401 lines"},
	{"lengths", "400 lines and the licence", map[string]string{
		"a/a.cu": "// " + licence + "\n\n" + strings.Repeat("\n", 400),
	}, ""},

	{"columns", "120 letters of two bytes and tabs", map[string]string{
		"a/a.go": "package a\n//" + strings.Repeat("\t", 58) + strings.Repeat("\u00e4", 60) + "\n",
	}, ""},
	{"columns", "121 in Go", map[string]string{
		"a/a_test.go": "package a\n//" + strings.Repeat("a", 119),
	}, "a/a_test.go:2 has 121 columns"},
	{"columns", "after that output", map[string]string{
		"a.md": "<!-- sample: a -->\n<!-- /sample -->\n" + strings.Repeat("a", 161),
	}, "a.md:3 has 161 columns"},

	{"parameters", "seven of a method in an interface", map[string]string{
		"a/a.go": "package a\ntype T interface {\nf(a, b, c, d int, e, f, g string)\n}",
	}, "a/a.go:3: a function has 7"},
	{"parameters", "in C above an import", map[string]string{
		"a/a.go": "package a\n\n/*\nint f(int a, int b, int c, int d, int e, int f, int g) { return a; }\n*/\nimport \"C\"",
	}, "a/a.go:4: a function has 7"},
	{"parameters", "a kernel, and no call", map[string]string{
		"a/a.cu": "template <class A, int kB>\n__global__ void __launch_bounds__(256, 4)\nk(const Pair<A, A> &a, int b[2], " +
			"int c, /* d, */ int e, int (*f)(int, int), int g, int h) {\n\tf(a, b[0], c < e, e > 1, 0, g, h, *b, 0);\n}",
	}, "a/a.cu:3: a function has 7"},
	{"parameters", "awk programs and comments", map[string]string{
		"a/a.sh": "awk '\n{ print $7 }' \"$1\" # or $8, isn't it\nf \"${60}\" \\$7\n",
	}, "a/a.sh:3 uses parameter ${60}"},

	{"words", "of several words in a name", map[string]string{
		"gpu/a.go": "package gpu\n\nvar byHubOrder int",
	}, "gpu/a.go:3: instead"},
	{"words", "in the name of a file", map[string]string{"cuda/half_word.cuh": ""}, "cuda/half_word.cuh:0: instead"},

	{"opens", "a pattern by another name", map[string]string{
		"a/a.go": "package a\nimport fp \"path/filepath\"\nfunc f() { fp.Glob(\"\") }",
	}, "a/a.go:3 has path/filepath.Glob"},
	{"clock", "by another name", map[string]string{
		"a/a.go": "package a\nimport clock \"time\"\n\nvar now = clock.Since",
	}, "a/a.go:4 reads the clock"},

	{"threads", "a number of 32 bits", map[string]string{
		"cuda/a/a.cu": "\nconst u32 v = (blockIdx.x * kBlock + threadIdx.x) / 32;",
	}, "cuda/a/a.cu:2: instead of"},
	{"threads", "another width of a warp", map[string]string{"cuda/a/a.cu": "i % warpSize"}, "cuda/a/a.cu:1: instead of"},

	{"wrappers", "an embedded transport", map[string]string{
		"a/a.go": "package a\ntype t struct{ comm.Transport }",
	}, "a/a.go:2 embeds"},
	{"goroutines", "a go statement", map[string]string{"a/a.go": "package a\nfunc f() { go g() }"}, "a/a.go:2 starts"},
	{"goroutines", "a timer", map[string]string{"a/a.go": "package a\nvar t = time.AfterFunc(1, g)"}, "a/a.go:2 starts"},
	{"goroutines", "a group", map[string]string{"a/a.go": "package a\nfunc f() { w.Go(g) }"}, "a/a.go:2 starts"},
}

// Each rule finds the fault planted for it, and no other. Terms have no exemption here.
func TestPlantedFaults(t *testing.T) {
	defer func(old []term) { terms = old }(terms)
	terms = slices.Clone(terms)
	for i := range terms {
		terms[i].left = 0
	}
	for _, c := range faults {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, text := range c.files {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			got := rules[c.rule](expect.Value(read(tree))(t))
			expect.That(t, len(got) == min(len(c.fault), 1) && (len(got) == 0 || strings.HasPrefix(got[0], c.fault)),
				"found %q, want one fault: %q, or none", got, c.fault)
		})
	}
}
