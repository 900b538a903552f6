// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"regexp"
	"slices"
	"strings"
)

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
