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

var (
	// declared matches a list of parameters: it begins with a type and a name. No argument of a call does.
	declared = regexp.MustCompile(`^\s*(?:[\w:]+\s+)*[\w:]+(?:<[^()]*>)?\s+[*&]*\w+(?:\[\d*\])?,`)
	// pointer matches the text before the parameters of a pointer to a function of a library.
	pointer = regexp.MustCompile(`\*\w+\)\($`)
)

// inCode returns the long lists of parameters of functions, methods, kernels and lambdas in C, C++ or CUDA code. It is
// not a compiler: it counts the parts between the commas of a list that begins like a declaration.
func inCode(code string) (found []parameters) {
	code = skipped.ReplaceAllStringFunc(code, func(s string) string {
		return " " + strings.Repeat("\n", strings.Count(s, "\n"))
	})
	type bracket struct {
		parameters
		open byte
		at   int
	}
	open, line := []bracket{{}}, 1
	for i := range len(code) {
		last := &open[len(open)-1]
		switch c := code[i]; {
		case c == '\n':
			line++
		case c == ',':
			last.n++
		case strings.IndexByte("([{", c) >= 0, c == '<' && i > 0 && code[i-1] > ' ' && code[i-1] != '<':
			open = append(open, bracket{parameters{line, 1}, c, i + 1})
		case c == '>' && last.open == '<':
			open = open[:len(open)-1]
		case strings.IndexByte(")]}", c) >= 0:
			for last.open == '<' { // which is a comparison
				open = open[:len(open)-1]
				last = &open[len(open)-1]
			}
			if last.open == '(' && last.n > maxParameters && declared.MatchString(code[last.at:i]) &&
				!pointer.MatchString(code[:last.at]) {
				found = append(found, last.parameters)
			}
			open = open[:max(1, len(open)-1)]
		}
	}
	return found
}
