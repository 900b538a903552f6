// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"slices"

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
	p.Figures = slices.Concat(Rates(results), Published(results), Levels(results))
	return p
}
