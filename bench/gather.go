// SPDX-License-Identifier: Apache-2.0

package bench

import "g500/comm"

// anyRank returns flags with each flag set that is set on some rank. It is collective.
func anyRank(t comm.Transport, flags ...bool) ([]bool, error) {
	counts := make([]int64, len(flags))
	for i, flag := range flags {
		if flag {
			counts[i] = 1
		}
	}
	err := t.AllReduce(counts, comm.Max)
	for i, n := range counts {
		flags[i] = n > 0
	}
	return flags, err
}
