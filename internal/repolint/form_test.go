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
