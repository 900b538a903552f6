// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
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

// skipped matches text in C++ that is no code: comments, text, characters, and preprocessor directives with their
// continuation lines. The first alternative is a number, because C++ allows single quotes between digits.
var skipped = regexp.MustCompile(`\b[0-9][0-9a-fA-FxX]*(?:'[0-9a-fA-F]+)+|//[^\n]*|(?s:/\*.*?\*/)|` +
	`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|(?m:^[ \t]*#(?:\\\n|[^\n])*)`)

// mark is a token of C++ with its line.
type mark struct {
	text string
	line int
}

var (
	cName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	cMark = regexp.MustCompile(`\n|\w+|->|<<=?|>=|<=|[=!]=|\S`)
)

func (m mark) isName() bool { return cName.MatchString(m.text) }

// scanC splits C, C++ or CUDA code into tokens.
func scanC(code string) (all []mark) {
	code = skipped.ReplaceAllStringFunc(code, func(s string) string {
		return " " + strings.Repeat("\n", strings.Count(s, "\n"))
	})
	line := 1
	for _, text := range cMark.FindAllString(code, -1) {
		if text == "\n" {
			line++
			continue
		}
		all = append(all, mark{text, line})
	}
	return all
}

var (
	// conditions are words before "(" that are not names of functions.
	conditions = []string{"if", "for", "while", "switch", "catch"}
	// values are words before a call.
	values = []string{"return", "else", "do", "throw", "case", "new", "co_return"}
	// typeEnds are other ends of types than names.
	typeEnds = []string{">", "*", "&"}
	// bodies are tokens between the parameters of a definition and its body.
	bodies = []string{"{", ":", "->", "const", "noexcept", "mutable", "override"}
)

// cFunctions returns the functions, methods, kernels and lambdas that C, C++ or CUDA code defines or declares. It is
// not a compiler: a list in parentheses has parameters if a body follows, or if it is after a name that follows a type.
func cFunctions(code string) (found []function) {
	all := scanC(code)
	at := func(i int) mark {
		if i < 0 || i >= len(all) {
			return mark{}
		}
		return all[i]
	}
	for i, m := range all {
		if m.text != "(" || slices.Contains(conditions, at(i-1).text) {
			continue
		}
		end := closing(all, i)
		before, name := at(i-2), at(i-1)
		isType := before.isName() && !slices.Contains(values, before.text) || slices.Contains(typeEnds, before.text)
		hasBody := slices.Contains(bodies, at(end+1).text) && before.text != "?"
		if !hasBody && !(isType && name.isName()) {
			continue
		}
		switch {
		case name.text == "]":
			name.text = "a lambda"
		case !name.isName():
			name.text = "an operator"
		}
		found = append(found, function{name.text, name.line, countParameters(all[i+1 : end])})
	}
	return found
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

// closing returns the index of the token that closes the bracket at an index, or of the last token.
func closing(all []mark, at int) int {
	depth := 0
	for i := at; i < len(all); i++ {
		switch all[i].text {
		case all[at].text:
			depth++
		case closers[all[at].text]:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(all) - 1
}

// countParameters counts the parts between commas outside of brackets. "<" after a name is a bracket, because no
// default value has a comparison.
func countParameters(list []mark) int {
	if len(list) == 0 || len(list) == 1 && list[0].text == "void" {
		return 0
	}
	n, depth := 1, 0
	for i, m := range list {
		switch m.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "<":
			if i > 0 && list[i-1].isName() {
				depth++
			}
		case ">":
			depth--
		case ",":
			if depth == 0 {
				n++
			}
		}
	}
	return n
}
