//go:build cuda && cgo

package gpu

import (
	"fmt"

	"g500/bench"
	"g500/bfs"
	"g500/cuda"
	"g500/graph"
	"g500/validate"
)

// judge checks trees where they lie, on the device.
type judge struct{ on *cuda.Judge }

func newJudge(d *cuda.Device, vertices graph.Global, given graph.Tuples) (bench.Judge, error) {
	t, err := onDevice(d, given)
	if err != nil {
		return nil, err
	}
	on, err := d.NewJudge(t.buffer, t.count, int64(vertices))
	return judge{on}, err
}

// Tree judges a tree of the GPU engine.
func (j judge) Tree(root graph.Global, result bfs.Tree) (validate.Verdict, error) {
	t, ok := result.(tree)
	if !ok {
		return validate.Verdict{}, fmt.Errorf("gpu: the judge takes trees of the GPU engine, not %T", result)
	}
	v, err := j.on.Tree(int64(root), t.parents)
	if err != nil {
		return validate.Verdict{}, err
	}
	if v.Rule == cuda.NoRule {
		return validate.Verdict{Edges: v.Edges, EdgesWithLoops: v.Edges + v.Loops, Reached: v.Reached, Levels: v.Levels}, nil
	}
	fault, err := t.fault(v)
	return validate.Verdict{Fault: fault}, err
}

// broken are the rules in the words of the judge on the host.
var broken = map[cuda.Rule]error{
	cuda.RuleRange:    validate.ErrRange,
	cuda.RuleRoot:     validate.ErrRoot,
	cuda.RuleTree:     validate.ErrCycle,
	cuda.RuleLevels:   validate.ErrLevels,
	cuda.RuleSpan:     validate.ErrSpan,
	cuda.RuleTreeEdge: validate.ErrTreeEdge,
}

// fault puts a verdict of the device into those words. Whether a way along parents ends in a cycle or outside the
// tree it looks up.
func (t tree) fault(v cuda.Verdict) (*validate.Fault, error) {
	rule, known := broken[v.Rule]
	if !known {
		return nil, fmt.Errorf("gpu: the device's judge names rule %d, which does not exist", v.Rule)
	}
	vertex, other := graph.Global(v.U), graph.Global(v.V)
	if v.Rule == cuda.RuleRange || v.Rule == cuda.RuleRoot {
		other = widen(uint32(v.V))
	}
	if v.Rule == cuda.RuleTree {
		above := make([]uint32, 1)
		if err := cuda.Read(above, t.parents, v.V); err != nil {
			return nil, err
		}
		if above[0] == cuda.NoVertex {
			rule = validate.ErrOrphan
		}
	}
	return validate.NewFault(rule, vertex, other), nil
}
