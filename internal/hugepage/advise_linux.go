// SPDX-License-Identifier: Apache-2.0

package hugepage

import "syscall"

// advise requests huge pages. Errors are ignored, because some kernels have none.
func advise(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }

// populate assigns memory to pages. Errors are ignored, because Linux before 5.14 has no MADV_POPULATE_WRITE: pages are
// then assigned at their first use.
func populate(b []byte) {
	const populateWrite = 23
	_ = syscall.Madvise(b, populateWrite)
}
