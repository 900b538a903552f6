package plots

import (
	"slices"

	"g500/study"
	"g500/survey"
)

// Of draws every picture that a set has the figures for.
func Of(set *survey.Set) []*Picture {
	pictures := []*Picture{overScale(set), overRanks(set, study.Strong), overRanks(set, study.Weak)}
	pictures = append(pictures, steps(set)...)
	pictures = append(pictures, searches(set))
	label := labeller(set)
	for _, point := range set.Points() {
		pictures = append(pictures, levels(point, label))
	}
	pictures = append(pictures, frontiers(set))
	return slices.DeleteFunc(pictures, func(p *Picture) bool { return p == nil })
}
