// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/validate"
)

// run is the validation of one result.
type run struct {
	*Validator
	result  device.Result
	base    int           // level of the base
	depth   int           // levels of the tree
	waiting int64         // vertices of all ranks with a parent and without a level
	descent int           // levels of inner vertices so far
	passes  int           // over the tuples
	found   cuda.Findings // of this rank, after the last step
	all     cuda.Findings // of all ranks, after the last step
}

// validateTree checks the rules of a tree.
func (r *run) validateTree(root graph.Global) (validate.Verdict, error) {
	return r.verdict(
		func() error { return r.enter(root) },
		func() error { return r.descend(r.checkTuples) },
		func() error { return r.checkEdges(validate.ErrTreeEdge, false) },
	)
}

// verdict runs the steps in order until one finds a broken rule, because each relies on the rules before.
func (r *run) verdict(steps ...func() error) (validate.Verdict, error) {
	for _, step := range steps {
		err := step()
		if err == nil {
			r.all, err = r.agree(r.found)
		}
		var fault *validate.Fault
		if err == nil {
			fault, err = r.firstFault(r.all)
		}
		if err != nil {
			return validate.Verdict{}, err
		}
		if fault != nil {
			return validate.Verdict{Fault: fault}, nil
		}
	}
	return validate.Verdict{
		Edges: int64(r.all.Edges), EdgesWithLoops: int64(r.all.Edges + r.all.Loops),
		Reached: int64(r.all.Reached), Levels: r.depth,
	}, nil
}

// enter starts with the tree.
func (r *run) enter(root graph.Global) error {
	return r.note(r.on.Enter(int64(root), r.result.Parents, r.result.Bits))
}

// note stores the findings of a step.
func (r *run) note(found cuda.Findings, err error) error {
	if err == nil {
		r.found = found
	}
	return err
}

// agree combines the findings of all ranks: the lowest offence against each rule, and sums.
func (v *Validator) agree(mine cuda.Findings) (cuda.Findings, error) {
	words := make([]uint64, v.parts.Ranks*cuda.FindingsWords)
	copy(words[v.parts.Rank*cuda.FindingsWords:], mine.Words())
	if err := v.t.Host().AllGather(words); err != nil {
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
		all.Edges += theirs.Edges
		all.Loops += theirs.Loops
		for level := range all.Sizes {
			all.Sizes[level] += theirs.Sizes[level]
		}
	}
	return all, nil
}

// descend finds the levels, from the root down. It calls check when all distinct codes of levels are used, and at the
// end. The last level before a check is the base of the next ones.
func (r *run) descend(check func() error) error {
	r.waiting = int64(r.all.Reached) - 1
	err := r.openWindow(0)
	if err == nil {
		err = r.separateInner()
	}
	for r.depth = 1; err == nil; r.base += cuda.ValidatorLevels - 1 {
		var full bool
		if full, err = r.settle(); err != nil {
			return err
		}
		if r.waiting > 0 && !full {
			return r.findStuck()
		}
		if err = check(); err != nil || r.waiting == 0 {
			return err
		}
		err = r.on.RaiseBase()
	}
	return err
}

// separateInner finds the vertices of this rank with children on any rank.
func (r *run) separateInner() error {
	if r.parts.Ranks == 1 {
		return r.on.SeparateInner(r.marks[1].Memory)
	}
	if _, err := r.t.AllToAll(r.marks[1].Memory, r.slices(r.parts.Slice/8), r.marks[0]); err != nil {
		return err
	}
	return r.on.SeparateInner(r.marks[0].Memory)
}

// slices returns the numbers of bytes that AllToAll sends to each rank.
func (r *run) slices(bytes int64) []int64 { return slices.Repeat([]int64{bytes}, r.parts.Ranks) }

// settle finds the levels below the base that have distinct codes: of inner vertices level by level, then of leaves. It
// reports whether inner vertices are on all of these levels.
func (r *run) settle() (full bool, err error) {
	full = true
	for below := 1; full && below < cuda.ValidatorLevels; below++ {
		if full, err = r.descendOnce(below); err != nil {
			return false, err
		}
	}
	if err := r.t.AllGather(r.levels, r.parts.Slice/2); err != nil {
		return false, err
	}
	if err := r.note(r.on.SettleLeaves()); err != nil {
		return false, err
	}
	r.all, err = r.agree(r.found)
	for below, size := range r.all.Sizes {
		if size > 0 {
			r.depth = r.base + below + 1
		}
		r.waiting -= int64(size)
	}
	return full, err
}

