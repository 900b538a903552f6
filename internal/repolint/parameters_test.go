// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// maxParameters is the largest number of parameters of a function.
const maxParameters = 6

// parameterFaults finds the functions with too many parameters, including tests, in Go, C, C++, CUDA and shell.
func parameterFaults(r repository) (faults []string) {
	for _, f := range r {
		var found []function
		switch f.kind {
		case inGo:
			found = goFunctions(f)
		case inC:
			found = cFunctions(f.text)
		case inShell:
			faults = append(faults, shellFaults(f)...)
		}
		for _, fn := range found {
			if fn.parameters > maxParameters {
				faults = append(faults, fmt.Sprintf(
					"%s:%d %s has %d parameters, more than %d: put what belongs together into a struct",
					f.path, fn.line, fn.name, fn.parameters, maxParameters))
			}
		}
	}
	return faults
}

// function is a function with the number of its parameters without the receiver.
type function struct {
	name             string
	line, parameters int
}

// goFunctions returns the functions, methods, function literals and function types of a Go file, and the C functions in
// the comment above import "C".
func goFunctions(f textFile) (found []function) {
	names, fuzzed := map[*ast.FuncType]string{}, map[*ast.FuncType]bool{}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names[n.Type] = n.Name.Name
		case *ast.GenDecl:
			if len(n.Specs) == 0 {
				return true // var ()
			}
			if spec, ok := n.Specs[0].(*ast.ImportSpec); ok && spec.Path.Value == `"C"` && n.Doc != nil {
				found = append(found, preambleFunctions(f, n.Doc)...)
			}
		case *ast.FuncType:
			name, named := names[n]
			if !named {
				name = "func"
			}
			if !fuzzed[n] {
				found = append(found, function{name, f.line(n.Pos()), n.Params.NumFields()})
			}
		case *ast.CallExpr: // a fuzz target has one parameter per value
			if method, ok := n.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "Fuzz" && len(n.Args) == 1 {
				if target, ok := n.Args[0].(*ast.FuncLit); ok {
					fuzzed[target.Type] = true
				}
			}
		}
		return true
	})
	return found
}

// preambleFunctions returns the C functions in a comment.
func preambleFunctions(f textFile, comment *ast.CommentGroup) []function {
	var code strings.Builder
	code.WriteString(strings.Repeat("\n", f.line(comment.Pos())-1))
	for _, c := range comment.List {
		code.WriteString(strings.TrimSuffix(c.Text[2:], "*/") + "\n")
	}
	return cFunctions(code.String())
}

// A shell function uses parameters by their numbers. Text between single quotes is not shell code: awk has $7, too.
var (
	shellParameter = regexp.MustCompile(`\$([7-9]|\{([7-9]|[1-9][0-9]+)[^0-9])`)
	shellQuoted    = regexp.MustCompile(`\\.|'[^']*'|"(\\.|[^"\\])*"|(^|\s)#[^\n]*`)
)

// shellFaults finds the uses of parameters above the sixth in a shell script.
func shellFaults(f textFile) (faults []string) {
	code := shellQuoted.ReplaceAllStringFunc(f.text, func(s string) string {
		if strings.HasPrefix(s, `"`) {
			return s // the shell expands parameters in it
		}
		return strings.Repeat("\n", strings.Count(s, "\n"))
	})
	for i, line := range strings.Split(code, "\n") {
		if use := shellParameter.FindString(line); use != "" {
			faults = append(faults, fmt.Sprintf("%s:%d uses parameter %s: a function has at most %d",
				f.path, i+1, use, maxParameters))
		}
	}
	return faults
}
