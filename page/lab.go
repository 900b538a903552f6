package page

import (
	"fmt"

	"g500/lab/study"
	"g500/plots"
	"g500/survey"
)

// OfStudies makes the page of studies in the laboratory: verdicts, the picture, and the tables of each study.
func OfStudies(title string, results []study.Result) Page {
	p := Page{Title: title, Summary: study.SummaryTable(results)}
	p.Lead = fmt.Sprintf("What papers say of their strategies for breadth-first search, measured under one set of rules: %s.",
		survey.Count(len(results), "paper"))
	for _, r := range results {
		p.Tables = append(p.Tables, r.Tables()...)
	}
	if picture := plots.LabRates(results); picture != nil {
		p.Groups = []Group{{Name: picture.Group, Pictures: []*plots.Picture{picture}}}
	}
	return p
}
