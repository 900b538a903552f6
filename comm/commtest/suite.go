// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/comm"
	"g500/internal/expect"
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
				expect.NoError(t, launch(n, func(tr comm.Transport) error {
					expect.Equal(t, tr.Size(), n, "Size()")
					c.check(OnRank{t}, tr)
					return nil
				}))
			})
		}
	}
}

type testCase struct {
	name  string
	check check
	large bool
}

// check runs on every rank of a job. A rank whose call fails panics; the launcher then ends the other ranks.
type check func(t testing.TB, tr comm.Transport)

// cases is the suite. Each case relies only on the methods that earlier cases have tested.
var cases = []testCase{
	{name: "Identity", check: identity},
	{name: "AllReduce", check: allReduce},
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
	{name: "SharedWords", check: sharedWords},
	{name: "RandomSequence", check: randomSequence},
}

// identity: each rank has one of the numbers 0 to n-1, each number once. All ranks have the same nodes, which are
// numbered in the order of their first ranks.
func identity(t testing.TB, tr comm.Transport) {
	n := tr.Size()
	expect.Must(t, tr.Rank() >= 0 && tr.Rank() < n, "Rank() is out of range")
	seen := make([]int64, n)
	seen[tr.Rank()] = 1
	expect.NoError(t, tr.AllReduce(seen, comm.Sum))
	expect.Equal(t, seen, slices.Repeat([]int64{1}, n), "how often the ranks' numbers occur")
	nodes := tr.Nodes()
	expect.Equal(t, len(nodes), n, "ranks of Nodes()")
	known, highest, lowest := 0, make([]int64, n), make([]int64, n)
	for r, node := range nodes {
		expect.That(t, node >= 0 && node <= known, "the nodes %v are not numbered in the order of their first ranks", nodes)
		known = max(known, node+1)
		highest[r], lowest[r] = int64(node), int64(node)
	}
	expect.NoError(t, tr.AllReduce(highest, comm.Max))
	expect.NoError(t, tr.AllReduce(lowest, comm.Min))
	expect.Equal(t, highest, lowest, "ranks have different nodes: this one has", nodes)
}

// eachOperation: each operation on positive, negative and extreme values.
func eachOperation(t testing.TB, tr comm.Transport) {
	me, n := int64(tr.Rank()), int64(tr.Size())
	last := n - 1
	for _, c := range []struct {
		name       string
		op         comm.Op
		mine, want []int64
	}{
		{"sum", comm.Sum, []int64{me, -me, 1, math.MinInt64 / n},
			[]int64{last * n / 2, -last * n / 2, n, math.MinInt64 / n * n}},
		{"min", comm.Min, []int64{me, -me, me - 1, math.MaxInt64 - me}, []int64{0, -last, -1, math.MaxInt64 - last}},
		{"max", comm.Max, []int64{me, -me, me - last - 1, math.MinInt64 + me}, []int64{last, 0, -1, math.MinInt64 + last}},
	} {
		expect.NoError(t, tr.AllReduce(c.mine, c.op))
		expect.Equal(t, c.mine, c.want, c.name)
	}
}

// allReduce: each operation, a sum of many values, and a slice that is empty or nil.
func allReduce(t testing.TB, tr comm.Transport) {
	eachOperation(t, tr)
	many := make([]int64, 20_011) // more than any implementation combines in one call
	want := make([]int64, len(many))
	for i := range many {
		many[i] = int64(tr.Rank() * i)
		want[i] = int64(tr.Size() * (tr.Size() - 1) / 2 * i)
	}
	expect.NoError(t, tr.AllReduce(many, comm.Sum))
	expect.That(t, slices.Equal(many, want), "a sum of many values is wrong")
	expect.NoError(t, tr.AllReduce(nil, comm.Sum))
	expect.NoError(t, tr.AllReduce([]int64{}, comm.Max))
}

// barrier: no rank leaves before the last one has arrived. Each rank in turn is late. The clock is of one node.
func barrier(t testing.TB, tr comm.Transport) {
	if _, size := comm.Place(tr); size != tr.Size() {
		return
	}
	for late := range tr.Size() {
		if tr.Rank() == late {
			time.Sleep(10 * time.Millisecond)
		}
		lastIn := []int64{time.Now().UnixNano()}
		expect.NoError(t, tr.Barrier())
		firstOut := []int64{time.Now().UnixNano()}
		expect.NoError(t, tr.AllReduce(lastIn, comm.Max))
		expect.NoError(t, tr.AllReduce(firstOut, comm.Min))
		expect.That(t, firstOut[0] >= lastIn[0],
			"a rank left the barrier %d ns before rank %d arrived", lastIn[0]-firstOut[0], late)
	}
}

