package plot

import (
	"cmp"
	"slices"

	"g500/analysis/collect"
)

// quantity is a figure of points that pictures draw over scale or ranks.
type quantity struct {
	name, title string // of pictures
	axis        string // name of the axis
	bounds      string // explanation of error bars in captions
	of          func(collect.Point) collect.Spread
}

var (
	rate = quantity{"teps", "TEPS", "TEPS (harmonic mean)",
		"An error bar spans the runs of a point, or one standard error to both sides of a single run.",
		func(p collect.Point) collect.Spread {
			low, high := p.Bounds()
			return collect.Spread{Min: low, Median: p.TEPS.Median, Max: high}
		}}
	construction = timeOf("kernel1", "Time of kernel 1",
		func(p collect.Point) collect.Spread { return p.Construction })
	validation = timeOf("validation", "Median time to validate a result",
		func(p collect.Point) collect.Spread { return p.Validation })
)

// timeOf returns the quantity of a time of each run.
func timeOf(name, title string, of func(collect.Point) collect.Spread) quantity {
	return quantity{name, title, "seconds", "An error bar spans the runs of a point.", of}
}

// scaleLine is the points of one kind and number of ranks.
type scaleLine struct {
	kind   collect.Kind
	ranks  int
	points []collect.Point
}

// last returns the rate at the largest scale.
func (l scaleLine) last() float64 { return l.points[len(l.points)-1].TEPS.Median }

// overScale draws a quantity over scale, one line per machine and number of ranks, from the highest rate to the lowest,
// unless no line has two points.
func overScale(all []scaleLine, q quantity, label func(collect.Kind) string) (pictures []*Picture) {
	groups, names := apart(all, func(l scaleLine) collect.Kind { return l.kind })
	for i, lines := range groups {
		if slices.ContainsFunc(lines, func(l scaleLine) bool { return len(l.points) > 1 }) {
			p := linesOverScale(lines, q, label)
			p.of(names[i])
			pictures = append(pictures, p)
		}
	}
	return pictures
}

func linesOverScale(lines []scaleLine, q quantity, label func(collect.Kind) string) *Picture {
	p := newPicture(q.name+"-scale", q.title+" over scale", "scale (log2 of the number of vertices)", q.axis)
	p.Caption = "The fastest settings of each machine. The vertical axis is logarithmic. " + q.bounds
	var scales []int
	for i, l := range lines {
		p.values(i, label(l.kind)+collect.Count(l.ranks, "rank"), l.points,
			func(p collect.Point) int { return p.Scale }, q)
		for _, point := range l.points {
			scales = append(scales, point.Scale)
		}
	}
	logarithmic(&p.y, dense)
	p.x.include(p.x.min-0.3, p.x.max+0.3)
	counts(&p.x, scales)
	return p
}

// bestLines returns the lines over scale, the highest first: for each machine and number of GPUs, or of threads, the
// line with the highest rate.
func bestLines(points []collect.Point) []scaleLine {
	type machine struct {
		k     collect.Kind
		units int // ranks, or threads
	}
	var all []scaleLine
	for _, line := range groupBy(points, func(p collect.Point) machine { return machine{p.Kind, p.Ranks} }) {
		all = append(all, scaleLine{line[0].Kind, line[0].Ranks, line})
	}
	of := func(l scaleLine) machine { return machine{machineOf(l.kind), l.ranks * max(l.kind.Threads, 1)} }
	highest := func(l scaleLine) (rate float64) {
		for _, p := range l.points {
			rate = max(rate, p.TEPS.Median)
		}
		return rate
	}
	best := map[machine]float64{}
	for _, l := range all {
		best[of(l)] = max(best[of(l)], highest(l))
	}
	all = slices.DeleteFunc(all, func(l scaleLine) bool { return highest(l) < best[of(l)] })
	slices.SortStableFunc(all, func(a, b scaleLine) int { return cmp.Compare(b.last(), a.last()) })
	return all
}
