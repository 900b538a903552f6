// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"math/rand/v2"

	"g500/comm"
)

// randomSequence: 300 collectives in a random order, with messages of random lengths, the same on all ranks.
func randomSequence(t comm.Transport, n int) error {
	draw := rand.New(rand.NewPCG(500, uint64(n)))
	for step := range 300 {
		var err error
		switch seed := draw.Uint64(); draw.IntN(6) {
		case 0:
			err = t.Barrier()
		case 1:
			err = eachOperation(t, n)
		case 2:
			err = gather(t, int(seed%300))
		case 3:
			err = swap(t, step, randomLengths(n, seed))
		case 4:
			err = swapInto(t, step, randomLengths(n, seed))
		case 5:
			err = swapNear(graphs(n)[seed%7])(t, step, randomLengths(n, seed))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// randomLengths returns lengths of messages, mostly small ones.
func randomLengths(n int, seed uint64) lengths {
	return func(from, to int) int {
		draw := rand.New(rand.NewPCG(seed, uint64(from*n+to)))
		return draw.IntN(1 << draw.IntN(14))
	}
}
