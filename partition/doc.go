// Package partition assigns vertices to ranks. It is arithmetic only: no communication, no memory.
//
// Every run uses Cyclic, the distribution of the Graph500 reference code: rank v mod P owns v at place v div P. Labels
// are scrambled, so each rank gets the same mix of hubs and leaves.
package partition
