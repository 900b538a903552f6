// SPDX-License-Identifier: Apache-2.0

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.gohtml
var text string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(style) },
	"script":    func() template.JS { return program },
	"policy":    func() string { return policy },
	"summarise": summarise,
	"signed":    signed,
}).Parse(text))

// WriteHTML writes the report as one HTML page.
func (p Page) WriteHTML(w io.Writer) error {
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
