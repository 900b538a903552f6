package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
)

// The plotting library, as its package has it (uplot/README.md).
var (
	//go:embed uplot/uPlot.iife.min.js
	library string
	//go:embed uplot/uPlot.min.css
	libraryStyle string
	//go:embed uplot/LICENSE
	licence string
)

// The page's own script and style.
var (
	//go:embed script/*.js
	scripts embed.FS
	//go:embed page.css
	style string
)

// program is the whole script of the page: the library, with its licence as every copy must have it, then the files of
// script in the order of their names inside one function. They start with the event DOMContentLoaded (page.js).
var program = func() template.JS {
	var all strings.Builder
	all.WriteString("/*\n" + licence + "*/\n" + library + "\n(() => {\n\"use strict\";\n")
	files, err := scripts.ReadDir("script")
	for _, file := range files {
		var text []byte
		if text, err = scripts.ReadFile("script/" + file.Name()); err == nil {
			all.Write(text)
		}
	}
	if err != nil {
		panic(err) // impossible: the files are in the program
	}
	all.WriteString("})();\n")
	return template.JS(all.String())
}()

// policy returns the content security policy of a page: with data, only this script may run.
func (p Page) policy() string {
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
	if p.Data != nil {
		sum := sha256.Sum256([]byte(program))
		policy += "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return policy
}
