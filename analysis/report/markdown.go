// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"g500/internal/output"
)

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
