// Package pages keeps a graph that changes in pages of one size, as faimGraph does (Winter et al., SC 2018): the
// neighbours of a vertex lie in a chain of pages, and pages that a row no longer needs go to a queue, from which the
// next row takes them. Batches of updates are applied whole or not at all.
package pages
