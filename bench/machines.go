// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"g500/comm"
	"g500/internal/machine"
	"g500/internal/par"
	"g500/record"
)

// describeMachines returns the nodes by kind. One rank of each node describes it. It is collective.
func describeMachines(t comm.Transport, nodes []string) ([]record.Kind, error) {
	var own *machine.Facts
	if place, _ := comm.Place(t); place == 0 {
		described := machine.Here.Describe()
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

// HostCores returns this rank's share of the cores of its node, at least 1. Ranks that are bound to the same cores
// share them, and ranks of a control group share its CPU quota. If the user has set GOMAXPROCS, the ranks of the
// process share that number instead. It tells par the share of the process's ranks together. It is collective.
func HostCores(t comm.Transport) (int, error) {
	host := machine.NodeID()
	bound, err := comm.Sharers(t, fmt.Sprint(host, " ", machine.Bound()))
	if err != nil {
		return 0, err
	}
	quota, group := machine.Here.Quota()
	container := machine.Node() // each container has its own host name
	limited, err := comm.Sharers(t, fmt.Sprint(host, " ", container, " ", group))
	if err != nil {
		return 0, err
	}
	process, err := comm.Sharers(t, machine.Process())
	if err != nil {
		return 0, err
	}
	share := coresOfRank(machine.BoundCores(), len(bound), quota, len(limited))
	if n := machine.GoMaxProcs(); n > 0 {
		par.ShareCores(min(share*len(process), n))
		return max(n/len(process), 1), nil
	}
	par.ShareCores(share * len(process))
	return share, nil
}

// coresOfRank divides cores among the ranks that are bound to them, and a quota (0 for none) among the ranks that it
// limits, rounded up.
func coresOfRank(cores, bound int, quota float64, limited int) int {
	share := cores / bound
	if quota > 0 {
		share = min(share, int(math.Ceil(quota/float64(limited))))
	}
	return max(share, 1)
}
