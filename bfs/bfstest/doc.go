// Package bfstest is the suite that every engine of package bfs must pass, on any transport and number of ranks.
//
// An engine's trees are compared by level with a search along the tuples, since several parents may be right, and
// with the official program's levels where a golden file has them.
package bfstest
