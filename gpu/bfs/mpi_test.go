// SPDX-License-Identifier: Apache-2.0

//go:build cuda && mpi && cgo

package bfs

import (
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// If processes share a GPU, no exchange is forced, because they take turns of milliseconds at each barrier.
func TestConformanceOnMPI(t *testing.T) {
	enginetest.UnderMpirun(t, func(t *testing.T) {
		ranks, cards := enginetest.World.Size(), expect.Value(cuda.Cards())(t)
		for _, exchange := range exchanges {
			for _, transport := range []string{device.PeerTransport, device.MPITransport} {
				o := searching(exchange)
				for _, o.Bits = range []int{64, 32} {
					if exchange == "auto" || ranks <= len(cards) {
						bfstest.Run(t, engineOn(gputest.Chosen(transport), o), enginetest.InWorld, ranks)
					}
				}
			}
		}
	}, 2, 4)
}
