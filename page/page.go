package page

import (
	"cmp"
	"fmt"
	"slices"

	"g500/plots"
	"g500/report"
	"g500/survey"
)

// Page is what a report shows.
type Page struct {
	Title    string
	Lead     string // a few sentences: what was run, and the best result
	Pictures []*plots.Picture
	Tables   []survey.Table
}

// New makes the report of a set of runs.
func New(title string, set *survey.Set) Page {
	return Page{Title: title, Lead: lead(set), Pictures: plots.Of(set), Tables: set.Tables()}
}

// lead counts the runs and names the best.
func lead(set *survey.Set) string {
	points := set.Points()
	valid := 0
	for _, p := range points {
		valid += len(p.Runs)
	}
	text := fmt.Sprintf("%s of the Graph500 breadth-first search, %d valid.", survey.Count(len(set.Runs), "run"), valid)
	if len(points) > 0 {
		best := slices.MaxFunc(points, func(a, b survey.Point) int { return cmp.Compare(a.TEPS.Median, b.TEPS.Median) })
		text += fmt.Sprintf(" The best is %v on %v: %s, harmonic mean of %d searches.", best, best.Kind,
			report.FormatTEPS(best.TEPS.Median), best.Searches())
	}
	return text
}
