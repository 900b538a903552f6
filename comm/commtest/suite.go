package commtest

import (
	"fmt"
	"slices"
	"testing"

	"g500/comm"
)

// Launch runs fn on n ranks. A launcher whose number of ranks was settled before, as mpirun's, is asked for no
// other number; then this process is one of the ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// Run tests a transport with each of the sizes.
func Run(t *testing.T, launch Launch, sizes ...int) { run(t, launch, cases, sizes) }

// RunShort leaves out the cases that move megabytes: for a transport made slow on purpose.
func RunShort(t *testing.T, launch Launch, sizes ...int) {
	short := slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool { return c.large })
	run(t, launch, short, sizes)
}

func run(t *testing.T, launch Launch, cases []testCase, sizes []int) {
	for _, n := range sizes {
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
	// check runs on every rank of a job of n ranks. A rank that sees a fault returns it at once, and leaves
	// it to the launcher to end the others.
	check func(t comm.Transport, n int) error
	large bool
}

// cases are the suite, in the order of trust: each uses only what those before it have tested.
var cases = []testCase{
	{name: "Identity", check: identity},
	{name: "AllReduce", check: allReduce},
	{name: "AllReduceEmpty", check: allReduceEmpty},
	{name: "Barrier", check: barrier},
	{name: "AllGatherSizes", check: allGatherSizes},
	{name: "AllGatherLarge", check: allGatherLarge, large: true},
	{name: "AllToAllSizes", check: allToAllSizes},
	{name: "AllToAllLarge", check: allToAllLarge, large: true},
	{name: "AllToAllReuse", check: allToAllReuse},
	{name: "AllToAllIntoSizes", check: allToAllIntoSizes},
	{name: "AllToAllIntoLarge", check: allToAllIntoLarge, large: true},
	{name: "AllToAllIntoTooLong", check: allToAllIntoTooLong},
	{name: "NeighbourSizes", check: neighbourSizes},
	{name: "NeighbourLarge", check: neighbourLarge, large: true},
	{name: "NeighbourRefusals", check: neighbourRefusals},
	{name: "SendRecv", check: sendRecv},
	{name: "SendRecvLarge", check: sendRecvLarge, large: true},
	{name: "SendRecvRefusals", check: sendRecvRefusals},
	{name: "Refusals", check: refusals},
	{name: "ExchangeWords", check: exchangeWords},
	{name: "Agree", check: agree},
	{name: "RandomSequence", check: randomSequence},
}
