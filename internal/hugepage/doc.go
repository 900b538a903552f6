// Package hugepage makes large slices on huge pages, where Linux gives them to who asks. What is read and written at
// random in such a slice needs few entries of the processor's buffer of addresses (TLB).
package hugepage
