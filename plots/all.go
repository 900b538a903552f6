package plots

import (
	"slices"

	"g500/survey"
)

// Of draws every picture that a set has the figures for.
func Of(set *survey.Set) []*Picture {
	pictures := []*Picture{overRanks(set), overScale(set), searches(set)}
	label := labeller(set)
	for _, point := range set.Points() {
		pictures = append(pictures, levels(point, label))
	}
	pictures = append(pictures, frontiers(set))
	return slices.DeleteFunc(pictures, func(p *Picture) bool { return p == nil })
}
