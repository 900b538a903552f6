// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// commentFaults finds the packages without a package comment in doc.go, main.go or their only file.
func commentFaults(r repository) (faults []string) {
	folders := map[string][]textFile{}
	for _, f := range r.sources() {
		folders[f.folder()] = append(folders[f.folder()], f)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		found := func(f textFile) bool {
			place := path.Base(f.path)
			return (place == "doc.go" || place == "main.go" || len(folders[folder]) == 1) && introduces(f)
		}
		if !slices.ContainsFunc(folders[folder], found) {
			faults = append(faults,
				fmt.Sprintf("%s has no package comment in doc.go that begins with \"Package %s\"", folder, path.Base(folder)))
		}
	}
	return faults
}

// introduces reports whether a file has a package comment. A licence is not a package comment.
func introduces(f textFile) bool {
	if f.Name.Name == "main" {
		return strings.HasPrefix(f.Doc.Text(), "Command "+path.Base(f.folder())+" ")
	}
	return strings.HasPrefix(f.Doc.Text(), "Package "+f.Name.Name+" ")
}

// clockFaults finds the places that read the clock outside bench/timed.go, the only clock of the benchmark. Commands
// may print the date, and tests are exempt.
func clockFaults(r repository) (faults []string) {
	for _, f := range r.sources() {
		if f.path == "bench/timed.go" || strings.HasPrefix(f.path, "cmd/") ||
			f.folder() == "internal/watchdog" || strings.HasSuffix(f.folder(), "test") {
			continue
		}
		for _, read := range uses(f, "time", "Now", "Since", "Until") {
			line := f.line(read.Pos())
			faults = append(faults,
				fmt.Sprintf("%s:%d reads the clock (time.%s): only bench/timed.go may", f.path, line, read.Sel.Name))
		}
	}
	return faults
}

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

// uses returns the uses of functions of a package.
func uses(f textFile, pkg string, functions ...string) (all []*ast.SelectorExpr) {
	name := importName(f, pkg)
	ast.Inspect(f.File, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || !slices.Contains(functions, selector.Sel.Name) {
			return true
		}
		if from, ok := selector.X.(*ast.Ident); ok && from.Name == name {
			all = append(all, selector)
		}
		return true
	})
	return all
}

// importName returns a file's name of a package, "" if the file does not import it.
func importName(f textFile, pkg string) string {
	for _, spec := range f.Imports {
		if spec.Path.Value == `"`+pkg+`"` {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path.Base(pkg)
		}
	}
	return ""
}

// wrapperFaults finds structs that embed comm.Transport and so hide its optional interfaces.
func wrapperFaults(r repository) (faults []string) {
	for _, f := range r.sources() {
		for _, embedded := range embeddedTransports(f) {
			line := f.line(embedded.Pos())
			faults = append(faults, fmt.Sprintf("%s:%d embeds a comm.Transport: embed comm.Wrapper", f.path, line))
		}
	}
	return faults
}

// embeddedTransports returns the embedded fields of type comm.Transport, except in comm.Wrapper and in test suites.
func embeddedTransports(f textFile) (embedded []*ast.Field) {
	if f.path == "comm/wrapper.go" || strings.HasSuffix(f.folder(), "test") {
		return nil
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				name := types.ExprString(field.Type)
				if field.Names == nil && (name == "comm.Transport" || name == "Transport" && f.folder() == "comm") {
					embedded = append(embedded, field)
				}
			}
		}
		return true
	})
	return embedded
}

// opens has the functions that open a file of any kind and size, wait for the writer of a pipe, or take a user's path
// for a pattern, by their package.
var opens = map[string][]string{
	"os":                         {"ReadFile", "Open"},
	"path/filepath":              {"Glob"},
	"github.com/BurntSushi/toml": {"DecodeFile"},
}

// mayOpen has the folders and files that may: internal/infile, readers of the kernel's or our own files, and tools.
var mayOpen = []string{"internal/infile", "internal/machine", "internal/power", "bfs/bfstest", "internal/browsertest",
	"internal/jobtest", "internal/mutationtest", "internal/schematest", "cmd/cli/gpuprogram.go", "cmd/cli/clitest",
	"comm/launch.go", "lab/keygen", "policy/generate", "results", "internal/expect"}

// openFaults finds the places that open files without internal/infile. Tests are exempt.
func openFaults(r repository) (faults []string) {
	for _, f := range r.sources() {
		if slices.Contains(mayOpen, f.folder()) || slices.Contains(mayOpen, f.path) {
			continue
		}
		for pkg, functions := range opens {
			for _, use := range uses(f, pkg, functions...) {
				faults = append(faults, fmt.Sprintf("%s:%d has %s.%s: open files of users by internal/infile",
					f.path, f.line(use.Pos()), pkg, use.Sel.Name))
			}
		}
	}
	return faults
}

// harmless has the files whose goroutines need no panics.Catch, with the reason.
var harmless = map[string]string{
	"cmd/g500/launch.go":      "the callback ends the process, as a panic does",
	"cmd/cli/stop.go":         "the callbacks end the process, as a panic does, or restore signals",
	"comm/mpi.go":             "guard catches the rank's panic; endOrphan only sleeps",
	"internal/infile/open.go": "os.Open",
	"internal/par/team.go":    "loop.work catches the panics of helpers",
}

// goroutineFaults finds goroutines whose panic would end the process: no rank would be named, and the other ranks would
// wait. Programs of tests are exempt.
func goroutineFaults(r repository) (faults []string) {
	for _, f := range r.sources() {
		if harmless[f.path] != "" || strings.HasSuffix(f.folder(), "test") {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if starts(n) && !catches(n) {
				faults = append(faults, fmt.Sprintf("%s:%d starts a goroutine without panics.Catch", f.path, f.line(n.Pos())))
			}
			return true
		})
	}
	return faults
}

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
