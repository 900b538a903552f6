// SPDX-License-Identifier: Apache-2.0

package timeout

import (
	"testing"
	"time"

	"g500/internal/expect"
)

// The limits that follow each other keep the promise.
func TestPromise(t *testing.T) {
	for failure, all := range map[string]time.Duration{
		"a silent rank":                 Quiet + Quiet/Looks + Reply + Launcher,
		"an exchange that does not end": Abort + Reply + Unwinding + Launcher,
		"a rank that fails after one":   Reply + Hold + Unwinding + Launcher,
	} {
		expect.That(t, all < Promised, "%s: the job ends after %v", failure, all)
	}
}
