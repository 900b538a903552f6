package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"g500/analysis/plot"
)

//go:embed page.gohtml
var text string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(libraryStyle + "\n" + style + plot.Style()) },
	"script":    func() template.JS { return program },
	"policy":    Page.policy,
	"summarise": summarise,
	"signed":    signed,
	"inline":    func(p *plot.Picture) template.HTML { return template.HTML(p.Inline()) },
}).Parse(text))

// WriteHTML writes the report as one HTML page.
func (p Page) WriteHTML(w io.Writer) error {
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
