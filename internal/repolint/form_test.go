// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// inSources returns a rule for the nodes of Go files that are neither tests nor exempt. fault returns the fault of a
// node, "" for none.
func inSources(exempt func(textFile) bool, fault func(textFile, ast.Node) string) func(repository) []string {
	return func(r repository) (faults []string) {
		for _, f := range slices.DeleteFunc(r.sources(), exempt) {
			ast.Inspect(f.File, func(n ast.Node) bool {
				if n == nil {
					return false
				}
				if text := fault(f, n); text != "" {
					faults = append(faults, fmt.Sprintf("%s:%d %s", f.path, f.line(n.Pos()), text))
				}
				return true
			})
		}
		return faults
	}
}

// isForTests reports whether a file is in a package for tests.
func isForTests(f textFile) bool { return strings.HasSuffix(f.folder(), "test") }

// used returns the function of a package that a node uses, as in path/filepath.Glob, "" for another node.
func used(f textFile, n ast.Node) string {
	selector, _ := n.(*ast.SelectorExpr)
	if selector == nil {
		return ""
	}
	from, _ := selector.X.(*ast.Ident)
	for _, spec := range f.Imports {
		pkg := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(pkg)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if from != nil && from.Name == name {
			return pkg + "." + selector.Sel.Name
		}
	}
	return ""
}

// clockFaults finds the places that read the clock outside bench/timed.go, the only clock of the benchmark. Commands
// may print the date.
var clockFaults = inSources(func(f textFile) bool {
	return f.path == "bench/timed.go" || f.isIn("cmd", "internal/watchdog") || isForTests(f)
}, func(f textFile, n ast.Node) string {
	if slices.Contains([]string{"time.Now", "time.Since", "time.Until"}, used(f, n)) {
		return "reads the clock: only bench/timed.go may"
	}
	return ""
})

// ownThreadNumber matches numbers of threads and the width of warps that CUDA code computes by itself. In 32 bits the
// number is too short for one warp per vertex; strides of resident blocks are short enough.
var ownThreadNumber = regexp.MustCompile(`warpSize|blockIdx\.x \* \w+ \+ threadIdx\.x($|[^ ]| [^/])`)

// threadFaults finds CUDA code that numbers threads or has the width of a warp outside common/warp.cuh.
func threadFaults(r repository) (faults []string) {
	for _, f := range r.of(inC) {
		if !f.isIn("cuda") || f.path == "cuda/common/warp.cuh" {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			if ownThreadNumber.MatchString(line) && !strings.Contains(line, "gridDim") {
				faults = append(faults, fmt.Sprintf("%s:%d: instead of this number of threads or of lanes use thread_number, "+
					"warp_number and kLanes of common/warp.cuh", f.path, i+1))
			}
		}
	}
	return faults
}

// wrapperFaults finds structs that embed comm.Transport and so hide its optional interfaces, except comm.Wrapper.
var wrapperFaults = inSources(isForTests,
	func(f textFile, n ast.Node) string {
		if s, is := n.(*ast.TypeSpec); is && (s.Name.Name != "Wrapper" || f.folder() != "comm") {
			s, is := s.Type.(*ast.StructType)
			for i := 0; is && i < len(s.Fields.List); i++ {
				field := s.Fields.List[i]
				name := types.ExprString(field.Type)
				if field.Names == nil && (name == "comm.Transport" || name == "Transport" && f.folder() == "comm") {
					return "embeds a comm.Transport: embed comm.Wrapper"
				}
			}
		}
		return ""
	})

// opens are the functions that open a file of any kind and size, wait for the writer of a pipe, or take a user's path
// for a pattern.
var opens = []string{"os.ReadFile", "os.Open", "path/filepath.Glob", "github.com/BurntSushi/toml.DecodeFile"}

