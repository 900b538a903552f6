package commtest

import (
	"errors"
	"fmt"

	"g500/comm"
)

// graphs say, for n ranks, which of them sends to which other one.
func graphs(n int) []func(from, to int) bool {
	return []func(from, to int) bool{
		func(_, _ int) bool { return false },
		func(_, _ int) bool { return true },
		func(from, to int) bool { return to == (from+1)%n },
		func(from, to int) bool { return from == 0 || to == 0 },
		func(from, to int) bool { return to > from },
		func(from, to int) bool { return to == n-1 }, // to one rank, which sends nothing
		func(from, to int) bool { return (from*7+to*3+from*to)%4 == 0 },
	}
}

// neighboursOf are those of a rank.
func neighboursOf(rank, n int, sends func(from, to int) bool) (found comm.Neighbours) {
	for r := range n {
		if r != rank && sends(rank, r) {
			found.To = append(found.To, r)
		}
		if r != rank && sends(r, rank) {
			found.From = append(found.From, r)
		}
	}
	return found
}

// swapNear sends messages between neighbours, has others lie ready that must not go, and checks what comes.
func swapNear(t comm.Transport, round int, sends func(from, to int) bool, size func(from, to int) int) error {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = make([]byte, size(t.Rank(), r))
		message(send[r], t.Rank(), r, round)
	}
	recv, err := t.NeighbourAllToAll(send, neighboursOf(t.Rank(), t.Size(), sends))
	if err != nil {
		return err
	}
	for _, s := range send {
		clear(s) // send may be reused at once
	}
	return checkMessages(t, recv, round, func(from, to int) int {
		if from == to || !sends(from, to) {
			return 0
		}
		return size(from, to)
	})
}

// neighbourSizes: every pattern of messages along every graph.
func neighbourSizes(t comm.Transport, n int) error {
	round := 0
	for _, sends := range graphs(n) {
		for _, size := range patterns(n) {
			if err := swapNear(t, round, sends, size); err != nil {
				return err
			}
			round++
		}
	}
	return nil
}

// neighbourLarge: messages of megabytes, beside small ones.
func neighbourLarge(t comm.Transport, n int) error {
	return swapNear(t, 0, func(from, to int) bool { return to == (from+1)%n || to == 0 }, oneLarge(n))
}

// neighbourRefusals: what is no neighbour is refused on every rank alike, before anything is sent.
func neighbourRefusals(t comm.Transport, n int) error {
	send := make([][]byte, n)
	for _, wrong := range []comm.Neighbours{
		{To: []int{t.Rank()}}, {From: []int{t.Rank()}}, {To: []int{n}}, {From: []int{-1}},
	} {
		if _, err := t.NeighbourAllToAll(send, wrong); err == nil {
			return fmt.Errorf("NeighbourAllToAll takes %v on rank %d of %d", wrong, t.Rank(), n)
		}
	}
	if _, err := t.NeighbourAllToAll(make([][]byte, n+1), comm.Neighbours{}); err == nil {
		return errors.New("NeighbourAllToAll takes a message too many")
	}
	return nil
}
