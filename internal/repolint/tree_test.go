package repolint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// module is the path of this module: imports that begin with it are ours.
const module = "g500/"

// kind is what a file is written in.
type kind string

const (
	inGo       kind = "Go"
	inC        kind = "C" // and C++ and CUDA
	inShell    kind = "shell"
	inMake     kind = "make"
	inTOML     kind = "TOML"
	inMarkdown kind = "Markdown"
)

var kinds = map[string]kind{
	".go": inGo,
	".c":  inC, ".h": inC, ".cc": inC, ".cu": inC, ".cuh": inC,
	".sh": inShell, ".sbatch": inShell,
	".mk":   inMake,
	".toml": inTOML,
	".md":   inMarkdown,
}

// textFile is a file that people write.
type textFile struct {
	path string
	kind kind
	text string
}

// isTest reports whether it is a test in Go.
func (f textFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// isIn reports whether it lies below one of the folders.
func (f textFile) isIn(folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(f.path, folder+"/") })
}

// textFiles reads the files of some kinds, tests among them, in order. Folders that hold nothing of ours are left
// out: hidden ones, test data, build outputs, modules of their own.
func textFiles(tree fs.FS, wanted ...kind) (files []textFile, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if foreign(tree, name) {
				return fs.SkipDir
			}
			return nil
		}
		is, err := kindOf(tree, name)
		if err != nil || !slices.Contains(wanted, is) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		files = append(files, textFile{name, is, string(text)})
		return err
	})
	return files, err
}

// kindOf tells what a file is written in by its name, or by its first line where the name has no extension.
func kindOf(tree fs.FS, name string) (kind, error) {
	if path.Base(name) == "Makefile" {
		return inMake, nil
	}
	if extension := path.Ext(name); extension != "" {
		return kinds[extension], nil
	}
	file, err := tree.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	start := make([]byte, 2)
	if n, err := file.Read(start); err != nil && err != io.EOF {
		return "", err
	} else if string(start[:n]) == "#!" {
		return inShell, nil
	}
	return "", nil
}

func foreign(tree fs.FS, folder string) bool {
	if folder == "." || folder == ".ci" {
		return false
	}
	base := path.Base(folder)
	if strings.HasPrefix(base, ".") || slices.Contains([]string{"testdata", "bin", "build", "runs", "vendor"}, base) {
		return true
	}
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	return err == nil
}

// goFile is a parsed Go file.
type goFile struct {
	*ast.File
	path string
	set  *token.FileSet
}

// folder is the folder that the file lies in, named as the import table names it.
func (f goFile) folder() string { return path.Dir(f.path) }

// goFiles parses every Go file of the tree that is not a test, whatever its build tags.
func goFiles(tree fs.FS) ([]goFile, error) {
	files, err := textFiles(tree, inGo)
	if err != nil {
		return nil, err
	}
	return parseAll(slices.DeleteFunc(files, textFile.isTest))
}

// parseAll parses Go files.
func parseAll(files []textFile) (parsed []goFile, err error) {
	for _, f := range files {
		set := token.NewFileSet()
		ast, err := parser.ParseFile(set, f.path, f.text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, goFile{ast, f.path, set})
	}
	return parsed, nil
}
