// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"testing"

	"g500/internal/expect"
)

// The folder of an archive of stored runs is named by its set.
func TestNameOf(t *testing.T) {
	for dir, want := range map[string]string{"/a/first": "first", "results/h200/today/runs": "today", "/": "/"} {
		expect.Equal(t, nameOf(dir), want, dir)
	}
}
