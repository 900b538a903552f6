package repolint

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

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

var faults = []planted{
	{"imports", "an import that the table allows", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"b/b.go":               "package b\nimport (\n\"fmt\"\n\"g500/a\"\n)",
	}, ""},
	{"imports", "an import that it does not", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a\nimport \"g500/b\"",
		"b/b.go":               "package b",
	}, "a/a.go imports b"},
	{"imports", "behind a build tag", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"a/a_gpu.go":           "//go:build cuda && cgo\n\npackage a\nimport _ \"g500/b\"",
		"b/b.go":               "package b",
	}, "a/a_gpu.go imports b"},
	{"imports", "a folder in a folder that may be imported", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "| `b`", "| `a/c` | nothing |\n| `b`", 1),
		"a/a.go":               "package a",
		"a/c/c.go":             "package c",
		"b/b.go":               "package b\nimport \"g500/a/c\"",
	}, "b/b.go imports a/c"},
	{"imports", "tests may import everything", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"a/a_test.go":          "package a_test\nimport \"g500/b\"",
		"b/b.go":               "package b",
	}, ""},
	{"imports", "a folder that the table does not have", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"b/b.go":               "package b",
		"c/c.go":               "package c",
	}, "folder c is missing from"},
	{"imports", "a row without a folder", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
	}, "folder b in docs/ARCHITECTURE.md has no"},
	{"imports", "a permission that names no folder", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "nothing", "aa", 1),
		"a/a.go":               "package a",
		"b/b.go":               "package b",
	}, "folder a may import aa"},

	{"imports", "no marks", map[string]string{"docs/ARCHITECTURE.md": strings.ReplaceAll(table, "<!--", "<--")},
		"docs/ARCHITECTURE.md has no table"},
	{"imports", "no rows", map[string]string{
		"docs/ARCHITECTURE.md": "<!-- imports -->\n| folder | may import |\n|---|---|\n<!-- /imports -->",
	}, "docs/ARCHITECTURE.md: the table of imports is empty"},
	{"imports", "two rows", map[string]string{"docs/ARCHITECTURE.md": strings.Replace(table, "`b`", "`a`", 1)},
		"docs/ARCHITECTURE.md: folder a has two rows"},
	{"imports", "no column", map[string]string{"docs/ARCHITECTURE.md": strings.Replace(table, "| nothing ", "", 1)},
		"docs/ARCHITECTURE.md: row"},

	{"includes", "an include that the table allows", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/a.cuh":         "#include \"a/x.cuh\"\n#include \"cub/x.cuh\"",
		"cuda/b/b.cu":          "#include <cuda.h>\n#include \"a/a.cuh\"",
	}, ""},
	{"includes", "an include that it does not", map[string]string{
		"docs/ARCHITECTURE.md": includes,
		"cuda/a/a.cuh":         "#pragma once\n\n#include \"b/b.cuh\"",
		"cuda/b/b.cuh":         "",
	}, "cuda/a/a.cuh includes cuda/b"},
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

	{"comments", "in doc.go", map[string]string{
		"a/doc.go": "// Package a does.\npackage a",
		"a/a.go":   "package a",
	}, ""},
	{"comments", "in main.go", map[string]string{
		"cmd/g500/main.go": "// Command g500 runs.\npackage main",
		"cmd/g500/run.go":  "package main",
	}, ""},
	{"comments", "in the only file", map[string]string{"a/a.go": "// Package a does.\npackage a"}, ""},
	{"comments", "none", map[string]string{"a/a.go": "package a"}, "a has no package comment"},
	{"comments", "only a licence", map[string]string{"a/doc.go": "// Copyright\npackage a"}, "a has no package comment"},
	{"comments", "of another package", map[string]string{
		"a/doc.go": "// Package b does.\npackage a",
	}, "a has no package comment"},
	{"comments", "hidden among the files", map[string]string{
		"a/a.go": "package a",
		"a/b.go": "// Package a does.\npackage a",
	}, "a has no package comment"},
	{"comments", "of the package's tests", map[string]string{
		"a/a.go":      "package a",
		"a/a_test.go": "// Package a does.\npackage a",
	}, "a has no package comment"},

	{"lengths", "400 lines", map[string]string{"a/a.cu": strings.Repeat("\n", 400)}, ""},
	{"lengths", "401 lines of Go", map[string]string{
		"a/a.go": "package a" + strings.Repeat("\n", 401),
	}, "a/a.go has 401 lines"},
	{"lengths", "401 lines of CUDA", map[string]string{"a/a.cu": strings.Repeat("\n", 401)}, "a/a.cu has 401 lines"},
	{"lengths", "401 lines of shell", map[string]string{"a/a.sh": strings.Repeat("\n", 401)}, "a/a.sh has 401 lines"},
	{"lengths", "401 lines of a script without extension", map[string]string{
		".ci/run": "#!/bin/sh" + strings.Repeat("\n", 401),
	}, ".ci/run has 401 lines"},
	{"lengths", "401 lines of make", map[string]string{"Makefile": strings.Repeat("\n", 401)}, "Makefile has 401 lines"},
	{"lengths", "documents may be long", map[string]string{"a/a.md": strings.Repeat("\n", 401)}, ""},
	{"lengths", "no newline at the end", map[string]string{
		"a/a.h": strings.Repeat("\n", 400) + "}",
	}, "a/a.h has 401 lines"},
	{"lengths", "tests may be long", map[string]string{"a/a_test.go": "package a" + strings.Repeat("\n", 401)}, ""},
	{"lengths", "other people's modules", map[string]string{
		"x/go.mod": "module x",
		"x/x.go":   strings.Repeat("\n", 401),
	}, ""},

	{"columns", "120 letters of two bytes and tabs", map[string]string{
		"a/a.go": "package a\n//" + strings.Repeat("\t", 58) + strings.Repeat("\u00e4", 60) + "\n",
	}, ""},
	{"columns", "121 in Go", map[string]string{
		"a/a_test.go": "package a\n//" + strings.Repeat("a", 119),
	}, "a/a_test.go:2 has 121 columns"},
	{"columns", "121 in shell", map[string]string{"a/a.sh": strings.Repeat("a", 121)}, "a/a.sh:1 has 121 columns"},
	{"columns", "121 in a script without extension", map[string]string{
		".ci/run": "#!/bin/sh\n" + strings.Repeat("a", 121),
	}, ".ci/run:2 has 121 columns"},
	{"columns", "160 in a document", map[string]string{"a.md": strings.Repeat("a", 160)}, ""},
	{"columns", "161 in a document", map[string]string{"a.md": strings.Repeat("a", 161)}, "a.md:1 has 161 columns"},
	{"columns", "only an address", map[string]string{
		"a.md":   "- https://a/" + strings.Repeat("a", 160),
		"a/a.cu": "// https://a/" + strings.Repeat("a", 160),
	}, ""},
	{"columns", "an address and words", map[string]string{
		"a.md": "see https://a/" + strings.Repeat("a", 160),
	}, "a.md:1 has 174 columns"},
	{"columns", "output that a document shows", map[string]string{
		"a.md": "<!-- sample: a -->\n" + strings.Repeat("a", 161) + "\n<!-- /sample -->\n",
	}, ""},
	{"columns", "after that output", map[string]string{
		"a.md": "<!-- sample: a -->\n<!-- /sample -->\n" + strings.Repeat("a", 161),
	}, "a.md:3 has 161 columns"},
	{"columns", "data", map[string]string{
		"a/testdata/a.go": strings.Repeat("a", 161),
		"a.csv":           strings.Repeat("a", 161),
	}, ""},

	{"parameters", "six, and a receiver", map[string]string{
		"a/a.go": "package a\nfunc (t T) f(a, b, c int, d func(int, int), e, f int) {}",
	}, ""},
	{"parameters", "seven of a function", map[string]string{
		"a/a_test.go": "package a\nfunc f(a, b, c, d int, e, f, g string) {}",
	}, "a/a_test.go:2 f has 7"},
	{"parameters", "seven of a literal", map[string]string{
		"a/a.go": "package a\nvar f = func(a, b, c, d, e, f, g int) {}",
	}, "a/a.go:2 func has 7"},
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
	{"parameters", "six, with commas inside brackets", map[string]string{
		"a/a.cu": "__device__ T<A, B> f(Pair<A, Pair<A, A>> a, int b = g(1, 2), int c = 1 << 2, A d, " +
			"A e = {1, 2}, A f) { return a; }",
	}, ""},
	{"parameters", "a constructor and its initialisers", map[string]string{
		"a/a.cuh": "struct A {\n\tA(int a) : b(a, a, a, a, a, a, a), c{a} { f(a, a, a, a, a, a, a); }\n\tB b;\n};",
	}, ""},
	{"parameters", "a method", map[string]string{
		"a/a.cuh": "namespace n {\nstruct alignas(16) A : B {\n\tint b[2] = {1, 2};\n" +
			"\tA() : c{1}, d(2) { while (g(1)) {} }\n\tint f(int, int, int, int, int, int, int) const noexcept;\n};\n}",
	}, "a/a.cuh:5 f has 7"},
	{"parameters", "an operator", map[string]string{
		"a/a.cuh": "struct A {\n\tbool operator==(const A &) const;\n" +
			"\tint operator()(int a, int b, int c, int d, int e, int f, int g) const { return a; }\n};",
	}, "a/a.cuh:3 an operator has 7"},
	{"parameters", "a lambda", map[string]string{
		"a/a.cu": "void f() {\n\tg(x[2], [&](int a, int b, int c, int d, int e, int f, int g) { return a; });\n}",
	}, "a/a.cu:2 a lambda has 7"},
	{"parameters", "calls and launches", map[string]string{
		"a/a.cu": "int x = f(1, 2, 3, 4, 5, 6, 7);\nvoid f() {\n\tk<<<1, 2>>>(1, 2, 3, 4, 5, 6, 7);\n" +
			"\tif (g(1, 2, 3, 4, 5, 6, 7)) { g(1, 2, 3, 4, 5, 6, 1'000, ','); }\n}",
	}, ""},
	{"parameters", "the seventh in shell", map[string]string{
		"a/a.sh": "f() {\n\techo \"$1 ${7:-}\"\n}",
	}, "a/a.sh:2 uses parameter ${7:"},
	{"parameters", "awk programs and comments", map[string]string{
		"a/a.sh": "awk '\n{ print $7 }' \"$1\" # or $8, isn't it\nf \"${60}\" \\$7\n",
	}, "a/a.sh:3 uses parameter ${60}"},

	{"words", "plain English", map[string]string{
		"a/a.go": "package a\n\n// The toolkit is farmed by the official judgement of a hub, in order.\nvar doorbell int",
	}, ""},
	{"words", "in a comment", map[string]string{
		"a/a.go": "package a\n\n// f sends by a Carrier.\nfunc f() {}",
	}, "a/a.go:3: instead of \"carrier, carriers\" say GPU transport"},
	{"words", "of several words", map[string]string{"docs/a.md": "The official program."}, "docs/a.md:1: instead"},
	{"words", "in a configuration", map[string]string{"a.toml": "# a kit"}, "a.toml:1: instead"},
	{"words", "in a script", map[string]string{"a.sh": "told=1"}, "a.sh:1: instead"},
	{"words", "in a name", map[string]string{"cuda/a/a.cu": "int f;\nbool kIsTwin;"}, "cuda/a/a.cu:2: instead"},
	{"words", "of several words in a name", map[string]string{
		"gpu/a.go": "package gpu\n\nvar byHubOrder int",
	}, "gpu/a.go:3: instead"},
	{"words", "in the name of a file", map[string]string{"cuda/half_word.cuh": ""}, "cuda/half_word.cuh:0: instead"},
	{"words", "the glossary names them", map[string]string{"docs/GLOSSARY.md": "| kit | backend |"}, ""},

	{"opens", "a file of a user", map[string]string{"a/a.go": "package a\nimport \"os\"\nvar t = os.ReadFile"},
		"a/a.go:3 has os.ReadFile"},
	{"opens", "a pattern by another name", map[string]string{
		"a/a.go": "package a\nimport fp \"path/filepath\"\nfunc f() { fp.Glob(\"\") }",
	}, "a/a.go:3 has path/filepath.Glob"},
	{"opens", "a file of the kernel", map[string]string{
		"internal/machine/a.go": "package machine\nimport \"os\"\nvar t = os.Open",
	}, ""},
	{"clock", "in the one clock", map[string]string{"bench/timed.go": "package bench\n" + readsClock}, ""},
	{"clock", "in a command", map[string]string{"cmd/g500/run.go": "package main\n" + readsClock}, ""},
	{"clock", "in the watchdog", map[string]string{"internal/watchdog/a.go": "package watchdog\n" + readsClock}, ""},
	{"clock", "durations need no clock", map[string]string{
		"a/a.go": "package a\nimport \"time\"\nvar d = time.Second",
	}, ""},
	{"clock", "in a test", map[string]string{"a/a_test.go": "package a\n" + readsClock}, ""},
	{"clock", "in a suite of tests", map[string]string{"a/atest/a.go": "package atest\n" + readsClock}, ""},
	{"clock", "a second clock", map[string]string{
		"bench/other.go": "package bench\n" + readsClock,
	}, "bench/other.go:3 reads the clock"},
	{"clock", "by another name", map[string]string{
		"a/a.go": "package a\nimport clock \"time\"\n\nvar now = clock.Since",
	}, "a/a.go:4 reads the clock"},

	{"documents", "a long reference", map[string]string{
		"docs/a.md": strings.Repeat("a\n", 2400), "docs/LAB.md": strings.Repeat("a\n", 2400),
	}, ""},
	{"documents", "a line too many", map[string]string{
		"docs/a.md": strings.Repeat("a\n", 1200), "docs/adr/a.md": strings.Repeat("a\n", 1201),
	}, "docs has 2401 lines, more than 2400"},

	{"threads", "a stride of resident blocks", map[string]string{
		"cuda/a/a.cu": "for (u32 i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock)",
	}, ""},
	{"threads", "a warp's number", map[string]string{"cuda/a/a.cu": "blockIdx.x * kWarps + threadIdx.x / 32"}, ""},
	{"threads", "at the one place", map[string]string{
		"cuda/common/warp.cuh": "return blockIdx.x * kBlock + threadIdx.x;",
	}, ""},
	{"threads", "a number of 32 bits", map[string]string{
		"cuda/a/a.cu": "\nconst u32 v = (blockIdx.x * kBlock + threadIdx.x) / 32;",
	}, "cuda/a/a.cu:2: instead of"},
	{"threads", "another width of a warp", map[string]string{"cuda/a/a.cu": "i % warpSize"}, "cuda/a/a.cu:1: instead of"},

	{"wrappers", "a wrapper", map[string]string{"a/a.go": "package a\ntype t struct{ comm.Wrapper }"}, ""},
	{"wrappers", "a field", map[string]string{"a/a.go": "package a\ntype t struct{ t comm.Transport }"}, ""},
	{"wrappers", "an embedded transport", map[string]string{
		"a/a.go": "package a\ntype t struct{ comm.Transport }",
	}, "a/a.go:2 embeds"},
	{"wrappers", "in comm", map[string]string{
		"comm/a.go": "package comm\ntype t struct{ Transport }",
	}, "comm/a.go:2 embeds"},
	{"goroutines", "a caught panic", map[string]string{
		"a/a.go": "package a\nfunc f() { go panics.Catch(g, h) }",
	}, ""},
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
			files, err := read(tree)
			if err != nil {
				t.Fatal(err)
			}
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
