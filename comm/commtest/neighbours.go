// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"errors"
	"fmt"

	"g500/comm"
)

// sends reports whether one rank sends messages to another one.
type sends func(from, to int) bool

// graphs returns communication graphs of n ranks.
func graphs(n int) []sends {
	return []sends{
		func(_, _ int) bool { return false },
		func(_, _ int) bool { return true },
		func(from, to int) bool { return to == (from+1)%n },
		func(from, to int) bool { return from == 0 || to == 0 },
		func(from, to int) bool { return to > from },
		func(from, to int) bool { return to == n-1 }, // to one rank, which sends nothing
		func(from, to int) bool { return (from*7+to*3+from*to)%4 == 0 },
	}
}

// neighboursOf returns the neighbours of a rank in a graph of n ranks.
func neighboursOf(rank, n int, graph sends) (found comm.Neighbours) {
	for r := range n {
		if r != rank && graph(rank, r) {
			found.To = append(found.To, r)
		}
		if r != rank && graph(r, rank) {
			found.From = append(found.From, r)
		}
	}
	return found
}

// swapNear returns a check of NeighbourAllToAll in a graph. send also has messages for other ranks, which must not
// arrive.
func swapNear(graph sends) func(t comm.Transport, round int, length lengths) error {
	return func(t comm.Transport, round int, length lengths) error {
		expected := func(from, to int) int { return length(from, to) * boolInt(from != to && graph(from, to)) }
		recv, err := roundTrip(t, round, length, expected, func(send [][]byte) ([][]byte, error) {
			return t.NeighbourAllToAll(send, neighboursOf(t.Rank(), t.Size(), graph))
		})
		return errors.Join(err, checkAligned(recv))
	}
}

// neighbourSizes: every pattern of messages along every graph.
func neighbourSizes(t comm.Transport, n int) error {
	for _, graph := range graphs(n) {
		if err := everyPattern(swapNear(graph))(t, n); err != nil {
			return err
		}
	}
	return nil
}

// neighbourLarge: messages of megabytes, and short ones.
func neighbourLarge(t comm.Transport, n int) error {
	return large(swapNear(func(from, to int) bool { return to == (from+1)%n || to == 0 }))(t, n)
}

// neighbourRefusals: every rank refuses ranks that cannot be neighbours, before it sends a message.
func neighbourRefusals(t comm.Transport, n int) error {
	send := make([][]byte, n)
	for _, wrong := range []comm.Neighbours{
		{To: []int{t.Rank()}}, {From: []int{t.Rank()}}, {To: []int{n}}, {From: []int{-1}},
	} {
		if _, err := t.NeighbourAllToAll(send, wrong); err == nil {
			return fmt.Errorf("NeighbourAllToAll accepts %v on rank %d of %d", wrong, t.Rank(), n)
		}
	}
	if _, err := t.NeighbourAllToAll(make([][]byte, n+1), comm.Neighbours{}); err == nil {
		return errors.New("NeighbourAllToAll accepts one message too many")
	}
	return nil
}
