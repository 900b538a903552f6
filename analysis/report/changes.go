// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/analysis/compare"
	"g500/record"
)

// same is the difference in percent that counts as none.
const same = 1

// Change compares the newest runs of a point with the release before or else with the commit before.
type Change struct {
	Release     bool // the versions differ, not only the commits
	Machine     string
	Colour      int
	Kernel      string
	Scale       int
	Units       string
	Before, Now string // in GTEPS
	From, To    string // commits
	FromDate    string
	Percent     float64
	Interval    string
	Verdict     compare.Verdict
	Kernel1     string // difference of the time of kernel 1, "" if unknown

	Folder string // of the typical run now
}

// Bar returns the length of a bar, in percent of half the column, at most 100.
func (c Change) Bar() float64 { return min(100, math.Abs(c.Percent)*4) }

// Beyond reports whether the change is longer than its bar.
func (c Change) Beyond() bool { return math.Abs(c.Percent) > 25 }

// Sign returns the CSS class of the verdict.
func (c Change) Sign() string {
	switch c.Verdict {
	case compare.Faster:
		return "up"
	case compare.Slower:
		return "down"
	}
	return string(c.Verdict)
}

// before returns the same point by the newest version with another number, or by the commit before if there is none.
func before(p collect.Point) *collect.Point {
	for q := p.Before; q != nil; q = q.Before {
		if q.Program.Version != p.Program.Version {
			return q
		}
	}
	return p.Before
}

// changesOf compares points of the last day of each machine with the version before. Changes between releases precede
// those between commits, and large gains others.
func changesOf(points []collect.Point, on machines) (all []Change) {
	last := map[string]string{}
	for _, p := range points {
		last[p.Kind.Machine] = max(last[p.Kind.Machine], p.Day)
	}
	test := compare.Comparison{Confidence: collect.Confidence, Same: same}
	for _, p := range points {
		from := before(p)
		if from == nil || p.Day != last[p.Kind.Machine] {
			continue
		}
		change := changeOf(test.Of(*from, p), *from, p)
		change.Colour = on.index(p.Kind)
		change.Machine = on.names[change.Colour]
		all = append(all, change)
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		if a.Release != b.Release {
			return map[bool]int{true: -1, false: 1}[a.Release]
		}
		return cmp.Or(cmp.Compare(a.Colour, b.Colour), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(b.Percent, a.Percent))
	})
	return all
}

func changeOf(c compare.Point, before, now collect.Point) Change {
	kernel := now.Kind.Kernel.Abbreviation()
	if now.Kind.Prune != "" {
		kernel += ", pruned"
	}
	units := now.Kind.Units(now.Ranks)
	if different := now.Kind.Unusual(); different != "" {
		units += ", " + different
	}
	change := Change{
		Release: before.Program.Version != now.Program.Version,
		Kernel:  kernel, Scale: now.Scale, Units: units,
		Before: collect.GTEPS(c.A.TEPS), Now: collect.GTEPS(c.B.TEPS),
		From: before.Program.Label(), To: now.Program.Label(), FromDate: collect.Date(before.Day),
		Percent: c.Percent, Verdict: c.Says, Folder: now.Typical.Folder,
	}
	if change.Release {
		change.From, change.To = release(before.Program), release(now.Program)
	}
	if c.Low != nil {
		change.Interval = c.Interval(signed)
	}
	if a, b := before.Construction.Median, now.Construction.Median; a > 0 && b > 0 {
		change.Kernel1 = signed(100 * (b/a - 1))
	}
	return change
}

// release returns the number and the commit of a version.
func release(p record.Program) string {
	number := strings.TrimPrefix(p.Version, "g500 ")
	if p.Label() == p.Version {
		return number
	}
	return number + ", " + p.Label()
}

// signed formats a difference in percent.
func signed(percent float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f%%", percent), "-", "−", 1)
}

// ChangeGroup is the changes between releases, or between commits of one release.
type ChangeGroup struct {
	Title   string
	Open    bool
	Changes []Change
}

// ChangeGroups returns the groups that have changes. Those between commits are folded if there are others.
func (p Page) ChangeGroups() (groups []ChangeGroup) {
	n := len(p.Changes)
	if i := slices.IndexFunc(p.Changes, func(c Change) bool { return !c.Release }); i >= 0 {
		n = i
	}
	if n > 0 {
		groups = append(groups, ChangeGroup{"Between versions", true, p.Changes[:n]})
	}
	if n < len(p.Changes) {
		groups = append(groups, ChangeGroup{"Between commits of one version", n == 0, p.Changes[n:]})
	}
	return groups
}

// ChangeSummary counts the verdicts of a machine and kernel.
type ChangeSummary struct {
	Machine string
	Colour  int
	Kernel  string
	Of      map[compare.Verdict]int
	Largest *Change // of the faster and slower ones, nil if there are none
}

// Counts lists the verdicts that occur.
func (s ChangeSummary) Counts() string {
	var all []string
	for _, v := range []compare.Verdict{compare.Faster, compare.Slower, compare.Same, compare.Ambiguous} {
		if n := s.Of[v]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, map[bool]string{true: "the "}[v == compare.Same]+string(v)))
		}
	}
	return strings.Join(all, ", ")
}

// summarise counts the verdicts of the changes by machine and kernel, in their order.
func summarise(changes []Change) (all []ChangeSummary) {
	for i := range changes {
		c := &changes[i]
		if n := len(all); n == 0 || all[n-1].Machine != c.Machine || all[n-1].Kernel != c.Kernel {
			all = append(all, ChangeSummary{Machine: c.Machine, Colour: c.Colour, Kernel: c.Kernel,
				Of: map[compare.Verdict]int{}})
		}
		s := &all[len(all)-1]
		s.Of[c.Verdict]++
		decided := c.Verdict == compare.Faster || c.Verdict == compare.Slower
		if decided && (s.Largest == nil || math.Abs(c.Percent) > math.Abs(s.Largest.Percent)) {
			s.Largest = c
		}
	}
	return all
}
