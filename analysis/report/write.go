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
	"slices"
	"strings"

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
func (p Page) WriteHTML(w io.Writer) error {
	if err := pageTemplate.Execute(w, p); err != nil {
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

// WriteMarkdown writes the tables of the report.
func (p Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", escape(p.Title), escape(p.Lead))
	if p.Trust.Noise != "" {
		fmt.Fprintf(&b, "\n**%s**\n", escape(p.Trust.Noise))
	}
	if p.Banner.Runs > 0 {
		fmt.Fprintf(&b, "\n**%s**\n\n", escape(p.Banner.Title()))
		for _, run := range p.Banner.First {
			fmt.Fprintf(&b, "- %s\n", escape(run))
		}
		if p.Banner.More > 0 {
			fmt.Fprintf(&b, "- and %d more\n", p.Banner.More)
		}
	}
	if p.Made != "" {
		fmt.Fprintf(&b, "\n%s\n", escape(p.Made))
	}
	b.WriteString("\n" + markdownTable(p.Summary))
	for _, t := range slices.Concat(p.Tables, p.Sources) {
		b.WriteString("\n" + markdownTable(t))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func markdownTable(t output.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(t.Title))
	if t.Note != "" {
		b.WriteString(escape(t.Note) + "\n\n")
	}
	row := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + escape(cell) + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Head)
	b.WriteString(strings.Repeat("|---", t.Words) + strings.Repeat("|---:", len(t.Head)-t.Words) + "|\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	return b.String()
}

// escape escapes a text, so that it has no link or element and stays in its cell.
func escape(text string) string {
	return strings.NewReplacer("\n", " ", "<", "&lt;", `\`, `\\`, "|", `\|`, "[", `\[`, "`", "\\`").
		Replace(text)
}
