// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"slices"
	"strings"

	"g500/analysis/collect"
)

// machines are the machines of a set, the fastest first.
type machines struct{ full, names []string }

// index returns the place of a kind's machine, which has the colour of this number.
func (m machines) index(k collect.Kind) int { return slices.Index(m.full, k.Machine) }

// machinesOf returns the machines of the points.
func machinesOf(points []collect.Point) (m machines) {
	sorted := slices.SortedStableFunc(slices.Values(points),
		func(a, b collect.Point) int { return cmp.Compare(b.TEPS.Median, a.TEPS.Median) })
	for _, p := range sorted {
		if m.index(p.Kind) < 0 {
			m.full = append(m.full, p.Kind.Machine)
		}
	}
	m.names = namesOf(m.full)
	return m
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
