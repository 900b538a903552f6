// SPDX-License-Identifier: Apache-2.0

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

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
