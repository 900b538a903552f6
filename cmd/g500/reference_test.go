// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"g500/record"
)

// Skipped validation is no excuse for a run that ends early or is wrong.
func TestReferenceAcceptsOnlyTheSkipped(t *testing.T) {
	for _, skip := range []bool{false, true} {
		ref := &referenceMode{skipValidation: skip}
		for status, want := range map[record.Status]bool{record.Valid: true, record.Unvalidated: skip, record.Invalid: false,
			record.Incomplete: false, record.Inconsistent: false} {
			if ref.accepts(status) != want {
				t.Errorf("validation skipped %v: %s is accepted, or VALID is not", skip, status)
			}
		}
	}
}
