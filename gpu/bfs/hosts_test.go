//go:build cuda && cgo

package bfs

import (
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
)

// onHosts launches ranks that are said to be on hosts of two ranks each, and has graphs of any size cross between these
// in tiers until the test ends.
func onHosts(t *testing.T) bfstest.Launch { return onHostsOf(t, 2) }

// onHostsOf does so with the given number of ranks per host.
func onHostsOf(t *testing.T, ranks int) bfstest.Launch {
	was := bounds
	bounds.TwoLevelFrom = 0
	t.Cleanup(func() { bounds = was })
	return func(n int, fn func(comm.Transport) error) error {
		hosts := make([]int, n)
		for r := range hosts {
			hosts[r] = r / ranks
		}
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.EmulateNodes(t, hosts)) })
	}
}
