// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"strings"
)

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
