package report

import (
	"cmp"
	"slices"
	"strings"

	"g500/analysis/collect"
)

// machinesOf returns the machines of the points, the fastest first.
func machinesOf(points []collect.Point) (machines []string) {
	sorted := slices.SortedStableFunc(slices.Values(points),
		func(a, b collect.Point) int { return cmp.Compare(b.TEPS.Median, a.TEPS.Median) })
	for _, p := range sorted {
		if !slices.Contains(machines, p.Kind.Machine) {
			machines = append(machines, p.Kind.Machine)
		}
	}
	return machines
}

// details are parts of a machine's name that readers can do without.
var details = strings.NewReplacer(
	"(R)", "", "(TM)", "", " Processor", "", " CPU", "", " 80GB HBM3", "", " 94GB HBM3", "")

// namesOf returns short names of machines, or their own names if the short ones are not unique.
func namesOf(machines []string) []string {
	var short []string
	for _, m := range machines {
		name := details.Replace(m)
		if name == "" || slices.Contains(short, name) {
			return machines
		}
		short = append(short, name)
	}
	return short
}
