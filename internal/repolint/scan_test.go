// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"regexp"
	"slices"
	"strings"
)

// quoted matches the code that the scanner skips: comments, text, characters. The first alternative is a number,
// because C++ allows single quotes between digits.
var quoted = regexp.MustCompile(`\b[0-9][0-9a-fA-FxX]*(?:'[0-9a-fA-F]+)+|//[^\n]*|(?s:/\*.*?\*/)|` +
	`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'` + "|`[^`]*`")

// directive matches a preprocessor directive with its continuation lines.
var directive = regexp.MustCompile(`(?m)^[ \t]*#(?:\\\n|[^\n])*`)

// bare returns code without comments and text. Line numbers do not change.
func bare(code string) string {
	return quoted.ReplaceAllStringFunc(code, func(s string) string {
		if s[0] >= '0' && s[0] <= '9' {
			return strings.ReplaceAll(s, "'", "")
		}
		return " " + strings.Repeat("\n", strings.Count(s, "\n"))
	})
}

// mark is a token of C++ with its line.
type mark struct {
	text string
	line int
}

func (m mark) isName() bool { return cName.MatchString(m.text) }

var (
	cName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	cMark = regexp.MustCompile(`\n|\w+|::|->|<<=?|>=|<=|[=!]=|\S`)
)

// scanC splits C, C++ or CUDA code into tokens, without comments, text and directives.
func scanC(code string) (all []mark) {
	code = directive.ReplaceAllStringFunc(bare(code), func(s string) string {
		return strings.Repeat("\n", strings.Count(s, "\n"))
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

// notFunctions are words before "(" that are not names of functions.
var notFunctions = []string{
	"if", "for", "while", "switch", "return", "catch", "sizeof", "alignof", "alignas", "decltype", "noexcept", "throw",
	"requires", "explicit", "static_assert", "defined", "asm", "__asm__", "__attribute__", "__declspec", "__align__",
	"__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__",
}

// cFunctions returns the functions, methods, kernels and lambdas that C, C++ or CUDA code defines or declares. It is
// not a compiler: it recognises namespaces, classes and bodies by their braces, and a function by a name before "(" in
// a declaration.
func cFunctions(code string) (found []function) {
	all := scanC(code)
	declares := []bool{true} // per open brace, and for the file: whether functions are declared inside
	var head []mark          // the declaration so far
	for i := 0; i < len(all); i++ {
		m := all[i]
		switch {
		case m.text == "(" || m.text == "[":
			end := closing(all, i)
			found = append(found, lambdas(all, i, end)...)
			head = append(head, all[i:end+1]...)
			i = end
		case m.text == ";":
			if fn, ok := declared(head); ok && declares[len(declares)-1] {
				found = append(found, fn)
			}
			head = nil
		case m.text == "{" && initialises(head):
			i = closing(all, i)
		case m.text == "{":
			fn, ok := declared(head)
			if ok = ok && declares[len(declares)-1]; ok {
				found = append(found, fn)
			}
			declares = append(declares, !ok && opensDeclarations(head, declares[len(declares)-1]))
			head = nil
		case m.text == "}":
			if len(declares) > 1 {
				declares = declares[:len(declares)-1]
			}
			head = nil
		case m.text == ":" && len(head) == 1: // public: and labels
			head = nil
		default:
			head = append(head, m)
		}
	}
	return found
}

// opensDeclarations reports whether the brace after head opens a namespace or class.
func opensDeclarations(head []mark, outside bool) bool {
	is := func(word string) bool {
		return slices.ContainsFunc(head, func(m mark) bool { return m.text == word })
	}
	if is("enum") || is("=") || is(")") && !is("__align__") && !is("alignas") && !is("template") {
		return false
	}
	return is("struct") || is("class") || is("union") || outside && (is("namespace") || is("extern"))
}

// initialises reports whether the brace after head initialises a member in a constructor's list.
func initialises(head []mark) bool {
	if len(head) == 0 || !head[len(head)-1].isName() && head[len(head)-1].text != ">" {
		return false
	}
	fn := parameterList(head)
	if fn < 0 {
		return false
	}
	after := closing(head, fn) + 1
	return after < len(head) && head[after].text == ":"
}

// declared returns the function that head declares, if any.
func declared(head []mark) (function, bool) {
	at := parameterList(head)
	if at < 0 {
		return function{}, false
	}
	named := head[at-1]
	if !named.isName() {
		named.text = "an operator"
	}
	return function{named.text, named.line, countParameters(head[at+1 : closing(head, at)])}, true
}

// parameterList returns the index of the "(" before the parameters of the function that head declares, -1 if it
// declares none.
func parameterList(head []mark) int {
	for i := 0; i < len(head); i++ {
		switch m := head[i]; {
		case m.text == "template" && i+1 < len(head) && head[i+1].text == "<":
			i = closing(head, i+1)
		case m.text == "using" || m.text == "typedef" || m.text == "=" || m.text == "friend":
			return -1
		case m.text == "operator":
			if i+2 < len(head) && head[i+1].text == "(" && head[i+2].text == ")" {
				i += 2 // operator()
			}
			for i++; i < len(head); i++ {
				if head[i].text == "(" {
					return i
				}
			}
		case m.text == "(":
			if i > 0 && head[i-1].isName() && !slices.Contains(notFunctions, head[i-1].text) {
				return i
			}
			i = closing(head, i)
		}
	}
	return -1
}

// lambdas returns the lambdas whose captures begin between two indices.
func lambdas(all []mark, from, to int) (found []function) {
	for i := from; i <= to; i++ {
		if all[i].text != "[" || inType(all, i) {
			continue
		}
		list := closing(all, i) + 1
		if list >= len(all) || all[list].text != "(" {
			continue
		}
		end := closing(all, list)
		if end+1 < len(all) && slices.Contains([]string{"{", "mutable", "->", "noexcept", "__device__"}, all[end+1].text) {
			found = append(found, function{"a lambda", all[i].line, countParameters(all[list+1 : end])})
		}
	}
	return found
}

// inType reports whether "[" is an index or a dimension, and not the start of a lambda.
func inType(all []mark, at int) bool {
	return at > 0 && (all[at-1].isName() && all[at-1].text != "return" || all[at-1].text == "]" || all[at-1].text == ")")
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
