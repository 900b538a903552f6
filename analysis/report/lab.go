package report

import (
	"fmt"

	"g500/analysis/collect"
	"g500/analysis/plot"
	"g500/lab/study"
)

// OfStudies returns the page of studies in the laboratory: verdicts, the picture, and the tables of each study.
func OfStudies(title string, results []study.Result) Page {
	p := Page{Title: title, Summary: study.SummaryTable(results)}
	p.Lead = fmt.Sprintf("Claims of %s, measured under one set of rules.",
		collect.Count(len(results), "paper"))
	for _, r := range results {
		p.Tables = append(p.Tables, r.Tables()...)
	}
	if picture := plot.LabRates(results); picture != nil {
		p.Groups = []Group{{Name: picture.Group, Pictures: []*plot.Picture{picture}}}
	}
	if pictures := plot.LabLevels(results); len(pictures) > 0 {
		p.Groups = append(p.Groups, Group{Name: pictures[0].Group, Pictures: pictures})
	}
	return p
}
