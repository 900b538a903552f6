// SPDX-License-Identifier: Apache-2.0

// Package lists has functions on short lists.
package lists

import (
	"cmp"
	"slices"
)

// At returns the first element of a list for which is returns true. If there is none, it first appends another one.
func At[T any](all *[]T, is func(T) bool, another T) *T {
	i := slices.IndexFunc(*all, is)
	if i < 0 {
		i, *all = len(*all), append(*all, another)
	}
	return &(*all)[i]
}

// Find returns the first element for which is returns true, in the list's memory, and nil if there is none.
func Find[T any](all []T, is func(T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return &all[i]
	}
	return nil
}

// Where returns the elements for which is returns true, nil if there are none.
func Where[T any](all []T, is func(T) bool) (some []T) {
	for _, element := range all {
		if is(element) {
			some = append(some, element)
		}
	}
	return some
}

// Indices returns the indices of the elements for which is returns true, nil if there are none.
func Indices[T any](all []T, is func(T) bool) (indices []int) {
	for i, element := range all {
		if is(element) {
			indices = append(indices, i)
		}
	}
	return indices
}

// Distinct returns the elements in rising order, each once.
func Distinct[T cmp.Ordered](all []T) []T { return slices.Compact(slices.Sorted(slices.Values(all))) }

// Of returns the results of a function for each element, nil if there are none.
func Of[T, R any](all []T, of func(T) R) []R {
	var made []R
	for _, element := range all {
		made = append(made, of(element))
	}
	return made
}

// Sum returns the sum of the results of a function for each element.
func Sum[T any, N int | int64 | float64](all []T, of func(T) N) (sum N) {
	for _, element := range all {
		sum += of(element)
	}
	return sum
}
