// SPDX-License-Identifier: Apache-2.0

// Package partition assigns vertices to ranks. It is arithmetic only: no communication, no memory.
//
// All runs use Cyclic, the distribution of the Graph500 reference code: rank v mod P owns v with the local id v div P.
// Labels are scrambled, so each rank gets the same mix of hubs and leaves.
package partition
