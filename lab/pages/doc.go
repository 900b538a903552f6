// SPDX-License-Identifier: Apache-2.0

// Package pages keeps a graph that changes in pages of one size, as faimGraph does (Winter et al., SC 2018): the
// neighbours of a vertex are in a chain of pages. Pages that a row no longer needs go to a free list, from which other
// rows take them. A batch of updates is applied completely or not at all.
package pages
