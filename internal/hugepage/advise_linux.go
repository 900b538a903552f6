package hugepage

import "syscall"

// advise asks for huge pages. A kernel without them refuses, which is no fault.
func advise(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
