// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// module is the prefix of import paths of this module.
const module = "g500/"

// kind is the language of a file.
type kind string

const (
	inGo         kind = "Go"
	inC          kind = "C" // and C++ and CUDA
	inShell      kind = "shell"
	inMake       kind = "make"
	inTOML       kind = "TOML"
	inScript     kind = "JavaScript"
	inMarkdown   kind = "Markdown"
	inTestScript kind = "test script"
)

var kinds = map[string]kind{
	".go": inGo,
	".c":  inC, ".h": inC, ".cc": inC, ".cu": inC, ".cuh": inC,
	".sh": inShell, ".sbatch": inShell,
	".mk":    inMake,
	".toml":  inTOML,
	".js":    inScript,
	".md":    inMarkdown,
	".txtar": inTestScript,
}

// textFile is a source file or a document.
type textFile struct {
	path string
	kind kind
	text string
	*ast.File
	set *token.FileSet // of a Go file
}

// isTest reports whether f is a test in Go or a script of command lines.
func (f textFile) isTest() bool {
	return strings.HasSuffix(f.path, "_test.go") || f.kind == inTestScript
}

// isIn reports whether f is below one of the folders.
func (f textFile) isIn(folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(f.path, folder+"/") })
}

// folder returns the folder of f, as the import table names it.
func (f textFile) folder() string { return path.Dir(f.path) }

// line returns the line of a place in a Go file.
func (f textFile) line(at token.Pos) int { return f.set.Position(at).Line }

// repository has the text files of a tree, tests included, sorted by path.
type repository []textFile

// of returns the files of these kinds.
func (r repository) of(kinds ...kind) (files []textFile) {
	for _, f := range r {
		if slices.Contains(kinds, f.kind) {
			files = append(files, f)
		}
	}
	return files
}

// sources returns the Go files without tests, whatever their build tags.
func (r repository) sources() []textFile { return slices.DeleteFunc(r.of(inGo), textFile.isTest) }

// text returns the text of a file, "" if there is no such file.
func (r repository) text(path string) string {
	for _, f := range r {
		if f.path == path {
			return f.text
		}
	}
	return ""
}

// read reads the text files of a tree and parses the Go files. It skips other people's or generated files: minified
// scripts, and hidden folders, test data except scripts, build outputs, nested modules.
func read(tree fs.FS) (files repository, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if foreign(tree, name) {
				return fs.SkipDir
			}
			return nil
		}
		is, extension := kinds[path.Ext(name)], path.Ext(name)
		testdata := strings.Contains("/"+name, "/testdata/") && is != inTestScript
		if is == "" && extension != "" || strings.HasSuffix(name, ".min.js") || testdata {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if path.Base(name) == "Makefile" {
			is = inMake
		} else if extension == "" && bytes.HasPrefix(text, []byte("#!")) {
			is = inShell
		}
		f := textFile{path: name, kind: is, text: string(text)}
		if err == nil && is == inGo {
			f.set = token.NewFileSet()
			f.File, err = parser.ParseFile(f.set, name, f.text, parser.ParseComments|parser.SkipObjectResolution)
		}
		if is != "" {
			files = append(files, f)
		}
		return err
	})
	return files, err
}

func foreign(tree fs.FS, folder string) bool {
	if folder == "." || folder == ".ci" {
		return false
	}
	base := path.Base(folder)
	if strings.HasPrefix(base, ".") || slices.Contains([]string{"bin", "build", "runs", "vendor"}, base) {
		return true
	}
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	return err == nil
}
