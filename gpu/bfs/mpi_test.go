// SPDX-License-Identifier: Apache-2.0

//go:build cuda && mpi && cgo

package bfs

import (
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/gpu/gputest"
	"g500/internal/expect"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestConformanceOnMPI(t *testing.T) {
	gputest.UnderMpirun(t, func(t *testing.T) {
		for _, way := range inTime(t, allKinds) {
			bfstest.Run(t, engineWith(way), gputest.InWorld, gputest.World.Size())
		}
	})
}

// inTime drops engines with a forced exchange if processes share a GPU, because they take turns of milliseconds at each
// barrier.
func inTime(t *testing.T, kinds []engineKind) []engineKind {
	t.Helper()
	cards := expect.Value(cuda.Cards())(t)
	if gputest.World.Size() <= len(cards) {
		return kinds
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(w engineKind) bool { return w.exchange != "auto" })
}
