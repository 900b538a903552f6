// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math"

	"g500/comm"
	"g500/internal/machine"
	"g500/internal/par"
)

// HostCores returns this rank's share of the cores of its node, at least 1. Ranks that are bound to the same cores
// share them, and ranks of a control group share its CPU quota. If the user has set GOMAXPROCS, the ranks of the
// process share that number instead. It tells par the share of the process's ranks together. It is collective.
func HostCores(t comm.Transport) (int, error) {
	host := machine.NodeID()
	bound, err := comm.Sharers(t, fmt.Sprint(host, " ", machine.Bound()))
	if err != nil {
		return 0, err
	}
	quota, group := machine.Quota()
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