// mayOpen has the folders and files that may: internal/infile, readers of the kernel's or our own files, and tools.
var mayOpen = []string{"internal/infile", "internal/machine", "internal/power", "bfs/bfstest", "internal/browsertest",
	"internal/jobtest", "internal/mutationtest", "internal/schematest", "cmd/cli/gpuprogram.go", "cmd/cli/clitest",
	"comm/launch.go", "policy/generate", "results", "internal/expect"}

// openFaults finds the places that open files without internal/infile.
var openFaults = inSources(func(f textFile) bool {
	return slices.Contains(mayOpen, f.folder()) || slices.Contains(mayOpen, f.path)
}, func(f textFile, n ast.Node) string {
	if function := used(f, n); slices.Contains(opens, function) {
		return "has " + function + ": open files of users by internal/infile"
	}
	return ""
})

// harmless has the files whose goroutines need no panics.Catch, with the reason.
var harmless = map[string]string{
	"cmd/g500/launch.go":        "the callback ends the process, as a panic does",
	"cmd/cli/stop.go":           "the callbacks end the process, as a panic does, or restore signals",
	"comm/mpi.go":               "guard catches the rank's panic; endOrphan only sleeps",
	"internal/expect/expect.go": "writes a file for a test",
	"internal/infile/open.go":   "functions of the standard library, on files of the system",
	"internal/par/team.go":      "loop.work catches the panics of helpers",
}

// goroutineFaults finds goroutines whose panic would end the process: no rank would be named, and the other ranks would
// wait.
var goroutineFaults = inSources(func(f textFile) bool { return harmless[f.path] != "" || isForTests(f) },
	func(_ textFile, n ast.Node) string {
		if starts(n) && !catches(n) {
			return "starts a goroutine without panics.Catch"
		}
		return ""
	})

// starts reports whether a node is a go statement or a call of a method Go or of an AfterFunc.
func starts(n ast.Node) bool {
	_, is := n.(*ast.GoStmt)
	return is || called(n) == "Go" || called(n) == "AfterFunc"
}

// catches reports whether code below a node calls panics.Catch or a function named guard, which calls it.
func catches(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || called(n) == "Catch" || called(n) == "guard"
		return !found
	})
	return found
}

// called returns the name of the function that a node calls, "" for another node.
func called(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// maxLines is the largest number of lines of a file.
const maxLines = 400

// maxColumns are the largest widths of code and documents in characters; a tab is one character.
var maxColumns = map[kind]int{inGo: 120, inC: 120, inShell: 120, inMake: 120, inScript: 120,
	inMarkdown: 160, inTestScript: 160}

// lengthFaults finds source files that are too long without their licence, except tests in Go.
func lengthFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake, inScript) {
		if f.isTest() {
			continue
		}
		lines := strings.Count(f.text, "\n")
		if len(f.text) > 0 && !strings.HasSuffix(f.text, "\n") {
			lines++
		}
		if lines -= linesOfLicence(f.text); lines > maxLines {
			faults = append(faults, fmt.Sprintf("%s has %d lines, more than %d: split it by concept", f.path, lines, maxLines))
		}
	}
	return faults
}

// columnFaults finds the lines of code and documents that are too long.
func columnFaults(r repository) (faults []string) {
	for _, f := range r.of(inGo, inC, inShell, inMake, inScript, inMarkdown, inTestScript) {
		if path.Base(f.path) == "study.md" {
			continue // written by the program
		}
		sample, limit := false, maxColumns[f.kind]
		for i, line := range strings.Split(f.text, "\n") {
			if f.kind == inMarkdown {
				sample = sample && !strings.HasPrefix(line, "<!-- /sample") || strings.HasPrefix(line, "<!-- sample")
			}
			if n := utf8.RuneCountInString(line); n > limit && !sample && !address.MatchString(line) {
				faults = append(faults, fmt.Sprintf("%s:%d has %d columns, more than %d", f.path, i+1, n, limit))
			}
		}
	}
	return faults
}

// address matches a line with only an address, perhaps in a comment or a list, which cannot be wrapped.
var address = regexp.MustCompile(`^\s*(//|#|-|\*)?\s*\S*://\S*$`)
