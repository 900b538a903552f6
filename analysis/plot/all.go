package plot

import (
	"g500/analysis/collect"
	"g500/analysis/scale"
)

// fewest is the number of points of the smallest picture. Tables have fewer points.
const fewest = 3

// Of draws all pictures of a set, in the order of their groups.
func Of(set *collect.Set) (all []*Picture) {
	add := func(group string, pictures ...*Picture) {
		for _, p := range pictures {
			if p != nil && (p.points == 0 || p.points >= fewest) {
				p.Group, all = group, append(all, p)
			}
		}
	}
	label := labeller(set)
	lines := bestLines(set.Points)
	add("Scaling", overScale(lines, rate, label)...)
	add("Scaling", overRanks(set.Points, scale.Strong, label)...)
	add("Scaling", overRanks(set.Points, scale.Weak, label)...)
	add("Kernel 1 and validation", overScale(lines, construction, label)...)
	add("Kernel 1 and validation", overScale(lines, validation, label)...)
	add("Frontier", frontiers(set.Points))
	return all
}
