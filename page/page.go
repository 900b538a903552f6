package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/plots"
	"g500/report"
	"g500/survey"
)

// Page is what a report shows.
type Page struct {
	Title   string
	Lead    string // a few sentences: what was run, when and by which program, and the best result
	Made    string // which program made the page, and when; "" leaves it out
	Summary survey.Table
	Groups  []Group
	Tables  []survey.Table
}

// Group is pictures with a heading.
type Group struct {
	Name     string
	Pictures []*plots.Picture
}

// New makes the report of a set of runs.
func New(title string, set *survey.Set) Page {
	p := Page{Title: title, Lead: lead(set), Summary: set.SummaryTable(), Tables: set.Tables()}
	for _, picture := range plots.Of(set) {
		if last := len(p.Groups) - 1; last < 0 || p.Groups[last].Name != picture.Group {
			p.Groups = append(p.Groups, Group{Name: picture.Group})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Pictures = append(last.Pictures, picture)
	}
	return p
}

// Pictures are those of all groups.
func (p Page) Pictures() (all []*plots.Picture) {
	for _, g := range p.Groups {
		all = append(all, g.Pictures...)
	}
	return all
}

// ID is the group's name in links.
func (g Group) ID() string { return "group-" + strings.ReplaceAll(strings.ToLower(g.Name), " ", "-") }

// lead counts the runs, says when they were made and by what, and names the best.
func lead(set *survey.Set) string {
	valid := 0
	for _, r := range set.Runs {
		if r.Status == report.Valid {
			valid++
		}
	}
	text := fmt.Sprintf("%s of the Graph500 breadth-first search", survey.Count(len(set.Runs), "run"))
	if first, last := set.Dates(); first == last && first != "" {
		text += " of " + first
	} else if first != "" {
		text += " from " + first + " to " + last
	}
	text += fmt.Sprintf(", %d valid, by %s.", valid, strings.Join(set.Programs(), ", "))
	if older := set.Superseded(); older > 0 {
		text += fmt.Sprintf(" %s older than another version's of the same point: in the table of runs, and in nothing else.",
			survey.Count(older, "valid run")+map[bool]string{true: " is", false: " are"}[older == 1])
	}
	points := set.Points()
	if len(points) > 0 {
		best := slices.MaxFunc(points, func(a, b survey.Point) int { return cmp.Compare(a.TEPS.Median, b.TEPS.Median) })
		text += fmt.Sprintf(" The best is %v on %v: %s, harmonic mean of %d searches.", best, best.Kind,
			report.FormatTEPS(best.TEPS.Median), best.Searches())
		text += " Results of searches have 64 bits a parent where nothing else is said."
	}
	return text
}
