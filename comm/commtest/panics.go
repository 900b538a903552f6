// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"errors"
	"strings"
	"testing"

	"g500/comm"
)

// ErrPlanted is the value of the panic that EndsByPanic expects.
var ErrPlanted = errors.New("planted panic")

// EndsByPanic checks that a job ends with the name of its rank 1 and the stack of the panic if a goroutine for which
// that rank waits in f panics with ErrPlanted in a function whose name has the word.
func EndsByPanic(t *testing.T, word string, f func()) {
	t.Helper()
	err := comm.Loopback(2, func(tr comm.Transport) error {
		if tr.Rank() == 1 {
			f()
		}
		return tr.Barrier()
	})
	var from *comm.RankError
	if !errors.As(err, &from) || from.Rank != 1 || !errors.Is(err, ErrPlanted) {
		t.Fatalf("the job ends with %v, want the panic of rank 1", err)
	}
	_, stack, _ := strings.Cut(err.Error(), "panic(")
	if !strings.Contains(stack, word) {
		t.Errorf("no %s after the panic in the stack\n%v", word, err)
	}
}
