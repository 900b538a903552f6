//go:build cuda && cgo

package bfs

import (
	"g500/cuda"
	"g500/internal/trace"
)

// Trace returns the steps of the last search.
func (e *Engine) Trace() ([]trace.Step, error) {
	levels, err := e.search.Trace()
	steps := make([]trace.Step, len(levels))
	for i, l := range levels {
		steps[i] = l.Step
		steps[i].Traffic = trace.Add(l.Traffic, e.messagesOf(levels, i)...)
	}
	return steps, err
}

// messagesOf sums the traffic of the messages of a level, which are exchanged at each rank barrier. Messages after the
// last level count as its own.
func (e *Engine) messagesOf(levels []cuda.Level, i int) (sum []trace.Traffic) {
	if e.messages == nil || levels[i].Name == trace.ResultOrderStep {
		return nil
	}
	log, begin := e.messages.log, int64(0)
	if i > 0 {
		begin = levels[i-1].Barriers
	}
	end := levels[i].Barriers
	if i+1 == len(levels) || levels[i+1].Name == trace.ResultOrderStep {
		end = int64(len(log))
	}
	for _, exchange := range log[begin:max(begin, min(end, int64(len(log))))] {
		sum = trace.Add(sum, exchange...)
	}
	return sum
}
