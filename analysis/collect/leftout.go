// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/analysis/scale"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

// Left is the runs of one study, or outside studies, that are in no table, for one reason.
type Left struct {
	Study string // as in Kind
	Runs  []*Run
	Why   string
}

// The reasons why a run is in no point.
const (
	NotValid = "not valid"
	Repeated = "repeated later by another version of the program"
	Shorter  = "fewer searches than another run"
)

// LeftOut returns the runs of the set that are in no table. why returns the reason why a table lacks a point, or "".
func (s *Set) LeftOut(why func(Point) string) (all []Left) {
	reason := map[*Run]string{}
	for _, p := range s.Points {
		text := why(p)
		for _, r := range p.Runs {
			reason[r] = text
		}
	}
	for _, r := range s.Runs {
		text, current := reason[r]
		switch {
		case current && text == "":
			continue
		case r.TEPS == nil:
			text = NotValid
		case !current:
			text = Repeated
			longer := func(p Point) bool { return r.isOf(p) && len(p.Typical.Searches) > len(r.Searches) }
			if slices.ContainsFunc(s.Points, longer) {
				text = Shorter
			}
		}
		of := lists.At(&all, func(l Left) bool { return l.Study == r.Kind.Study && l.Why == text },
			Left{Study: r.Kind.Study, Why: text})
		of.Runs = append(of.Runs, r)
	}
	return all
}

// OutsideScaling returns the runs of the set that are in no scaling table. Valid runs outside studies need none if all
// have one number of ranks.
func (s *Set) OutsideScaling() []Left {
	needless := !slices.ContainsFunc(s.Points, func(p Point) bool {
		return p.Kind.Study != "" || p.Ranks != s.Points[0].Ranks
	})
	left := s.LeftOut(func(p Point) string {
		if needless || slices.ContainsFunc(s.Series, func(s Series) bool { return s.has(p) }) {
			return ""
		}
		return whyAlone(p, s.Points)
	})
	for i := range left {
		left[i].Runs = slices.DeleteFunc(left[i].Runs, s.hasRow)
	}
	return slices.DeleteFunc(left, func(l Left) bool { return len(l.Runs) == 0 })
}

// hasRow reports whether a run that is not valid is the reason in a row of a lost size.
func (s *Set) hasRow(r *Run) bool {
	return r.TEPS == nil && slices.ContainsFunc(s.Series, func(series Series) bool {
		return series.Kind.Study == r.Kind.Study && slices.ContainsFunc(series.Lost, func(l Lost) bool {
			return l.Units == r.Units && l.Scale == r.Scale
		})
	})
}

// whyAlone returns the reason why a point is in no series: the differences from the nearest one on other ranks.
func whyAlone(p Point, points []Point) string {
	scaling := cmp.Or(p.Kind.Scaling, scale.Strong)
	own, _ := seriesScale(scaling, p)
	var nearest []string
	for _, q := range points {
		other, _ := seriesScale(scaling, q)
		if q.Ranks == p.Ranks || other != own || !oneSeries(p.Kind, q.Kind) {
			continue
		}
		if d := differences(p.Kind, q.Kind); nearest == nil || len(d) < len(nearest) {
			nearest = d
		}
	}
	if nearest == nil {
		return "no valid run on another number of ranks has the same settings"
	}
	return strings.Join(nearest, ", ")
}

// oneSeries reports whether a series would have runs of both kinds if the settings of differences were equal. Runs
// outside studies are meant to be a series only on one machine.
func oneSeries(a, b Kind) bool {
	return a.Study == b.Study && a.Kernel == b.Kernel && a.Prune == b.Prune && a.Factor == b.Factor &&
		(a.Scaling != "" || a.Machine == b.Machine && a.Engine == b.Engine && a.Settings() == b.Settings())
}

