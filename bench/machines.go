// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"reflect"
	"slices"

	"g500/comm"
	"g500/internal/machine"
	"g500/record"
)

// describeMachines returns the nodes by kind. One rank of each node describes it. It is collective.
func describeMachines(t comm.Transport, nodes []string) ([]record.Kind, error) {
	var own *machine.Facts
	if place, _ := comm.Place(t); place == 0 {
		described := machine.Describe()
		own = &described
	}
	all, err := comm.Gathered(t, own)
	return kindsOf(nodes, all), err
}

// kindsOf groups nodes with equal descriptions, in the order of ranks. Ranks without a description are skipped.
func kindsOf(nodes []string, described []*machine.Facts) (kinds []record.Kind) {
	for rank, m := range described {
		if m == nil {
			continue
		}
		i := slices.IndexFunc(kinds, func(k record.Kind) bool { return reflect.DeepEqual(k.Facts, *m) })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, record.Kind{Facts: *m})
		}
		kinds[i].Nodes = append(kinds[i].Nodes, nodes[rank])
	}
	for i := range kinds {
		slices.Sort(kinds[i].Nodes)
		kinds[i].Nodes = slices.Compact(kinds[i].Nodes)
	}
	return kinds
}
