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
		var found []parameters
		switch f.kind {
		case inGo:
			found = inGoFile(f)
		case inC:
			found = inCode(f.text)
		case inShell:
			faults = append(faults, shellFaults(f)...)
		}
		for _, list := range found {
			faults = append(faults, fmt.Sprintf(
				"%s:%d: a function has %d parameters, more than %d: put what belongs together into a struct",
				f.path, list.line, list.n, maxParameters))
		}
	}
	return faults
}

// parameters is a list of n parameters, without the receiver, that begins in a line.
type parameters struct{ line, n int }

// inGoFile returns the long lists of parameters of functions, methods, function literals and function types of a Go
// file, and of the C functions in its comments, as above import "C".
func inGoFile(f textFile) (found []parameters) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		if function, is := n.(*ast.FuncType); is && function.Params.NumFields() > maxParameters {
			found = append(found, parameters{f.line(n.Pos()), function.Params.NumFields()})
		}
		return true
	})
	for _, group := range f.Comments {
		if c := group.List[0]; strings.HasPrefix(c.Text, "/*") {
			code := strings.Repeat("\n", f.line(c.Pos())-1) + strings.Trim(c.Text, "/*")
			found = append(found, inCode(code)...)
		}
	}
	return found
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
		return blank(s)
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

var (
	// innermost matches a list in brackets without another one in it.
	innermost = regexp.MustCompile(`\([^][(){}<>]*\)|\[[^][(){}]*\]|\{[^][(){};]*\}|<[^][<>(){};]*>`)
	// declared matches a list of parameters: it begins with a type and a name. No list of arguments does.
	declared = regexp.MustCompile(`^\(\s*(?:[\w:]+\s+)*[\w:]+\s+[*&]*\w+\s*,`)
	// pointer matches the text before the parameters of a pointer to a function of a library.
	pointer = regexp.MustCompile(`\*\w+\)$`)
)

// blank returns spaces in place of code, with its ends of lines.
func blank(code string) string { return regexp.MustCompile(`[^\n]`).ReplaceAllString(code, " ") }

// inCode returns the long lists of parameters of functions, methods, kernels and lambdas in C, C++ or CUDA code. It is
// not a compiler: it counts the parts of each list that begins like a declaration, from the innermost lists outwards.
func inCode(code string) (found []parameters) {
	code = skipped.ReplaceAllStringFunc(code, blank)
	for left := code; innermost.MatchString(left); left = innermost.ReplaceAllStringFunc(left, blank) {
		for _, at := range innermost.FindAllStringIndex(left, -1) {
			list, before := left[at[0]:at[1]], code[:at[0]]
			n := strings.Count(list, ",") + 1
			if n > maxParameters && declared.MatchString(list) && !pointer.MatchString(before) {
				found = append(found, parameters{strings.Count(before, "\n") + 1, n})
			}
		}
	}
	return found
}