// agree: nil on all ranks gives nil; otherwise all ranks get the error of the lowest failing rank.
func agree(t testing.TB, tr comm.Transport) {
	expect.NoError(t, comm.Agree(tr, nil))
	for lowest := range tr.Size() {
		var mine error
		if tr.Rank() >= lowest {
			mine = fmt.Errorf("reason %d", tr.Rank())
		}
		err := comm.Agree(tr, mine)
		agreed, ok := err.(*comm.RankError)
		want := fmt.Sprintf("rank %d: reason %d", lowest, lowest)
		if tr.Size() == 1 { // the text of the only rank does not name it
			want = "reason 0"
		}
		expect.Must(t, ok && agreed.Rank == lowest && err.Error() == want, "the agreed reason is %q, want %q", err, want)
		expect.That(t, tr.Rank() != lowest || agreed.Err == mine,
			"the failing rank gets %q instead of its own error", agreed.Err)
		again := comm.Agree(tr, err)
		expect.That(t, again == err, "an agreed error becomes %q, want %q", again, err)
	}
}

// label is a defined type, as graph.Global is.
type label int64

// exchangeWords: Exchange on every kind of word.
func exchangeWords(t testing.TB, tr comm.Transport) {
	for _, exchanged := range []check{
		exchange[uint8], exchange[uint16], exchange[uint32], exchange[uint64], exchange[int32], exchange[int64],
		exchange[float32], exchange[label],
	} {
		exchanged(t, tr)
	}
}

// swapWords: every rank gets the word that each rank has for it.
func swapWords(t testing.TB, tr comm.Transport) {
	words, want := make([]int64, tr.Size()), make([]int64, tr.Size())
	for r := range words {
		words[r] = int64(tr.Rank())<<32 - int64(r)
		want[r] = int64(r)<<32 - int64(tr.Rank())
	}
	expect.Equal(t, expect.Value(comm.SwapWords(tr, words))(t), want)
}

// exchange sends from+3*to words to each rank. They use the highest bits, and the sign if the type has one.
func exchange[T comm.Word](t testing.TB, tr comm.Transport) {
	words := func(from, to int) []T {
		w := make([]T, from+3*to)
		for i := range w {
			w[i] = T(0) - T(1+from*64+to*8+i)
		}
		return w
	}
	send := make([][]T, tr.Size())
	for r := range send {
		send[r] = words(tr.Rank(), r)
	}
	for r, got := range expect.Value(comm.Exchange(tr, send))(t) {
		want := words(r, tr.Rank())
		expect.That(t, slices.Equal(got, want), "%T from rank %d is %v, want %v", got, r, got, want)
	}
}

// sharedWords: words are 0 at first, and each rank reads what the others have written.
func sharedWords(t testing.TB, tr comm.Transport) {
	if runtime.GOOS != "linux" {
		return
	}
	want := make([]uint64, 1000*tr.Size())
	words, unmap, err := comm.SharedWords(tr, len(want))
	expect.NoError(t, err)
	expect.Equal(t, words, want)
	expect.NoError(t, tr.Barrier())
	for r := range tr.Size() {
		want[1000*r+999] = uint64(r + 1)
	}
	words[1000*tr.Rank()+999] = uint64(tr.Rank() + 1)
	expect.NoError(t, tr.Barrier())
	expect.Equal(t, words, want, "after each rank wrote a word")
	expect.NoError(t, unmap())
}

// randomSequence: 300 collectives in a random order, with messages of random lengths, the same on all ranks.
func randomSequence(t testing.TB, tr comm.Transport) {
	n := tr.Size()
	draw := rand.New(rand.NewPCG(500, uint64(n)))
	for step := range 300 {
		switch seed := draw.Uint64(); draw.IntN(6) {
		case 0:
			expect.NoError(t, tr.Barrier())
		case 1:
			eachOperation(t, tr)
		case 2:
			gather(t, tr, int(seed%300))
		case 3:
			swap(t, tr, step, randomLengths(n, seed))
		case 4:
			swapInto(t, tr, step, randomLengths(n, seed))
		case 5:
			swapNear(graphs(n)[seed%7])(t, tr, step, randomLengths(n, seed))
		}
	}
}

// randomLengths returns lengths of messages, mostly small ones.
func randomLengths(n int, seed uint64) lengths {
	return func(from, to int) int {
		draw := rand.New(rand.NewPCG(seed, uint64(from*n+to)))
		return draw.IntN(1 << draw.IntN(14))
	}
}
