// Package hugepage allocates large slices on huge pages, if Linux grants them, and assigns memory to slices before their
// first use. Random accesses to a slice on huge pages need few entries of the processor's TLB.
package hugepage
