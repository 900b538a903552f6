// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/comm"
)

// Launch runs fn on n ranks. If the number of ranks is fixed, as under mpirun, n is that number, and this process is
// one of the ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// Run tests a transport with each number of ranks.
func Run(t *testing.T, launch Launch, ranks ...int) { run(t, launch, cases, ranks) }

// RunShort is Run without the cases that send megabytes, for a transport that is slow on purpose.
func RunShort(t *testing.T, launch Launch, ranks ...int) {
	run(t, launch, slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool { return c.large }), ranks)
}

// RunPieces is Run with only the cases of AllToAllPieces.
func RunPieces(t *testing.T, launch Launch, ranks ...int) {
	run(t, launch, slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool {
		return !strings.HasPrefix(c.name, "Pieces")
	}), ranks)
}

func run(t *testing.T, launch Launch, cases []testCase, ranks []int) {
	for _, n := range ranks {
		for _, c := range cases {
			t.Run(fmt.Sprintf("ranks=%d/%s", n, c.name), func(t *testing.T) {
				if err := launch(n, func(tr comm.Transport) error { return c.check(tr, n) }); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

type testCase struct {
	name string
	// check runs on every rank of a job of n ranks. A rank that finds a fault returns it at once; the launcher then ends
	// the other ranks.
	check func(t comm.Transport, n int) error
	large bool
}

// cases is the suite. Each case relies only on the methods that earlier cases have tested.
var cases = []testCase{
	{name: "Identity", check: identity},
	{name: "AllReduce", check: allReduce},
	{name: "AllReduceEmpty", check: allReduceEmpty},
	{name: "Barrier", check: barrier},
	{name: "AllGatherSizes", check: allGatherSizes},
	{name: "AllGatherLarge", check: allGatherLarge, large: true},
	{name: "AllToAllSizes", check: everyPattern(swap)},
	{name: "AllToAllLarge", check: large(swap), large: true},
	{name: "AllToAllReuse", check: allToAllReuse},
	{name: "PiecesSizes", check: everyPattern(swapPieces(500))},
	{name: "PiecesLarge", check: large(swapPieces(100_000)), large: true},
	{name: "IntoSizes", check: everyPattern(swapInto)},
	{name: "IntoLarge", check: large(swapInto), large: true},
	{name: "PiecesThatFail", check: piecesThatFail},
	{name: "NeighbourSizes", check: neighbourSizes},
	{name: "NeighbourLarge", check: neighbourLarge, large: true},
	{name: "NeighbourRefusals", check: neighbourRefusals},
	{name: "Refusals", check: refusals},
	{name: "ExchangeWords", check: exchangeWords},
	{name: "SwapWords", check: swapWords},
	{name: "Agree", check: agree},
	{name: "RandomSequence", check: randomSequence},
}
