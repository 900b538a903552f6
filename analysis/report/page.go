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

// Page is the content of a report.
type Page struct {
	Title   string
	Lead    string // a few sentences: runs, dates, programs and the best result
	Made    string // the program that made the page, and the date; "" for none
	Summary collect.Table
	Groups  []Group
	Tables  []collect.Table
}

// Group is pictures with a heading.
type Group struct {
	Name     string
	Pictures []*plot.Picture
}

// New returns the report of a set of runs.
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

// Pictures returns the pictures of all groups.
func (p Page) Pictures() (all []*plot.Picture) {
	for _, g := range p.Groups {
		all = append(all, g.Pictures...)
	}
	return all
}

// ID returns the group's name in links.
func (g Group) ID() string { return "group-" + strings.ReplaceAll(strings.ToLower(g.Name), " ", "-") }

// lead counts the runs, and names their dates, programs and best results.
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
		text += fmt.Sprintf(" A newer version of the program replaces %s, listed only in the table of runs.",
			collect.Count(older, "valid run"))
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
		text += " Results of searches have 64 bits per parent unless another number is given."
	}
	return text
}

// kernels names the kernels of the runs.
func kernels(set *collect.Set) (names []string) {
	for _, r := range set.Runs {
		if title := r.Kernel.Title(); !slices.Contains(names, title) {
			names = append(names, title)
		}
	}
	slices.Sort(names)
	return names
}
