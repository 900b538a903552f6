// SPDX-License-Identifier: Apache-2.0

// Package nearest finds the name that a misspelt word may mean.
package nearest

import "strings"

// Name returns the name with the fewest changes of letters from the word, the first of several; "" if all change over
// 33% of the longer one's letters. A change inserts, deletes or replaces a letter, or swaps two neighbours. A
// table that both have, as in graph.scale, does not count.
func Name(word string, names []string) string {
	best, fewest := "", len(word)+1
	for _, name := range names {
		a, b := different(strings.ToLower(word), strings.ToLower(name))
		if changes := distance(a, b); changes < fewest && 3*changes <= max(len(a), len(b)) {
			best, fewest = name, changes
		}
	}
	return best
}

// different returns two names without the table that both begin with.
func different(a, b string) (string, string) {
	table := a[:strings.LastIndex(a, ".")+1]
	if rest, same := strings.CutPrefix(b, table); same {
		return a[len(table):], rest
	}
	return a, b
}

// DidYouMean returns ": did you mean NAME?" with the nearest name, "" if none is near.
func DidYouMean(word string, names []string) string {
	if name := Name(word, names); name != "" {
		return ": did you mean " + name + "?"
	}
	return ""
}

// distance returns the number of changes between two words, of which a letter takes part in one at most.
func distance(a, b string) int {
	var before, above []int // the last two rows: distances between beginnings of a and of b
	for i := range len(a) + 1 {
		row := make([]int, len(b)+1)
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
			default:
				row[j] = min(above[j], row[j-1]) + 1
				same := above[j-1]
				if a[i-1] != b[j-1] {
					same++
				}
				row[j] = min(row[j], same)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					row[j] = min(row[j], before[j-2]+1)
				}
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
