package hugepage

import "syscall"

// advise requests huge pages. Errors are ignored, because some kernels have none.
func advise(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
