package page

import (
	"fmt"

	"g500/analysis/plot"
	"g500/analysis/report"
	"g500/lab/study"
)

// Count returns the number of studies as text.
func Count(results []study.Result) string {
	if len(results) == 1 {
		return "1 study"
	}
	return fmt.Sprintf("%d studies", len(results))
}

// Of returns the page of studies.
func Of(title string, results []study.Result) report.Page {
	p := report.Page{Title: title, Summary: study.SummaryTable(results)}
	p.Lead = fmt.Sprintf("Claims of papers, measured under one set of rules: %s.", Count(results))
	for _, r := range results {
		p.Tables = append(p.Tables, r.Tables()...)
	}
	if picture := Rates(results); picture != nil {
		p.Groups = []report.Group{{Name: picture.Group, Pictures: []*plot.Picture{picture}}}
	}
	if pictures := Levels(results); len(pictures) > 0 {
		p.Groups = append(p.Groups, report.Group{Name: pictures[0].Group, Pictures: pictures})
	}
	return p
}
