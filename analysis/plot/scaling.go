package plot

import (
	"fmt"
	"slices"

	"g500/analysis/collect"
	"g500/analysis/scale"
)

// mostLines is the maximum number of lines of one kind in a picture. Tables have all.
const mostLines = 3

// few returns at most mostLines of a list.
func few[T any](all []T) []T { return spread(all, mostLines) }

// spread returns at most that many elements of a list, evenly spread from the first to the last.
func spread[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	var some []T
	for i := range most {
		some = append(some, all[i*(len(all)-1)/(most-1)])
	}
	return some
}

// groupBy groups elements by a key, in the order of first occurrence.
func groupBy[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, x := range all {
		i, known := at[key(x)]
		if !known {
			i, groups = len(groups), append(groups, nil)
			at[key(x)] = i
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// apart divides lines into pictures: one without a name or, if there are more lines than colours, one per machine.
func apart[T any](all []T, kind func(T) collect.Kind) (pictures [][]T, names []string) {
	if len(all) <= len(lineTones) {
		return [][]T{all}, []string{""}
	}
	for _, lines := range groupBy(all, func(line T) collect.Kind { return machineOf(kind(line)) }) {
		pictures = append(pictures, spread(lines, len(lineTones)))
		names = append(names, machineOf(kind(lines[0])).String())
	}
	return pictures, names
}

// overRanks draws TEPS over ranks, each series of one scaling with its ideal.
func overRanks(points []collect.Point, scaling string, label func(collect.Kind) string) (pictures []*Picture) {
	all := bestSeries(collect.SeriesBy(scaling, points))
	if len(all) == 0 {
		return nil
	}
	groups, names := apart(all, func(s collect.Series) collect.Kind { return s.Kind })
	for i, group := range groups {
		p := seriesOverRanks(group, scaling, label)
		p.of(names[i])
		pictures = append(pictures, p)
	}
	return pictures
}

func seriesOverRanks(all []collect.Series, scaling string, label func(collect.Kind) string) *Picture {
	title, graphs := "Strong scaling: TEPS over ranks, one graph", "One graph on an increasing number of ranks. "
	if scaling == scale.Weak {
		title, graphs = "Weak scaling: TEPS over ranks, one graph size per rank", "Twice the graph on twice the ranks. "
	}
	p := newPicture("teps-ranks-"+scaling, title, "ranks", "TEPS (harmonic mean)")
	p.Caption = graphs + "Both axes are logarithmic. Dashed: the ideal, with each rank as fast as one of the baseline. " +
		rate.bounds
	var ranks []int
	for i, s := range all {
		p.ideal(s)
		for _, point := range s.Points {
			ranks = append(ranks, point.Units)
		}
		last := s.Points[len(s.Points)-1]
		name := fmt.Sprintf("%s%v (efficiency on %s: %s)", label(s.Kind), s, collect.Count(last.Units, s.Kind.Unit()),
			collect.Percent(last.Efficiency.Value))
		p.values(i, name, s.Points, func(p collect.Point) int { return p.Units }, rate)
		if programs := s.Programs(); len(programs) > 1 {
			mixed := fmt.Sprintf(" %s%v mixes versions of the program", label(s.Kind), s)
			for i, program := range programs {
				mixed += [...]string{": ", ", "}[min(i, 1)] + program.String()
			}
			p.Caption += mixed + "."
		}
	}
	logarithmic(&p.y, dense)
	if len(ranks) > mostCounts {
		ranks = slices.DeleteFunc(ranks, func(n int) bool { return n&(n-1) != 0 })
	}
	counts(&p.x, ranks)
	p.x.log = true
	p.x.include(p.x.min/1.15, p.x.max*1.15)
	p.add(line{name: "ideal: proportional to the number of ranks", tone: frame, dashed: true})
	return p
}

// bestSeries returns the series of a picture: for each machine and graph the fastest, with any settings; among
// series of one kind the ones with the most points, of a few scales.
func bestSeries(all []collect.Series) (best []collect.Series) {
	rate := func(s collect.Series) float64 { return s.Points[len(s.Points)-1].TEPS.Median }
	type kind struct {
		k     collect.Kind
		scale int
	}
	fastest, points := map[kind]float64{}, map[collect.Kind]int{}
	of := func(s collect.Series) kind { return kind{machineOf(s.Kind), s.Scale} }
	for _, s := range all {
		fastest[of(s)] = max(fastest[of(s)], rate(s))
		points[s.Kind] = max(points[s.Kind], len(s.Points))
	}
	all = slices.DeleteFunc(all, func(s collect.Series) bool {
		return rate(s) < fastest[of(s)] || len(s.Points) < points[s.Kind]
	})
	for _, group := range groupBy(all, func(s collect.Series) collect.Kind { return s.Kind }) {
		best = append(best, few(group)...)
	}
	return best
}

// machineOf removes the user's choices on a machine from a kind: engine, settings, threads per rank. Kernel and pruning
// remain, because their results are compared.
func machineOf(k collect.Kind) collect.Kind {
	return collect.Kind{Study: k.Study, Scaling: k.Scaling, Machine: k.Machine, Kernel: k.Kernel, Prune: k.Prune,
		Factor: k.Factor}
}

// labeller returns the names of kinds in a legend, "" if the set has only one kind.
func labeller(set *collect.Set) func(collect.Kind) string {
	kinds := map[collect.Kind]bool{}
	for _, run := range set.Runs {
		kinds[run.Kind] = true
	}
	return func(k collect.Kind) string {
		if len(kinds) == 1 {
			return ""
		}
		return k.String() + ": "
	}
}

// ideal draws the line of perfect scaling.
func (p *Picture) ideal(s collect.Series) {
	first, last := s.Points[0].Units, s.Points[len(s.Points)-1].Units
	ends := []float64{float64(first), float64(last)}
	p.add(line{points: exact(ends, []float64{s.Ideal(first), s.Ideal(last)}, 0), tone: frame, dashed: true})
}
