// Package nontemporal writes complete cache lines past the caches, without reading them from memory first.
package nontemporal

// LineBytes is the size of a cache line.
const LineBytes = 64

// Widened is the number of widened numbers in a cache line.
const Widened = LineBytes / 8
