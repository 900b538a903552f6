// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"g500/comm"
	"g500/internal/trace"
	"g500/record"
)

// trace returns the steps of the last search with their costs on all ranks: on rank 0, if the run requests a trace and
// the engine keeps one; else nil.
func (b *benchmark) trace(e any, key int) ([]record.Level, error) {
	tracer, can := e.(trace.Tracer)
	if !b.cfg.Search.Trace || !can {
		return nil, nil
	}
	own, err := tracer.Trace()
	if err := comm.Agree(b.t, err); err != nil {
		return nil, err
	}
	all, err := gatherSteps(b.t, own)
	if err != nil || b.t.Rank() != 0 {
		return nil, err
	}
	alike, difference := compareSteps(all)
	if difference != "" && !b.unlike {
		b.unlike = true
		b.note("the ranks report different steps of search key %d, so that its trace ends early: %s", key, difference)
	}
	levels := make([]record.Level, alike)
	for i := range levels {
		levels[i] = levelOf(all, i)
	}
	return levels, nil
}

// gatherSteps returns the steps of all ranks on rank 0.
func gatherSteps(t comm.Transport, own []trace.Step) ([][]trace.Step, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	send := make([][]byte, t.Size())
	send[0] = text
	got, err := t.AllToAll(send)
	if err != nil || t.Rank() != 0 {
		return nil, err
	}
	all := make([][]trace.Step, len(got))
	for r, text := range got {
		if err := json.Unmarshal(text, &all[r]); err != nil {
			return nil, fmt.Errorf("the trace of rank %d cannot be read: %w", r, err)
		}
	}
	return all, nil
}

// compareSteps returns the number of leading steps that are equal on all ranks, and the first difference, or "".
func compareSteps(all [][]trace.Step) (alike int, difference string) {
	for ; ; alike++ {
		first := stepAt(all[0], alike)
		for r, other := range all {
			if step := stepAt(other, alike); step != first {
				return alike, fmt.Sprintf("step %d of rank 0 is %s, of rank %d %s", alike, first, r, step)
			}
		}
		if first == noStep {
			return alike, ""
		}
	}
}

const noStep = "none"

// stepAt names a step.
func stepAt(steps []trace.Step, i int) string {
	if i >= len(steps) {
		return noStep
	}
	return steps[i].Name
}

// levelOf combines all ranks' reports of one step.
func levelOf(all [][]trace.Step, i int) record.Level {
	first := all[0][i]
	level := record.Level{Step: first.Name, Variant: first.Variant, Frontier: first.Frontier, Edges: first.Edges}
	for _, steps := range all {
		level.Seconds = max(level.Seconds, seconds(steps[i].Nanoseconds))
	}
	if len(all) > 1 {
		level.Ranks = costsOf(all, i)
	}
	return level
}

// costsOf returns the times and the traffic of one step on each rank.
func costsOf(all [][]trace.Step, i int) *record.RankCosts {
	costs := new(record.RankCosts)
	for r, steps := range all {
		costs.Computing = append(costs.Computing, seconds(steps[i].Compute))
		costs.Exchanging = append(costs.Exchanging, seconds(steps[i].Exchange))
		costs.Waiting = append(costs.Waiting, seconds(steps[i].Wait))
		for _, sent := range steps[i].Traffic {
			way := trafficOf(costs, sent.Payload, sent.Transport, len(all))
			way.Sent[r] += sent.Sent
			way.Received[r] += sent.Received
		}
	}
	return costs
}

// trafficOf finds the traffic of one payload over one transport, and adds it if no rank before had any.
func trafficOf(costs *record.RankCosts, payload, transport string, ranks int) *record.Traffic {
	i := slices.IndexFunc(costs.Traffic, func(t record.Traffic) bool {
		return t.Payload == payload && t.Transport == transport
	})
	if i < 0 {
		i = len(costs.Traffic)
		costs.Traffic = append(costs.Traffic, record.Traffic{
			Payload: payload, Transport: transport, Sent: make([]int64, ranks), Received: make([]int64, ranks),
		})
	}
	return &costs.Traffic[i]
}

func seconds(nanoseconds int64) float64 { return time.Duration(nanoseconds).Seconds() }
