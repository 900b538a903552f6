package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/analysis/plot"
	"g500/record"
)

// Page is what a report shows.
type Page struct {
	Title   string
	Lead    string // a few sentences: what was run, when and by which program, and the best result
	Made    string // which program made the page, and when; "" leaves it out
	Summary collect.Table
	Groups  []Group
	Tables  []collect.Table
}

// Group is pictures with a heading.
type Group struct {
	Name     string
	Pictures []*plot.Picture
}

// New makes the report of a set of runs.
func New(title string, set *collect.Set) Page {
	p := Page{Title: title, Lead: lead(set), Summary: set.SummaryTable(), Tables: set.Tables()}
	for _, picture := range plot.Of(set) {
		if last := len(p.Groups) - 1; last < 0 || p.Groups[last].Name != picture.Group {
			p.Groups = append(p.Groups, Group{Name: picture.Group})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Pictures = append(last.Pictures, picture)
	}
	return p
}

// Pictures are those of all groups.
func (p Page) Pictures() (all []*plot.Picture) {
	for _, g := range p.Groups {
		all = append(all, g.Pictures...)
	}
	return all
}

// ID is the group's name in links.
func (g Group) ID() string { return "group-" + strings.ReplaceAll(strings.ToLower(g.Name), " ", "-") }

// lead counts the runs, says when they were made and by what, and names the best.
func lead(set *collect.Set) string {
	runs, valid := set.Count()
	text := fmt.Sprintf("%s of the Graph500 %s", collect.Count(runs, "run"), strings.Join(kernels(set), " and "))
	if first, last := set.Dates(); first == last && first != "" {
		text += " of " + first
	} else if first != "" {
		text += " from " + first + " to " + last
	}
	text += fmt.Sprintf(", %d valid, by %s.", valid, strings.Join(set.Programs(), ", "))
	if older := set.Superseded(); older > 0 {
		text += fmt.Sprintf(" %s older than another version's of the same point: in the table of runs, and in nothing else.",
			collect.Count(older, "valid run")+map[bool]string{true: " is", false: " are"}[older == 1])
	}
	for points := set.Points(); len(points) > 0; {
		kernel := points[0].Kind.KernelName()
		others := func(p collect.Point) bool { return p.Kind.KernelName() != kernel }
		of := ""
		if kernel != "" {
			of = " of " + kernel
		}
		best := slices.MaxFunc(slices.DeleteFunc(slices.Clone(points), others),
			func(a, b collect.Point) int { return cmp.Compare(a.TEPS.Median, b.TEPS.Median) })
		text += fmt.Sprintf(" The best%s is %v on %v: %s, harmonic mean of %d searches.", of, best, best.Kind,
			record.FormatTEPS(best.TEPS.Median), best.Searches())
		points = slices.DeleteFunc(points, func(p collect.Point) bool { return !others(p) })
	}
	if len(set.Points()) > 0 {
		text += " Results of searches have 64 bits a parent where nothing else is said."
	}
	return text
}

// kernels names those that the runs have.
func kernels(set *collect.Set) (names []string) {
	for _, r := range set.Runs {
		if title := r.Kernel.Title(); !slices.Contains(names, title) {
			names = append(names, title)
		}
	}
	slices.Sort(names)
	return names
}
