//go:build cuda && cgo

package validate

import (
	"math"

	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/validate"
)

// broken has the error of each rule, the same as in host memory.
var broken = map[cuda.Rule]error{
	cuda.RuleRange:    validate.ErrRange,
	cuda.RuleRoot:     validate.ErrRoot,
	cuda.RuleOrphan:   validate.ErrOrphan,
	cuda.RuleCycle:    validate.ErrCycle,
	cuda.RuleLevels:   validate.ErrLevels,
	cuda.RuleSpan:     validate.ErrSpan,
	cuda.RuleTreeEdge: validate.ErrTreeEdge,
	cuda.RuleDistance: validate.ErrDistance,
	cuda.RuleShorter:  validate.ErrShorter,
	cuda.RulePathEdge: validate.ErrPathEdge,
}

// firstFault is the first broken rule in those words, nil if none is. It is collective, with the findings of all ranks.
func (r *run) firstFault(found cuda.Findings) (*validate.Fault, error) {
	for rule := cuda.RuleRange; rule < cuda.Rules; rule++ {
		if worst := found.Worst[rule]; worst != cuda.NoOffence {
			return r.fault(rule, graph.Global(worst), graph.Global(found.Other[rule]))
		}
	}
	return nil, nil
}

// fault is a broken rule in those words. It is collective.
func (r *run) fault(rule cuda.Rule, vertex, other graph.Global) (*validate.Fault, error) {
	if rule != cuda.RuleDistance {
		return validate.NewFault(broken[rule], vertex, other), nil
	}
	bits, err := r.ofOwner(vertex, func(place graph.Local) (int64, error) {
		distance := []uint32{0}
		err := cuda.Read(distance, r.own, int64(place))
		return int64(distance[0]), err
	})
	return validate.NewDistanceFault(vertex, other, math.Float32frombits(uint32(bits))), err
}

// ofOwner returns the number that the owner of a vertex reads. It is collective.
func (r *run) ofOwner(vertex graph.Global, read func(graph.Local) (int64, error)) (word int64, err error) {
	if r.graph.Owner(vertex) == r.parts.Rank {
		word, err = read(r.graph.Local(vertex))
	}
	if err := comm.Agree(r.t.Host(), err); err != nil {
		return 0, err
	}
	return comm.Reduce(r.t.Host(), word, comm.Sum)
}
