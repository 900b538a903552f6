package house

import (
	"strings"
	"testing"
	"testing/fstest"
)

// planted is a small tree with one fault, or none where fault is "".
type planted struct {
	rule, name string
	files      map[string]string
	fault      string // as the beginning of the sentence expected
}

const table = "# Rooms\n<!-- imports -->\n| room | may import |\n|---|---|\n| `a` | nothing |\n| `b` | `a` |\n<!-- /imports -->\n"

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
	{"imports", "a room inside a room that may be imported", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "| `b`", "| `a/c` | nothing |\n| `b`", 1),
		"a/a.go":               "package a",
		"a/c/c.go":             "package c",
		"b/b.go":               "package b\nimport \"g500/a/c\"",
	}, "b/b.go imports a/c"},
	{"imports", "tests may import what they like", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"a/a_test.go":          "package a_test\nimport \"g500/b\"",
		"b/b.go":               "package b",
	}, ""},
	{"imports", "a room that the table does not have", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
		"b/b.go":               "package b",
		"c/c.go":               "package c",
	}, "room c is missing from"},
	{"imports", "a row without a room", map[string]string{
		"docs/ARCHITECTURE.md": table,
		"a/a.go":               "package a",
	}, "room b in docs/ARCHITECTURE.md has no"},
	{"imports", "a permission that names no room", map[string]string{
		"docs/ARCHITECTURE.md": strings.Replace(table, "nothing", "aa", 1),
		"a/a.go":               "package a",
		"b/b.go":               "package b",
	}, "room a may import aa"},

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
	{"comments", "of another package", map[string]string{"a/doc.go": "// Package b does.\npackage a"}, "a has no package comment"},
	{"comments", "hidden among the files", map[string]string{
		"a/a.go": "package a",
		"a/b.go": "// Package a does.\npackage a",
	}, "a has no package comment"},
	{"comments", "not of the package but of its tests", map[string]string{
		"a/a.go":      "package a",
		"a/a_test.go": "// Package a does.\npackage a",
	}, "a has no package comment"},

	{"lengths", "400 lines", map[string]string{"a/a.cu": strings.Repeat("\n", 400)}, ""},
	{"lengths", "401 lines of Go", map[string]string{"a/a.go": "package a" + strings.Repeat("\n", 401)}, "a/a.go has 401 lines"},
	{"lengths", "401 lines of CUDA", map[string]string{"a/a.cu": strings.Repeat("\n", 401)}, "a/a.cu has 401 lines"},
	{"lengths", "no newline at the end", map[string]string{"a/a.h": strings.Repeat("\n", 400) + "}"}, "a/a.h has 401 lines"},
	{"lengths", "tests may be long", map[string]string{"a/a_test.go": strings.Repeat("\n", 401)}, ""},
	{"lengths", "other people's modules", map[string]string{
		"x/go.mod": "module x",
		"x/x.go":   strings.Repeat("\n", 401),
	}, ""},

	{"clock", "in the one clock", map[string]string{"bench/timed.go": "package bench\nimport \"time\"\nvar t = time.Now()"}, ""},
	{"clock", "for people to read", map[string]string{"cmd/g500/run.go": "package main\nimport \"time\"\nvar t = time.Now()"}, ""},
	{"clock", "durations need no clock", map[string]string{"a/a.go": "package a\nimport \"time\"\nvar d = time.Second"}, ""},
	{"clock", "in a test", map[string]string{"a/a_test.go": "package a\nimport \"time\"\nvar t = time.Now()"}, ""},
	{"clock", "in a suite of tests", map[string]string{"a/atest/a.go": "package atest\nimport \"time\"\nvar t = time.Now()"}, ""},
	{"clock", "a second clock", map[string]string{"bench/other.go": "package bench\nimport \"time\"\nvar t = time.Now()"}, "bench/other.go:3 reads the clock"},
	{"clock", "by another name", map[string]string{"a/a.go": "package a\nimport clock \"time\"\n\nvar now = clock.Since"}, "a/a.go:4 reads the clock"},
}

// Each rule sees the fault planted for it, and no other.
func TestPlantedFaults(t *testing.T) {
	for _, c := range faults {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, text := range c.files {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			got, err := rules[c.rule](tree)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.fault == "" && len(got) > 0:
				t.Errorf("found %q where nothing is wrong", got)
			case c.fault != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.fault)):
				t.Errorf("found %q, want one fault: %q", got, c.fault)
			}
		})
	}
}

// A table that cannot be found would allow everything.
func TestTableIsNeeded(t *testing.T) {
	for name, text := range map[string]string{
		"no marks":  strings.ReplaceAll(table, "<!--", "<--"),
		"no rows":   "<!-- imports -->\n| room | may import |\n|---|---|\n<!-- /imports -->",
		"two rows":  strings.Replace(table, "`b`", "`a`", 1),
		"no column": strings.Replace(table, "| nothing ", "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{"docs/ARCHITECTURE.md": &fstest.MapFile{Data: []byte(text)}}
			if _, err := importFaults(tree); err == nil {
				t.Error("no error")
			}
		})
	}
}
