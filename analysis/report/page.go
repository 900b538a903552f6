// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/internal/lists"
	"g500/internal/output"
)

// Page is the content of a report.
type Page struct {
	Title    string
	Lead     string // a few sentences: runs, dates, machines
	Banner   Banner // the runs that do not count
	Trust    Trust
	Made     string // the program that made the page, and the date; "" for none
	Root     string // path from the page to the folder of the set, "" for the page's own
	Sections []Section
	Changes  []Change
	Data     *Data // the runs for the page's script, nil for none
	Summary  output.Table
	Figures  []Figure
	Tables   []output.Table
	Sources  []output.Table // the last tables: runs that do not count, versions of the program
}

// New returns the report of a set of runs.
func New(title string, set *collect.Set) Page {
	on := machinesOf(set.Points)
	p := Page{Title: title, Lead: lead(set, on), Summary: set.SummaryTable(), Tables: set.Tables()}
	if len(on.full) > 0 {
		p.Sources = append(p.Sources, systemTable(set, on))
	}
	if t, any := set.FaultTable(); any {
		p.Banner = bannerOf(t)
		p.Sources = append(p.Sources, t)
	}
	p.Sections, p.Changes, p.Data = sectionsOf(set, on), changesOf(set.Points, on), dataOf(set, on)
	outside, repeated := outsideScaling(set)
	if len(outside.Rows) > 0 {
		p.Sources = append(p.Sources, outside)
	}
	p.Trust = trustOf(set, p.Data.Programs)
	p.Sources = append(p.Sources, programTable(p.Data.Programs, repeated))
	return p
}

// outsideScaling lists the valid runs that no scaling table has, and counts the runs that another version of the
// program has repeated later.
func outsideScaling(set *collect.Set) (t output.Table, repeated int) {
	t = output.Table{Title: "Runs in no scaling table", Head: []string{"runs"}, Words: 1,
		Note: "A scaling table, as report.md has it, consists of runs that differ only in the number of ranks."}
	for _, left := range set.OutsideScaling() {
		switch left.Why {
		case collect.NotValid: // in the table of faults
		case collect.Repeated:
			repeated += left.Count()
		default:
			t.Row(left)
		}
	}
	return t, repeated
}

// Banner is the runs that do not count, above all results: their number, and the first ones with the reason.
type Banner struct {
	Runs  int
	First []string
	More  int // runs after the first ones
}

// shownFaults is the maximum number of runs in a banner.
const shownFaults = 5

// Title counts the runs.
func (b Banner) Title() string { return "Not counted: " + collect.Count(b.Runs, "run") }

// bannerOf returns the banner of a table of faults.
func bannerOf(faults output.Table) Banner {
	b := Banner{Runs: len(faults.Rows), More: max(0, len(faults.Rows)-shownFaults)}
	for _, row := range faults.Rows[:b.Runs-b.More] {
		b.First = append(b.First, strings.TrimPrefix(row[0]+": "+row[1], ": "))
	}
	return b
}

// Content returns the data of the page's script.
func (p Page) Content() any {
	d := cmp.Or(p.Data, new(Data))
	return struct {
		*Data
		Figures list[Figure] `json:"figures"`
	}{d, p.Figures}
}

// lead counts the runs, and names their graphs, dates and machines.
func lead(set *collect.Set, on machines) string {
	runs, valid := set.Count()
	first, last := set.Dates()
	kernels := strings.Join(kernels(set), " and ")
	parts := []string{fmt.Sprintf("%s of the Graph500 %s", collect.Count(runs, "run"), kernels)}
	switch others := set.OnOtherGraphs(); others {
	case 0:
	case runs:
		parts[0] = fmt.Sprintf("%s of %s on other graphs than the official one", collect.Count(runs, "run"), kernels)
	default:
		parts = append(parts, fmt.Sprintf("%d on other graphs", others))
	}
	if valid == runs {
		parts = append(parts, "all valid")
	} else {
		parts = append(parts, fmt.Sprintf("%d valid", valid))
	}
	if machines := len(on.full); machines > 0 {
		parts = append(parts, "on "+collect.Count(machines, "kind")+" of machine")
	}
	if first == last && first != "" {
		parts = append(parts, collect.Date(first))
	} else if first != "" {
		parts = append(parts, collect.Date(first)+" to "+collect.Date(last))
	}
	text := strings.Join(parts, ", ") + "."
	if planned, missing := set.Planned(); missing > 0 {
		text += fmt.Sprintf(" Missing: %d of %s; start g500 scale again to add them.",
			missing, collect.Count(planned, "planned run"))
	}
	return text
}

// programTable lists the versions of the program, of which older ones made the superseded runs.
func programTable(versions []Version, superseded int) output.Table {
	t := output.Table{Title: "Versions of the program", Words: 1, Head: []string{"program", "runs", "first", "last"}}
	if len(versions) == 1 {
		t.Note = "To compare with another version, run g500 compare BEFORE AFTER on the folders of both."
	}
	if superseded > 0 {
		t.Note = fmt.Sprintf("Newer versions have repeated %s; plots and tables show them only if a version is chosen.",
			collect.Count(superseded, "valid run"))
	}
	for _, p := range slices.Backward(versions) {
		t.Row(p.Name, p.Runs, collect.Date(p.First), collect.Date(p.Last))
	}
	return t
}

// kernels names the kernels of the runs.
func kernels(set *collect.Set) []string {
	return lists.Distinct(lists.Of(set.Runs, func(r *collect.Run) string { return r.Kernel.Title() }))
}
