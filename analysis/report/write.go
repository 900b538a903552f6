// SPDX-License-Identifier: Apache-2.0

package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
	texttemplate "text/template"

	"g500/analysis/collect"
	"g500/internal/output"
)

//go:embed page.gohtml
var text string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(style) },
	"script":    func() template.JS { return program },
	"policy":    func() string { return policy },
	"summarise": summarise,
	"signed":    signed,
	"count":     collect.Count,
	"span":      span,
}).Parse(text))

// span returns the number of columns of a cell that is a sentence over the others, 0 for another cell.
func span(t output.Table, row []string, cell int) int {
	if len(row) == len(t.Head) || cell < len(row)-1 {
		return 0
	}
	return len(t.Head) - cell
}

// WriteHTML writes the report as one HTML page.
func (p Page) WriteHTML(w io.Writer) error { return p.write(w, pageTemplate) }

func (p Page) write(w io.Writer, template interface{ Execute(io.Writer, any) error }) error {
	if err := template.Execute(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// library has the plotting libraries with their licences, as their packages have them (library/README.md).
//
//go:embed library
var library embed.FS

// The page's own script and style.
var (
	//go:embed script/*.js
	scripts embed.FS
	//go:embed page.css
	style string
)

// program is the whole script of the page: the libraries, each with its licence as every copy must have it, then the
// files of script by name inside one function. They start with the event DOMContentLoaded (page.js).
var program = func() template.JS {
	all := ""
	for _, name := range []string{"d3", "plot"} {
		all += "/*\n" + contents(library, "library/LICENSE."+name) + "*/\n" +
			contents(library, "library/"+name+".*js")
	}
	return template.JS(all + "\n(() => {\n\"use strict\";\n" + contents(scripts, "script/*.js") + "})();\n")
}()

// contents returns the text of all files of a pattern, which are in the program.
func contents(files embed.FS, pattern string) (all string) {
	names, err := fs.Glob(files, pattern)
	for _, name := range names {
		var text []byte
		if text, err = files.ReadFile(name); err == nil {
			all += string(text)
		}
	}
	if err != nil {
		panic(err) // impossible
	}
	return all
}

// policy is the content security policy of a page: only this script may run.
var policy = func() string {
	sum := sha256.Sum256([]byte(program))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

//go:embed page.gomd
var markdown string

var markdownTemplate = texttemplate.Must(texttemplate.New("page").Funcs(texttemplate.FuncMap{"escape": escape}).
	Parse(markdown))

// WriteMarkdown writes the tables of the report.
func (p Page) WriteMarkdown(w io.Writer) error { return p.write(w, markdownTemplate) }

// escape escapes a text, so that it has no link or element and stays in its cell.
func escape(text string) string {
	return strings.NewReplacer("\n", " ", "<", "&lt;", `\`, `\\`, "|", `\|`, "[", `\[`, "`", "\\`").
		Replace(text)
}