// descendOnce finds the inner vertices of one level. It reports whether any rank has some.
func (r *run) descendOnce(below int) (bool, error) {
	from := r.descent % 2
	r.descent++
	if err := r.t.AllGather(r.marks[from], r.parts.Slice/8); err != nil {
		return false, err
	}
	if err := r.note(r.on.Descend(from, below)); err != nil {
		return false, err
	}
	inner, err := comm.Reduce(r.t.Host(), int64(r.found.Sizes[below]), comm.Sum)
	return inner > 0, err
}

// findStuck finds the reason why vertices with a parent have no level.
func (r *run) findStuck() error {
	if err := r.on.MarkReached(); err != nil {
		return err
	}
	if err := r.t.AllGather(r.marks[0], r.parts.Slice/8); err != nil {
		return err
	}
	return r.note(r.on.FindStuck())
}

// checkTuples checks the levels of all tuples, as far as their codes are distinct.
func (r *run) checkTuples() error {
	if err := r.t.AllGather(r.levels, r.parts.Slice/2); err != nil {
		return err
	}
	if err := r.on.NarrowLevels(busiest(r.all.Sizes[:])); err != nil {
		return err
	}
	r.passes++
	return r.each(false, func(tuples, _ cuda.Memory) error {
		return r.note(r.on.CheckTuples(tuples, r.passes == 1))
	})
}

// checkEdges checks, window by window, that a tuple joins each vertex to its parent; others break the rule. weighted
// selects tuples whose weight is the difference of the distances. Earlier steps have joined the first window.
func (r *run) checkEdges(rule validate.Rule, weighted bool) error {
	for first := int64(0); first < r.parts.Slice; first += r.parts.Span {
		if first > 0 {
			if err := r.openWindow(first); err != nil {
				return err
			}
			if err := r.each(weighted, r.on.JoinTuples); err != nil {
				return err
			}
		}
		joined, err := r.gatherJoined()
		if err != nil {
			return err
		}
		if err := r.note(r.on.CheckJoined(joined, int(rule))); err != nil {
			return err
		}
	}
	return nil
}

// openWindow all-gathers the parents of the window that starts at number first of each slice. No rank still reads the
// last window, because all ranks have exchanged their findings in it.
func (r *run) openWindow(first int64) error {
	err := r.on.OpenWindow(first)
	if err == nil && r.parents != nil {
		err = r.gatherParents()
	}
	if err != nil {
		return err
	}
	return r.on.HintParents()
}

// gatherParents all-gathers a bit per vertex of the window, and the parents that exist.
func (r *run) gatherParents() error {
	if err := r.t.AllGather(r.reached, r.parts.Span/8); err != nil {
		return err
	}
	count, err := r.on.NumberParents()
	most, err := comm.ReduceAgreed(r.t.Host(), count, comm.Max, err)
	if err != nil {
		return err
	}
	stride := (most + 3) / 4 * 4 // multiples of 16 bytes are gathered
	if err := r.on.PackParents(stride); err != nil {
		return err
	}
	return r.t.AllGather(r.parents, stride*r.label)
}

// gatherJoined returns this rank's vertices that the tuples of each rank join to their parents.
func (r *run) gatherJoined() (cuda.Memory, error) {
	if r.received == nil {
		return r.parts.Joined, nil
	}
	_, err := r.t.AllToAll(r.parts.Joined, r.slices(r.parts.Span/8), r.received)
	return r.received.Memory, err
}

// validatePaths checks the rules of shortest paths. It also finds the levels of the tree, because distances do not show
// cycles if weights are zero or vanish in a sum.
func (r *run) validatePaths(root graph.Global) (validate.Verdict, error) {
	return r.verdict(
		func() error { return r.enter(root) },
		func() error { return r.descend(func() error { return nil }) },
		func() error { return r.note(r.on.CheckDistances(*r.result.Distances)) },
		r.checkPathTuples,
	)
}

// checkPathTuples finds tuples that shorten a path or leave the tree, and vertices without a tuple of the right length
// to their parents. If there are such vertices, it finds those without any tuple to their parents, which break an
// earlier rule.
func (r *run) checkPathTuples() error {
	if r.distances != nil {
		if err := r.t.AllGather(r.distances, r.parts.Slice*DistanceBytes); err != nil {
			return err
		}
	}
	err := r.each(true, func(tuples, weights cuda.Memory) error {
		return r.note(r.on.CheckPathTuples(tuples, weights))
	})
	if err == nil {
		err = r.checkEdges(validate.ErrPathEdge, true)
	}
	if err != nil {
		return err
	}
	all, err := r.agree(r.found)
	if err != nil || all.Worst[validate.ErrPathEdge] == cuda.NoOffence {
		return err
	}
	if err := r.openWindow(0); err != nil {
		return err
	}
	if err := r.each(false, r.on.JoinTuples); err != nil {
		return err
	}
	return r.checkEdges(validate.ErrTreeEdge, false)
}
