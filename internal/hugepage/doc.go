// SPDX-License-Identifier: Apache-2.0

// Package hugepage allocates large slices on huge pages, if Linux grants them. Random accesses to such a slice need few
// entries of the processor's TLB. It also assigns memory to slices before their first use.
package hugepage
