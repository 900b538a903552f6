package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/analysis/compare"
)

// The settings of comparisons: the confidence of intervals, and the difference in percent that counts as none.
const (
	confidence = 0.95
	same       = 1
)

// Change compares the newest runs of a point with the runs of the version before.
type Change struct {
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
	case compare.Same:
		return "same"
	}
	return "ambiguous"
}

// changesOf compares points of the last day of each machine with the version before, the largest gain first.
func changesOf(set *collect.Set) (all []Change) {
	points := set.Points()
	machines, last := machinesOf(points), map[string]string{}
	names := namesOf(machines)
	for _, p := range points {
		last[p.Kind.Machine] = max(last[p.Kind.Machine], dayOf(p))
	}
	for _, p := range points {
		before := versionBefore(set, p)
		if before == nil || dayOf(p) != last[p.Kind.Machine] {
			continue
		}
		c, err := compare.Sets(&collect.Set{Runs: before.Runs}, &collect.Set{Runs: p.Runs}, confidence, same)
		if err != nil || len(c.Points) != 1 {
			continue
		}
		change := changeOf(c.Points[0], *before, p)
		change.Colour = slices.Index(machines, p.Kind.Machine)
		change.Machine = names[change.Colour]
		all = append(all, change)
	}
	slices.SortStableFunc(all, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Colour, b.Colour), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(b.Percent, a.Percent))
	})
	return all
}

func changeOf(c compare.Point, before, now collect.Point) Change {
	kernel := now.Kind.Kernel.Abbreviation()
	if now.Kind.Prune != "" {
		kernel += ", pruned"
	}
	units := units(now.Kind, now.Ranks)
	if different := setting(now.Kind); different != "" {
		units += ", " + different
	}
	change := Change{
		Kernel: kernel, Scale: now.Scale, Units: units,
		Before: collect.GTEPS(c.A.TEPS), Now: collect.GTEPS(c.B.TEPS),
		From: commitOf(before.Program()), To: commitOf(now.Program()), FromDate: collect.Date(dayOf(before)),
		Percent: c.Percent, Verdict: c.Says, Folder: now.Typical().Folder,
	}
	if c.Low != nil {
		change.Interval = c.Interval(signed)
	}
	kernel1 := func(p collect.Point) float64 {
		return p.Spread(func(r *collect.Run) float64 { return r.KernelRun.ConstructionSeconds }).Median
	}
	if a, b := kernel1(before), kernel1(now); a > 0 && b > 0 {
		change.Kernel1 = signed(100 * (b/a - 1))
	}
	return change
}

// signed formats a difference in percent.
func signed(percent float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f%%", percent), "-", "−", 1)
}

func dayOf(p collect.Point) (last string) {
	for _, r := range p.Runs {
		last = max(last, r.Day())
	}
	return last
}

// versionBefore returns the runs of a point by the version of the program before the newest, nil if there is none.
func versionBefore(set *collect.Set, now collect.Point) *collect.Point {
	older := &collect.Set{}
	for _, r := range set.Runs {
		if programOf(r) != now.Program() && r.Kind == now.Kind && r.Scale == now.Scale && r.Ranks == now.Ranks {
			older.Runs = append(older.Runs, r)
		}
	}
	if points := older.Points(); len(points) == 1 {
		return &points[0]
	}
	return nil
}

// ChangeSummary counts the verdicts of a machine and kernel.
type ChangeSummary struct {
	Machine                         string
	Colour                          int
	Kernel                          string
	Faster, Slower, Same, Ambiguous int
	Largest                         *Change // of the faster and slower ones, nil if there are none
}

// Counts lists the verdicts that occur.
func (s ChangeSummary) Counts() string {
	var all []string
	for _, v := range []struct {
		n    int
		name string
	}{{s.Faster, "faster"}, {s.Slower, "slower"}, {s.Same, "the same"}, {s.Ambiguous, "ambiguous"}} {
		if v.n > 0 {
			all = append(all, fmt.Sprintf("%d %s", v.n, v.name))
		}
	}
	return strings.Join(all, ", ")
}

// summarise counts the verdicts of the changes by machine and kernel, in their order.
func summarise(changes []Change) (all []ChangeSummary) {
	for i := range changes {
		c := &changes[i]
		if n := len(all); n == 0 || all[n-1].Machine != c.Machine || all[n-1].Kernel != c.Kernel {
			all = append(all, ChangeSummary{Machine: c.Machine, Colour: c.Colour, Kernel: c.Kernel})
		}
		s := &all[len(all)-1]
		switch c.Verdict {
		case compare.Faster:
			s.Faster++
		case compare.Slower:
			s.Slower++
		case compare.Same:
			s.Same++
			continue
		default:
			s.Ambiguous++
			continue
		}
		if s.Largest == nil || math.Abs(c.Percent) > math.Abs(s.Largest.Percent) {
			s.Largest = c
		}
	}
	return all
}
