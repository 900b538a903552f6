// SPDX-License-Identifier: Apache-2.0

//go:build cuda && mpi && cgo

package bfs

import (
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func TestConformanceOnMPI(t *testing.T) {
	enginetest.UnderMpirun(t, func(t *testing.T) {
		for _, way := range inTime(t, allKinds) {
			bfstest.Run(t, engineWith(way), enginetest.InWorld, enginetest.World.Size())
		}
	}, 2, 4)
}

// inTime drops engines with a forced exchange if processes share a GPU, because they take turns of milliseconds at each
// barrier.
func inTime(t *testing.T, kinds []engineKind) []engineKind {
	t.Helper()
	cards := expect.Value(cuda.Cards())(t)
	if enginetest.World.Size() <= len(cards) {
		return kinds
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(w engineKind) bool { return w.exchange != "auto" })
}
