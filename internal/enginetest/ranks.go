// SPDX-License-Identifier: Apache-2.0

package enginetest

import (
	"fmt"
	"testing"

	"g500/comm"
	"g500/internal/expect"
)

// Ranks returns the numbers of ranks under test. Short tests, for the race detector, have three ranks.
func Ranks(numbers ...int) []int {
	if testing.Short() {
		return []int{3}
	}
	return numbers
}

// OnRanks runs a test on n ranks of the loopback. A failed check ends the rank, and then the test.
func OnRanks(t testing.TB, n int, body func(t testing.TB, tr comm.Transport)) {
	t.Helper()
	expect.NoError(t, comm.Loopback(n, func(tr comm.Transport) error {
		body(rank{t}, tr)
		return nil
	}))
}

// rank is the test on a rank, whose goroutine must not call FailNow.
type rank struct{ testing.TB }

func (rank) Fatalf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }
