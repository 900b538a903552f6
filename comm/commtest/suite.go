package commtest

import (
	"fmt"
	"testing"

	"g500/comm"
)

// Launch runs fn on n ranks. A launcher whose number of ranks was settled before, as mpirun's, is asked for no
// other number; then this process is one of the ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// Run tests a transport with each of the sizes.
func Run(t *testing.T, launch Launch, sizes ...int) {
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

// cases are the suite, in the order of trust: each uses only what those before it have tested.
var cases = []struct {
	name string
	// check runs on every rank of a job of n ranks. A rank that sees a fault returns it at once, and leaves
	// it to the launcher to end the others.
	check func(t comm.Transport, n int) error
}{
	{"Identity", identity},
	{"AllReduce", allReduce},
	{"AllReduceEmpty", allReduceEmpty},
	{"Barrier", barrier},
	{"AllGather", allGather},
	{"AllToAllSizes", allToAllSizes},
	{"AllToAllLarge", allToAllLarge},
	{"AllToAllReuse", allToAllReuse},
	{"Refusals", refusals},
	{"ExchangeWords", exchangeWords},
	{"Agree", agree},
	{"RandomSequence", randomSequence},
}

// faultf makes the report of a fault that a rank sees.
func faultf(t comm.Transport, format string, args ...any) error {
	return fmt.Errorf("on rank %d of %d: %s", t.Rank(), t.Size(), fmt.Sprintf(format, args...))
}
