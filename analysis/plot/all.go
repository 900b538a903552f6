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
	add("Scaling", overScale(set, rate)...)
	add("Scaling", overRanks(set, scale.Strong)...)
	add("Scaling", overRanks(set, scale.Weak)...)
	add("Kernel 1 and validation", overScale(set, construction)...)
	add("Kernel 1 and validation", overScale(set, validation)...)
	add("Time by step", steps(set)...)
	add("Single searches", searches(set)...)
	label := labeller(set)
	for _, point := range set.Points {
		add("Time by level", levels(point, label))
	}
	add("Frontier", frontiers(set))
	return all
}
