// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/comm"
)

// Launch runs fn on n ranks. If the number of ranks is fixed, as under mpirun, n is that number, and this process is
// one of the ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// Run tests a transport with each number of ranks.
func Run(t *testing.T, launch Launch, ranks ...int) { run(t, launch, cases, ranks) }

// RunShort is Run without the cases that send megabytes, for a transport that is slow on purpose.
func RunShort(t *testing.T, launch Launch, ranks ...int) {
	run(t, launch, slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool { return c.large }), ranks)
}

// RunPieces is Run with only the cases of AllToAllPieces.
func RunPieces(t *testing.T, launch Launch, ranks ...int) {
	run(t, launch, slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool {
		return !strings.HasPrefix(c.name, "Pieces")
	}), ranks)
}

func run(t *testing.T, launch Launch, cases []testCase, ranks []int) {
	for _, n := range ranks {
		for _, c := range cases {
			t.Run(fmt.Sprintf("ranks=%d/%s", n, c.name), func(t *testing.T) {
				if err := launch(n, func(tr comm.Transport) error { return c.check(tr, n) }); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

type testCase struct {
	name string
	// check runs on every rank of a job of n ranks. A rank that finds a fault returns it at once; the launcher then ends
	// the other ranks.
	check func(t comm.Transport, n int) error
	large bool
}

// cases is the suite. Each case relies only on the methods that earlier cases have tested.
var cases = []testCase{
	{name: "Identity", check: identity},
	{name: "AllReduce", check: allReduce},
	{name: "AllReduceEmpty", check: allReduceEmpty},
	{name: "Barrier", check: barrier},
	{name: "AllGatherSizes", check: gathers(0, 1, 2, 3, 100)},
	{name: "AllGatherLarge", check: gathers(70_001), large: true},
	{name: "AllToAllSizes", check: everyPattern(swap)},
	{name: "AllToAllLarge", check: large(swap), large: true},
	{name: "AllToAllReuse", check: allToAllReuse},
	{name: "PiecesSizes", check: everyPattern(swapPieces(500))},
	{name: "PiecesLarge", check: large(swapPieces(100_000)), large: true},
	{name: "IntoSizes", check: everyPattern(swapInto)},
	{name: "IntoLarge", check: large(swapInto), large: true},
	{name: "PiecesThatFail", check: piecesThatFail},
	{name: "NeighbourSizes", check: neighbourSizes},
	{name: "NeighbourLarge", check: large(swapNear(func(_, _ int) bool { return true })), large: true},
	{name: "NeighbourRefusals", check: neighbourRefusals},
	{name: "Refusals", check: refusals},
	{name: "ExchangeWords", check: exchangeWords},
	{name: "SwapWords", check: swapWords},
	{name: "Agree", check: agree},
	{name: "RandomSequence", check: randomSequence},
}

// identity: each rank has one of the numbers 0 to n-1, each number once. All ranks have the same nodes, which are
// numbered in the order of their first ranks.
func identity(t comm.Transport, n int) error {
	if t.Size() != n {
		return fmt.Errorf("Size() is %d, want %d", t.Size(), n)
	}
	if t.Rank() < 0 || t.Rank() >= n {
		return fmt.Errorf("Rank() is out of range")
	}
	seen := make([]int64, n)
	seen[t.Rank()] = 1
	if err := t.AllReduce(seen, comm.Sum); err != nil {
		return err
	}
	if slices.ContainsFunc(seen, func(times int64) bool { return times != 1 }) {
		return fmt.Errorf("the ranks' numbers occur %v times", seen)
	}
	return sameNodes(t, n)
}

func sameNodes(t comm.Transport, n int) error {
	nodes := t.Nodes()
	if len(nodes) != n {
		return fmt.Errorf("Nodes() has %d ranks", len(nodes))
	}
	known, highest, lowest := 0, make([]int64, n), make([]int64, n)
	for r, node := range nodes {
		if node < 0 || node > known {
			return fmt.Errorf("the nodes %v are not numbered in the order of their first ranks", nodes)
		}
		known = max(known, node+1)
		highest[r], lowest[r] = int64(node), int64(node)
	}
	if err := errors.Join(t.AllReduce(highest, comm.Max), t.AllReduce(lowest, comm.Min)); err != nil {
		return err
	}
	if !slices.Equal(highest, lowest) {
		return fmt.Errorf("ranks have different nodes: this one has %v", nodes)
	}
	return nil
}

// eachOperation: each operation on positive, negative and extreme values.
func eachOperation(t comm.Transport, n int) error {
	me, last := int64(t.Rank()), int64(n-1)
	for _, c := range []struct {
		name       string
		op         comm.Op
		mine, want []int64
	}{
		{"sum", comm.Sum, []int64{me, -me, 1, math.MinInt64 / int64(n)},
			[]int64{last * int64(n) / 2, -last * int64(n) / 2, int64(n), math.MinInt64 / int64(n) * int64(n)}},
		{"min", comm.Min, []int64{me, -me, me - 1, math.MaxInt64 - me}, []int64{0, -last, -1, math.MaxInt64 - last}},
		{"max", comm.Max, []int64{me, -me, me - last - 1, math.MinInt64 + me}, []int64{last, 0, -1, math.MinInt64 + last}},
	} {
		if err := t.AllReduce(c.mine, c.op); err != nil {
			return err
		}
		if !slices.Equal(c.mine, c.want) {
			return fmt.Errorf("%s gives %v, want %v", c.name, c.mine, c.want)
		}
	}
	return nil
}

// allReduce: each operation, and a sum of many values.
func allReduce(t comm.Transport, n int) error {
	if err := eachOperation(t, n); err != nil {
		return err
	}
	me, last := int64(t.Rank()), int64(n-1)
	many := make([]int64, 20_011) // more than any implementation combines in one call
	for i := range many {
		many[i] = me * int64(i)
	}
	if err := t.AllReduce(many, comm.Sum); err != nil {
		return err
	}
	for i, v := range many {
		if v != last*int64(n)/2*int64(i) {
			return fmt.Errorf("value %d of many is %d, want %d", i, v, last*int64(n)/2*int64(i))
		}
	}
	return nil
}

// allReduceEmpty: a slice may be empty, or nil.
func allReduceEmpty(t comm.Transport, _ int) error {
	return errors.Join(t.AllReduce(nil, comm.Sum), t.AllReduce([]int64{}, comm.Max))
}

// barrier: no rank leaves before the last one has arrived. Each rank in turn is late. The clock is of one node.
func barrier(t comm.Transport, n int) error {
	if _, size := comm.Place(t); size != n {
		return nil
	}
	for late := range n {
		if t.Rank() == late {
			time.Sleep(10 * time.Millisecond)
		}
		lastIn := []int64{time.Now().UnixNano()}
		if err := t.Barrier(); err != nil {
			return err
		}
		firstOut := []int64{time.Now().UnixNano()}
		if err := errors.Join(t.AllReduce(lastIn, comm.Max), t.AllReduce(firstOut, comm.Min)); err != nil {
			return err
		}
		if firstOut[0] < lastIn[0] {
			return fmt.Errorf("a rank left the barrier %d ns before rank %d arrived", lastIn[0]-firstOut[0], late)
		}
	}
	return nil
}

// agree: nil on all ranks gives nil; otherwise all ranks get the error of the lowest failing rank.
func agree(t comm.Transport, n int) error {
	if err := comm.Agree(t, nil); err != nil {
		return fmt.Errorf("no error gives %q", err)
	}
	for lowest := range n {
		var mine error
		if t.Rank() >= lowest {
			mine = fmt.Errorf("reason %d", t.Rank())
		}
		err := comm.Agree(t, mine)
		agreed, ok := err.(*comm.RankError)
		want := fmt.Sprintf("rank %d: reason %d", lowest, lowest)
		if n == 1 { // the text of the only rank does not name it
			want = "reason 0"
		}
		if !ok || agreed.Rank != lowest || err.Error() != want {
			return fmt.Errorf("the agreed reason is %q, want %q", err, want)
		}
		if t.Rank() == lowest && agreed.Err != mine {
			return fmt.Errorf("the failing rank gets %q instead of its own error", agreed.Err)
		}
		if again := comm.Agree(t, err); again != err {
			return fmt.Errorf("an agreed error becomes %q, want %q", again, err)
		}
	}
	return nil
}

// label is a defined type, as graph.Global is.
type label int64

// exchangeWords: Exchange on every kind of word.
func exchangeWords(t comm.Transport, _ int) error {
	for _, check := range []func(comm.Transport) error{
		exchange[uint8], exchange[uint16], exchange[uint32], exchange[uint64], exchange[int32], exchange[int64],
		exchange[float32], exchange[label],
	} {
		if err := check(t); err != nil {
			return err
		}
	}
	return nil
}

// swapWords: every rank gets the word that each rank has for it.
func swapWords(t comm.Transport, n int) error {
	words := make([]int64, n)
	for r := range words {
		words[r] = int64(t.Rank())<<32 - int64(r)
	}
	got, err := comm.SwapWords(t, words)
	for r, word := range got {
		if want := int64(r)<<32 - int64(t.Rank()); err == nil && word != want {
			err = fmt.Errorf("the word from rank %d is %d, want %d", r, word, want)
		}
	}
	return err
}

// exchange sends from+3*to words to each rank. They use the highest bits, and the sign if the type has one.
func exchange[T comm.Word](t comm.Transport) error {
	words := func(from, to int) []T {
		w := make([]T, from+3*to)
		for i := range w {
			w[i] = T(0) - T(1+from*64+to*8+i)
		}
		return w
	}
	send := make([][]T, t.Size())
	for r := range send {
		send[r] = words(t.Rank(), r)
	}
	recv, err := comm.Exchange(t, send)
	if err != nil {
		return err
	}
	for r, got := range recv {
		if want := words(r, t.Rank()); !slices.Equal(got, want) {
			return fmt.Errorf("%T from rank %d is %v, want %v", got, r, got, want)
		}
	}
	return nil
}

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
