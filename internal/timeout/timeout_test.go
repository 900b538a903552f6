// SPDX-License-Identifier: Apache-2.0

package timeout

import (
	"testing"
	"time"
)

// The limits that follow each other keep the promise.
func TestPromise(t *testing.T) {
	for failure, all := range map[string]time.Duration{
		"a silent rank":                 Quiet + Quiet/Looks + Reply + Launcher,
		"an exchange that does not end": Abort + Reply + Unwinding + Launcher,
		"a rank that fails after one":   Reply + Hold + Unwinding + Launcher,
	} {
		if all >= Promised {
			t.Errorf("%s: the job ends after %v", failure, all)
		}
	}
}
