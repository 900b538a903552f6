package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// module is the path of this module: imports that begin with it are ours.
const module = "g500/"

// codeFiles lists the files that end in one of the extensions, in order, without tests. Folders that hold no
// code of ours are left out: hidden ones, test data, build outputs, modules of their own.
func codeFiles(tree fs.FS, extensions ...string) ([]string, error) {
	var found []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if foreign(tree, name) {
				return fs.SkipDir
			}
		case slices.Contains(extensions, path.Ext(name)) && !strings.HasSuffix(name, "_test.go"):
			found = append(found, name)
		}
		return nil
	})
	return found, err
}

func foreign(tree fs.FS, folder string) bool {
	if folder == "." {
		return false
	}
	base := path.Base(folder)
	if strings.HasPrefix(base, ".") || slices.Contains([]string{"testdata", "bin", "build", "runs", "vendor"}, base) {
		return true
	}
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	return err == nil
}

// goFile is a parsed Go file that is not a test.
type goFile struct {
	*ast.File
	path string
	set  *token.FileSet
}

// room is the folder that the file lies in, named as the import table names it.
func (f goFile) room() string { return path.Dir(f.path) }

// goFiles parses every Go file of the tree that is not a test, whatever its build tags.
func goFiles(tree fs.FS) ([]goFile, error) {
	names, err := codeFiles(tree, ".go")
	if err != nil {
		return nil, err
	}
	var files []goFile
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, goFile{parsed, name, set})
	}
	return files, nil
}
