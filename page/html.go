package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"g500/plots"
)

//go:embed page.gohtml
var text string

var form = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(plots.Style()) },
	"inline": func(p *plots.Picture) (template.HTML, error) {
		svg, err := p.Inline()
		return template.HTML(svg), err
	},
}).Parse(text))

// WriteHTML writes the report as one page.
func (p Page) WriteHTML(w io.Writer) error {
	if err := form.Execute(w, p); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}
