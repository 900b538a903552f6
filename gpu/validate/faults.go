// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"math"

	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/validate"
)

// broken has the error of each rule.
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

// brokenByArc has the errors of rules that differ in directed graphs.
var brokenByArc = map[cuda.Rule]error{
	cuda.RuleLevels:   validate.ErrArcLevels,
	cuda.RuleSpan:     validate.ErrArcSpan,
	cuda.RuleTreeEdge: validate.ErrArcParent,
}

// firstFault returns the fault of the first broken rule, or nil. found has the findings of all ranks. It is collective.
func (r *run) firstFault(found cuda.Findings) (*validate.Fault, error) {
	for rule := cuda.RuleRange; rule < cuda.Rules; rule++ {
		if worst := found.Worst[rule]; worst != cuda.NoOffence {
			return r.fault(rule, graph.Global(worst), graph.Global(found.Other[rule]))
		}
	}
	return nil, nil
}

// ruleError returns the error of a rule.
func (r *run) ruleError(rule cuda.Rule) error {
	if err, differs := brokenByArc[rule]; differs && r.parts.Directed {
		return err
	}
	return broken[rule]
}

// fault returns the fault of a broken rule. It is collective.
func (r *run) fault(rule cuda.Rule, vertex, other graph.Global) (*validate.Fault, error) {
	if rule != cuda.RuleDistance {
		return validate.NewFault(r.ruleError(rule), vertex, other), nil
	}
	var err error
	distance := []uint32{0} // the bits of the vertex's distance, which its owner reads
	if r.graph.Owner(vertex) == r.parts.Rank {
		err = cuda.Read(distance, r.own, int64(r.graph.Local(vertex)))
	}
	if err := comm.Agree(r.t.Host(), err); err != nil {
		return nil, err
	}
	bits, err := comm.Reduce(r.t.Host(), int64(distance[0]), comm.Sum)
	return validate.NewDistanceFault(vertex, other, math.Float32frombits(uint32(bits))), err
}
