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
	"comments":   commentFaults,
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

// planted is a small tree with one fault; without a fault if fault is "".
type planted struct {
	rule, name string
	files      map[string]string
	fault      string // the start of the expected sentence
}

const table = "# Folders\n<!-- imports -->\n| folder | may import |\n|---|---|\n| `a` | nothing |\n| `b` | `a` |\n" +
	"<!-- /imports -->\n"

const includes = "<!-- includes -->\n| folder | may include |\n|---|---|\n" +
	"| `cuda/a` | nothing |\n| `cuda/b` | `cuda/a` |\n<!-- /includes -->\n"

const readsClock = "import \"time\"\nvar t = time.Now()"

// manyLines are more than any budget.
var manyLines = strings.Repeat("\n", 100_000)

// faults are for each rule what it must find. What it must not find is in this repository, on which TestRules runs it.
var faults = []planted{
	{"budgets", "Go", map[string]string{"a/a.go": "package main" + manyLines}, "Go of the benchmark: 100000 lines"},
	{"budgets", "what a program imports", map[string]string{
		"a/a.go": "package main\nimport _ \"g500/b\"", "b/b.go": "package b\nimport _ \"g500/c\"",
		"c/c.go": "package c" + manyLines,
	}, "Go of the benchmark"},
	{"budgets", "what only tests import", map[string]string{
		"b/a_test.go": "package b\nimport _ \"g500/c\"", "b/b.go": "package b", "c/c.go": "package c" + manyLines,
	}, "tests of the benchmark"},
	{"budgets", "a program that tests", map[string]string{"internal/a/a.go": "package main" + manyLines}, "tests of"},
	{"budgets", "tests", map[string]string{"a/a_test.go": "package a" + manyLines}, "tests of the benchmark"},
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
	}, "a/a.go imports b"},
	{"imports", "a folder in a folder that may be imported", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "| `b`", "| `a/c` | nothing |\n| `b`", 1),
		"a/a.go":               "package a",
		"a/c/c.go":             "package c",
		"b/b.go":               "package b\nimport \"g500/a/c\"",
	}, "b/b.go imports a/c"},
	{"imports", "a folder that the table does not have", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"b/b.go":               "package b",
		"c/c.go":               "package c",
	}, "folder c is missing from"},
	{"imports", "a permission that names no folder", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "nothing", "aa", 1),
		"a/a.go":               "package a",
		"b/b.go":               "package b",
	}, "folder a may import aa"},

	{"imports", "two rows", map[string]string{"docs/ARCHITECTURE.md": strings.Replace(table, "`b`", "`a`", 1)},
		"docs/ARCHITECTURE.md: folder a has two rows"},
	{"imports", "no column", map[string]string{"docs/ARCHITECTURE.md": strings.Replace(table, "| nothing ", "", 1)},
		"docs/ARCHITECTURE.md: row"},

	{"includes", "below a folder", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/cub/block.cuh": "#include \"b/b.cuh\"",
		"cuda/b/b.cuh":         "",
	}, "cuda/a/cub/block.cuh includes cuda/b"},
	{"includes", "a folder that the table does not have", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/a.cuh":         "",
		"cuda/b/b.cuh":         "",
		"cuda/c/c.cuh":         "",
	}, "cuda/c/c.cuh is in no folder"},
	{"includes", "a row without a folder", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/a.cuh":         "",
	}, "folder cuda/b in docs/ARCHITECTURE.md has no"},

	{"comments", "none", map[string]string{"a/a.go": "package a"}, "a has no package comment"},
	{"comments", "only a licence", map[string]string{"a/doc.go": "// Copyright\npackage a"}, "a has no package comment"},
	{"comments", "hidden among the files", map[string]string{
		"a/a.go": "package a",
		"a/b.go": "// Package a does.\npackage a",
	}, "a has no package comment"},

	{"lengths", "401 lines of Go", map[string]string{
		"a/a.go": "package a" + strings.Repeat("\n", 401),
	}, "a/a.go has 401 lines"},
	{"lengths", "400 lines and the licence", map[string]string{
		"a/a.cu": "// " + licence + "\n\n" + strings.Repeat("\n", 400),
	}, ""},
	{"lengths", "401 lines of make", map[string]string{"Makefile": strings.Repeat("\n", 401)}, "Makefile has 401 lines"},
	{"lengths", "no newline at the end", map[string]string{
		"a/a.h": strings.Repeat("\n", 400) + "}",
	}, "a/a.h has 401 lines"},

	{"columns", "120 letters of two bytes and tabs", map[string]string{
		"a/a.go": "package a\n//" + strings.Repeat("\t", 58) + strings.Repeat("\u00e4", 60) + "\n",
	}, ""},
	{"columns", "121 in Go", map[string]string{
		"a/a_test.go": "package a\n//" + strings.Repeat("a", 119),
	}, "a/a_test.go:2 has 121 columns"},
	{"columns", "121 in a script without extension", map[string]string{
		".ci/run": "#!/bin/sh\n" + strings.Repeat("a", 121),
	}, ".ci/run:2 has 121 columns"},
	{"columns", "161 in a document", map[string]string{"a.md": strings.Repeat("a", 161)}, "a.md:1 has 161 columns"},
	{"columns", "an address and words", map[string]string{
		"a.md": "see https://a/" + strings.Repeat("a", 160),
	}, "a.md:1 has 174 columns"},
	{"columns", "after that output", map[string]string{
		"a.md": "<!-- sample: a -->\n<!-- /sample -->\n" + strings.Repeat("a", 161),
	}, "a.md:3 has 161 columns"},

	{"parameters", "seven of a function", map[string]string{
		"a/a_test.go": "package a\nfunc f(a, b, c, d int, e, f, g string) {}",
	}, "a/a_test.go:2 f has 7"},
	{"parameters", "seven of a method in an interface", map[string]string{
		"a/a.go": "package a\ntype T interface {\nf(int, int, int, int, int, int, int)\n}",
	}, "a/a.go:3 func has 7"},
	{"parameters", "parameters of a fuzz target", map[string]string{
		"a/a.go": "package a\nfunc FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, a, b, c, d, e, f int) {}) }",
	}, ""},
	{"parameters", "in C above an import", map[string]string{
		"a/a.go": "package a\n\n/*\nint f(int a, int b, int c, int d, int e, int f, int g) { return a; }\n*/\nimport \"C\"",
	}, "a/a.go:4 f has 7"},
	{"parameters", "a declaration in C", map[string]string{
		"a/a.h": "#include <a.h>\nextern \"C\" {\nint f(int a, int b, int c, /* d, */ int e,\n" +
			"\tint (*f)(int, int), int g, int h);\n}",
	}, "a/a.h:3 f has 7"},
	{"parameters", "a kernel", map[string]string{
		"a/a.cu": "template <class A, int kB>\n__global__ void __launch_bounds__(256, 4)\n" +
			"k(Pair<A, A> a, int b[2], int c, int d, int e, int f, int g) {}",
	}, "a/a.cu:3 k has 7"},
	{"parameters", "an operator", map[string]string{
		"a/a.cuh": "struct A {\n\tbool operator==(const A &) const;\n" +
			"\tint operator()(int a, int b, int c, int d, int e, int f, int g) const { return a; }\n};",
	}, "a/a.cuh:3 an operator has 7"},
	{"parameters", "a lambda", map[string]string{
		"a/a.cu": "void f() {\n\tg(x[2], [&](int a, int b, int c, int d, int e, int f, int g) { return a; });\n}",
	}, "a/a.cu:2 a lambda has 7"},
	{"parameters", "awk programs and comments", map[string]string{
		"a/a.sh": "awk '\n{ print $7 }' \"$1\" # or $8, isn't it\nf \"${60}\" \\$7\n",
	}, "a/a.sh:3 uses parameter ${60}"},

	{"words", "in a comment", map[string]string{
		"a/a.go": "package a\n\n// f sends by a Carrier.\nfunc f() {}",
	}, "a/a.go:3: instead of \"carrier, carriers\" say GPU transport"},
	{"words", "of several words in a name", map[string]string{
		"gpu/a.go": "package gpu\n\nvar byHubOrder int",
	}, "gpu/a.go:3: instead"},
	{"words", "in the name of a file", map[string]string{"cuda/half_word.cuh": ""}, "cuda/half_word.cuh:0: instead"},

	{"opens", "a file of a user", map[string]string{"a/a.go": "package a\nimport \"os\"\nvar t = os.ReadFile"},
		"a/a.go:3 has os.ReadFile"},
	{"opens", "a pattern by another name", map[string]string{
		"a/a.go": "package a\nimport fp \"path/filepath\"\nfunc f() { fp.Glob(\"\") }",
	}, "a/a.go:3 has path/filepath.Glob"},
	{"clock", "a second clock", map[string]string{
		"bench/other.go": "package bench\n" + readsClock,
	}, "bench/other.go:3 reads the clock"},
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
	{"wrappers", "in comm", map[string]string{
		"comm/a.go": "package comm\ntype t struct{ Transport }",
	}, "comm/a.go:2 embeds"},
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
			files := expect.Value(read(tree))(t)
			got := rules[c.rule](files)
			switch {
			case c.fault == "" && len(got) > 0:
				t.Errorf("found %q, want no fault", got)
			case c.fault != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.fault)):
				t.Errorf("found %q, want one fault: %q", got, c.fault)
			}
		})
	}
}
