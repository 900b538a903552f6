// Package partition says which rank owns which vertex. It is arithmetic only: no communication, no memory.
//
// Cyclic is the distribution of the official program (rank v mod P owns v at place v div P) and the one every
// benchmark run uses: labels are scrambled, so each rank gets the same mix of hubs and leaves. Block, which
// gives each rank a run of consecutive labels, stands beside it for comparison.
package partition
