// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device_test

import (
	"testing"

	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
)

// Levels without vertices run with every exchange, by the staged transport also on ranks that share a GPU, and the
// marks of their messages arrive.
func TestLevels(t *testing.T) {
	if faked {
		t.Skip("needs kernels")
	}
	gputest.OnRanks(t, comm.Loopback, 3, func(host comm.Transport) {
		links := gputest.Must(device.NewLinks(host, device.StagedTransport, 1<<10))
		names := gputest.Must(links.LevelTransports())
		if len(names) != 1 || names[0] != device.StagedTransport || links.Groups() != 3 {
			t.Errorf("transports %v between %d groups", names, links.Groups())
		}
		levels := gputest.Must(links.Levels(names[0], 3<<20))
		for _, bytes := range []int{8, 64, 1 << 20} {
			gputest.Check(levels.Kernels(), levels.AllGather(bytes), levels.AllToAll(bytes))
		}
		gputest.Check(levels.Close(), links.Close())
	})
}
