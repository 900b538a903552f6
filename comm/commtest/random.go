// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"g500/comm"
)

// randomSequence: 300 random collectives, the same on all ranks. Each rank draws the data of all ranks, too, and
// compares each result with a serial computation.
func randomSequence(t comm.Transport, n int) error {
	draw := rand.New(rand.NewPCG(500, uint64(n)))
	for step := range 300 {
		var err error
		switch seed := draw.Uint64(); draw.IntN(6) {
		case 0:
			err = t.Barrier()
		case 1:
			err = randomReduce(t, n, seed)
		case 2:
			err = randomGather(t, n, seed)
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

// valuesOf returns the values of a rank in a step.
func valuesOf(rank, count int, seed uint64) []int64 {
	draw := rand.New(rand.NewPCG(seed, uint64(rank)))
	vals := make([]int64, count)
	for i := range vals {
		vals[i] = int64(draw.Uint64()) >> 8 // so that the sum does not overflow
	}
	return vals
}

func randomReduce(t comm.Transport, n int, seed uint64) error {
	count, op := int(seed%200), comm.Op(seed/256%3)
	want := valuesOf(0, count, seed)
	for r := 1; r < n; r++ {
		for i, v := range valuesOf(r, count, seed) {
			switch op {
			case comm.Sum:
				want[i] += v
			case comm.Min:
				want[i] = min(want[i], v)
			case comm.Max:
				want[i] = max(want[i], v)
			}
		}
	}
	got := valuesOf(t.Rank(), count, seed)
	if err := t.AllReduce(got, op); err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("AllReduce of %d values with operation %d gives %v, want %v", count, op, got, want)
	}
	return nil
}

func randomGather(t comm.Transport, n int, seed uint64) error {
	k := int(seed % 300)
	var want []uint64
	for r := range n {
		for _, v := range valuesOf(r, k, seed) {
			want = append(want, uint64(v))
		}
	}
	got := make([]uint64, n*k)
	copy(got[t.Rank()*k:], want[t.Rank()*k:][:k])
	if err := t.AllGather(got); err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("AllGather of %d words per rank gives %v, want %v", k, got, want)
	}
	return nil
}