// differences describes the settings of runs that keep them out of the series of others.
func differences(runs, others Kind) (all []string) {
	add := func(name, a, b, cure string) {
		if a != b {
			all = append(all, fmt.Sprintf("%s, and %s on other numbers of ranks%s", name+a, b, cure))
		}
	}
	add("machine ", runs.Machine, others.Machine, "")
	add("engine ", runs.Engine, others.Engine, "")
	add("", Count(runs.Threads, "thread")+" per rank", Count(others.Threads, "thread")+" per rank",
		": give all runs the same --threads")
	add("settings ", cmp.Or(runs.Settings(), "default"), cmp.Or(others.Settings(), "default"), "")
	return all
}

// Count returns the number of stored runs.
func (l Left) Count() int { return len((&Set{Runs: l.Runs}).stored()) }

// String names the runs by scales and ranks, and the reason.
func (l Left) String() string {
	scales := lists.Of(l.Runs, func(r *Run) int { return r.Scale })
	ranks := lists.Of(l.Runs, func(r *Run) int { return r.Ranks })
	who := Count(l.Count(), "run")
	switch {
	case l.Count() == 1:
		who = l.Runs[0].Name()
	case l.Study != "" && l.Study != ".":
		who += " of " + l.Study
	}
	return fmt.Sprintf("%s %s: %s", who, Places(scales, ranks), l.Why)
}

// Places describes the scales and ranks of points: at scales 10 and 12 on 1, 2 and 4 ranks.
func Places(scales, ranks []int) string {
	scales, ranks = lists.Distinct(scales), lists.Distinct(ranks)
	scale, rank := "scales", "ranks"
	if len(scales) == 1 {
		scale = "scale"
	}
	if len(ranks) == 1 && ranks[0] == 1 {
		rank = "rank"
	}
	return fmt.Sprintf("at %s %s on %s %s", scale, list(scales), list(ranks), rank)
}

// mostNumbers is the maximum number of numbers in a list; of more it has the first and the last.
const mostNumbers = 5

func list(numbers []int) string {
	texts := lists.Of(numbers, strconv.Itoa)
	if last := len(texts) - 1; last >= mostNumbers {
		return texts[0] + " to " + texts[last]
	}
	return output.List(texts, "and")
}

// Lost is a size of a study's plan without a valid run.
type Lost struct {
	Units  int    `json:"units"`
	Scale  int    `json:"scale"`
	Failed int    `json:"failed_runs"` // runs that are not valid
	Why    string `json:"reason"`      // why the first of them is not valid; NotRun if there is none
}

// NotRun is the reason of a size that has no run at all.
const NotRun = "not run yet"

// plan adds the plan of the series' study.
func (s *Set) plan(series *Series) {
	study, planned := s.studies[series.Kind.Study]
	if !planned || series.Kind.Study == "" {
		return
	}
	series.Repeats = study.Repeats
	for _, p := range study.Plan() {
		common, _ := seriesScale(series.Scaling, Point{Scale: p.Scale, Units: p.Units})
		// The configuration chooses the kernel if the plan does not.
		has := p.Kernel == "" || slices.Contains(record.Kernels(p.Kernel), series.Kind.Kernel)
		if p.Repeat > 1 || common != series.Scale || !has {
			continue
		}
		if lost := s.lost(p, series.Kind); lost != nil {
			series.Lost = append(series.Lost, *lost)
		}
	}
	slices.SortFunc(series.Lost, func(a, b Lost) int { return a.Units - b.Units })
}

// lost returns the size of a planned run if it has no valid run of the kind's study and kernel, nil otherwise.
func (s *Set) lost(p scale.Planned, of Kind) *Lost {
	l := Lost{Units: p.Units, Scale: p.Scale, Why: NotRun}
	for _, r := range s.Runs {
		switch {
		case r.Kind.Study != of.Study || r.Scale != p.Scale || r.Units != p.Units:
		case r.TEPS == nil && (p.Kernel == "" || r.Kernel == of.Kernel):
			if l.Failed++; l.Failed == 1 {
				l.Why = r.Verdict()
			}
		case r.TEPS != nil && r.Kernel == of.Kernel:
			return nil
		}
	}
	return &l
}
