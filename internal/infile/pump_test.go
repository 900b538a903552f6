// SPDX-License-Identifier: Apache-2.0

package infile_test

import (
	"testing"

	"g500/comm/commtest"
	"g500/internal/infile"
)

// panicking is a reader that panics.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic(commtest.ErrPlanted) }

func TestPanicOfAReadIsTheCallers(t *testing.T) {
	commtest.EndsByPanic(t, "panicking", func() {
		n, err := infile.Pumped(t.Context(), panicking{}).Read(make([]byte, 1))
		t.Errorf("Read returns %d, %v", n, err)
	})
}
