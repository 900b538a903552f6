// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// values has the values of all parameters of a spec by key, as texts in the range of the parameter.
type values map[string]string

func (v values) integer(key string) int64 {
	n, _ := strconv.ParseInt(v[key], 10, 64)
	return n
}

func (v values) seed(key string) uint64 {
	n, _ := strconv.ParseUint(v[key], 10, 64)
	return n
}

func (v values) real(key string) float64 {
	x, _ := strconv.ParseFloat(v[key], 64)
	return x
}

func (v values) is(key string) bool { return v[key] == "true" }

// directed reports whether a graph is directed if its file says arcs.
func (v values) directed(arcs bool) bool { return v[symmetric] == "no" || v[symmetric] == auto && arcs }

// sides returns the sides of a grid.
func (v values) sides() []int64 { return parseSides(v["WxH"] + v["WxHxD"]) }

// valueRange is the set of values that a parameter takes.
type valueRange struct {
	Range string // completes the sentence "it must be"
	takes func(text string) bool
}

func integers(low, high int64) valueRange {
	return valueRange{fmt.Sprintf("a whole number from %d to %d", low, high), func(text string) bool {
		n, err := strconv.ParseInt(text, 10, 64)
		return err == nil && n >= low && n <= high
	}}
}

func seeds() valueRange {
	return valueRange{"a whole number from 0 to 2^64-1", func(text string) bool {
		_, err := strconv.ParseUint(text, 10, 64)
		return err == nil
	}}
}

func reals(low, high float64) valueRange {
	return valueRange{fmt.Sprintf("a number from %.f to %.f", low, high), func(text string) bool {
		x, err := strconv.ParseFloat(text, 64)
		return err == nil && x >= low && x <= high
	}}
}

func choice(words ...string) valueRange {
	return valueRange{strings.Join(words, " or "), func(text string) bool { return slices.Contains(words, text) }}
}

// sideLengths are n sides of a grid, as in 512x512.
func sideLengths(n int) valueRange {
	example := strings.Repeat("x64", n)[1:]
	return valueRange{fmt.Sprintf("%d sides, as in %s, of at most 2^32-1 vertices together", n, example),
		func(text string) bool { return len(parseSides(text)) == n }}
}

// parseSides returns the sides of a grid that has at most MaxVertices vertices, nil for other texts.
func parseSides(text string) (sides []int64) {
	limit := int64(MaxVertices)
	for word := range strings.SplitSeq(text, "x") {
		side, err := strconv.ParseInt(word, 10, 64)
		if err != nil || side < 1 || side > limit {
			return nil
		}
		limit /= side
		sides = append(sides, side)
	}
	return sides
}

// columnNames are lists of columns that have src and dst, and only - more than once.
func columnNames() valueRange {
	return valueRange{"auto, or src, dst, weight, time and - (ignored) in the order of the columns, as in src,dst,weight",
		func(text string) bool {
			seen := map[column]bool{}
			for _, c := range columnsOf(text) {
				if !slices.Contains(everyColumn, c) || seen[c] && c != ignoredColumn {
					return false
				}
				seen[c] = true
			}
			return text == auto || seen[fromColumn] && seen[toColumn]
		}}
}
