//go:build cuda && cgo

package validate

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/validate"
)

// trial is one result before the judge.
type trial struct {
	*Validator
	tree    device.Tree
	own     cuda.Memory   // distances of this rank's vertices, of shortest paths
	depth   int           // levels of the tree
	settled int64         // vertices of this rank whose level was found
	waiting int64         // vertices of all ranks with a parent and without a level
	passes  int           // over the tuples
	found   cuda.Findings // as this rank last told them
	all     cuda.Findings // of all ranks, after the last step
}

// tryTree goes through the rules of a tree.
func (j *Validator) tryTree(root graph.Global, t device.Tree) (validate.Verdict, error) {
	tr := &trial{Validator: j, tree: t}
	return tr.verdict(
		func() error { return tr.enter(root) },
		func() error { return tr.descend(tr.checkTuples) },
		func() error { return tr.checkEdges(cuda.RuleTreeEdge, tr.join) },
	)
}

// verdict takes steps, each of which looks for broken rules, in order, and ends where one is broken: the next would
// make no sense.
func (tr *trial) verdict(steps ...func() error) (validate.Verdict, error) {
	for _, step := range steps {
		err := step()
		if err == nil {
			tr.all, err = tr.agree(tr.found)
		}
		var fault *validate.Fault
		if err == nil {
			fault, err = tr.firstFault(tr.all)
		}
		if err != nil {
			return validate.Verdict{}, err
		}
		if fault != nil {
			return validate.Verdict{Fault: fault}, nil
		}
	}
	return validate.Verdict{
		Edges: int64(tr.all.Edges), EdgesWithLoops: int64(tr.all.Edges + tr.all.Loops),
		Reached: int64(tr.all.Reached), Levels: tr.depth,
	}, nil
}

// enter begins with the tree.
func (tr *trial) enter(root graph.Global) error {
	return tr.note(tr.on.Enter(int64(root), tr.tree.Words, tr.tree.Bits))
}

// note keeps the findings that a step has told.
func (tr *trial) note(found cuda.Findings, err error) error {
	if err == nil {
		tr.found = found
	}
	return err
}

// agree makes one of the findings of all ranks: the lowest offence against each rule, and sums.
func (j *Validator) agree(mine cuda.Findings) (cuda.Findings, error) {
	words := make([]uint64, j.parts.Ranks*cuda.FindingsWords)
	copy(words[j.parts.Rank*cuda.FindingsWords:], mine.Words())
	if err := j.t.Host().AllGather(words); err != nil {
		return cuda.Findings{}, err
	}
	var all cuda.Findings
	copy(all.Words(), words)
	for words = words[cuda.FindingsWords:]; len(words) > 0; words = words[cuda.FindingsWords:] {
		var theirs cuda.Findings
		copy(theirs.Words(), words)
		for rule := range all.Worst {
			label, other := theirs.Worst[rule], theirs.Other[rule]
			if label < all.Worst[rule] || label == all.Worst[rule] && other < all.Other[rule] {
				all.Worst[rule], all.Other[rule] = label, other
			}
		}
		all.Reached += theirs.Reached
		all.Settled += theirs.Settled
		all.Edges += theirs.Edges
		all.Loops += theirs.Loops
	}
	return all, nil
}

// descend finds the levels, from the root down, and calls look each time that no more levels can be told apart, and at
// the end. Each look has in common with the one before the level that is its base.
func (tr *trial) descend(look func() error) error {
	if err := tr.openWindow(0); err != nil {
		return err
	}
	tr.waiting = int64(tr.all.Reached) - 1
	below := 0 // levels below the base
	for tr.depth = 1; tr.waiting > 0; tr.depth++ {
		if below == cuda.ValidatorLevels-1 {
			if err := look(); err != nil {
				return err
			}
			if err := tr.on.RaiseBase(); err != nil {
				return err
			}
			below = 0
		}
		below++
		settled, err := tr.descendOnce((tr.depth-1)%2, below)
		if err != nil {
			return err
		}
		if settled == 0 {
			return tr.findStuck()
		}
		tr.waiting -= settled
	}
	return look()
}

// descendOnce finds one level, and returns how many vertices of all ranks are on it.
func (tr *trial) descendOnce(from, below int) (int64, error) {
	if err := tr.t.AllGather(tr.marks[from], tr.parts.Slice/8); err != nil {
		return 0, err
	}
	if err := tr.note(tr.on.Descend(from, below)); err != nil {
		return 0, err
	}
	settled := []int64{int64(tr.found.Settled) - tr.settled}
	tr.settled += settled[0]
	err := tr.t.Host().AllReduce(settled, comm.Sum)
	return settled[0], err
}

// findStuck tells why vertices that have a parent have no level.
func (tr *trial) findStuck() error {
	if err := tr.on.MarkReached(); err != nil {
		return err
	}
	if err := tr.t.AllGather(tr.marks[0], tr.parts.Slice/8); err != nil {
		return err
	}
	return tr.note(tr.on.FindStuck())
}

// checkTuples is one pass over the tuples with the levels that can be told apart.
func (tr *trial) checkTuples() error {
	if err := tr.t.AllGather(tr.levels, tr.parts.Slice/2); err != nil {
		return err
	}
	tr.passes++
	return tr.tuples.Each(func(piece cuda.Memory) error { return tr.note(tr.on.CheckTuples(piece, tr.passes == 1)) })
}

// checkEdges finds out who is joined to its parent, a window at a time, by join; who is not breaks that rule. Of the
// first window, what was done before has found it out.
func (tr *trial) checkEdges(rule cuda.Rule, join func() error) error {
	for first := int64(0); first < tr.parts.Slice; first += tr.parts.Span {
		if first > 0 {
			if err := tr.openWindow(first); err != nil {
				return err
			}
			if err := join(); err != nil {
				return err
			}
		}
		joined, err := tr.gatherJoined()
		if err != nil {
			return err
		}
		if err := tr.note(tr.on.CheckJoined(joined, rule)); err != nil {
			return err
		}
	}
	return nil
}

// join joins the vertices of the window to their parents, by any tuple.
func (tr *trial) join() error { return tr.tuples.Each(tr.on.JoinTuples) }

// openWindow brings the parents of the vertices at the places from first on to all ranks. Nobody overwrites what
// another still reads: since the last window all ranks have exchanged what they found in it.
func (tr *trial) openWindow(first int64) error {
	err := tr.on.OpenWindow(first)
	if err == nil && tr.parents != nil {
		err = tr.t.AllGather(tr.parents, tr.parts.Span*tr.label)
	}
	return err
}

// gatherJoined brings what all ranks have joined of a rank's vertices to it.
func (tr *trial) gatherJoined() (cuda.Memory, error) {
	if tr.received == nil {
		return tr.parts.Joined, nil
	}
	counts := make([]int64, tr.parts.Ranks)
	for rank := range counts {
		counts[rank] = tr.parts.Span / 8
	}
	_, err := tr.t.AllToAll(tr.parts.Joined, counts, tr.received)
	return tr.received.Memory, err
}
