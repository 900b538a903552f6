// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"

	"g500/analysis/collect"
	"g500/internal/trace"
	"g500/record"
)

// row is a step: how GPUs share it, and its exchanges between GPUs that are not peers (cuda/search/far_search.cuh).
type row struct {
	name     string
	variants []string // of levels in traces
	// The work that each GPU does in full, whatever their number, grows with the graph, as bits of all vertices do. Else
	// it is constant, as the latency of kernels is.
	grows   bool
	reports float64 // gathers of short reports
	gathers float64 // gathers of bits, if a level has any; with 64-bit ids in each level
	// Per vertex without leaves, if ranks query bits (cuda/search/far_queries.cuh): the most in eight searches of graphs
	// like the official ones, of scales 20 and 22, but for pulls 0.25 in place of 0.04 to 0.6.
	queries float64
}

// rows has the steps in the order of a search.
var rows = []row{
	{"push", []string{trace.PushVariant, trace.PushReplicatedVariant}, false, 1, 0, 0},
	{"push-segments", []string{trace.PushSegmentsVariant}, true, 1, 2, 0},
	{"split", []string{trace.SplitVariant}, true, 1, 2, 0},
	{"pull", []string{trace.PullVariant, trace.PullListingVariant}, true, 0, 2, 0.25},
	{"decide", []string{trace.PullHubsVariant, trace.DecideVariant}, true, 1, 1, 0.04},
	{"remaining", []string{trace.PullRemainingVariant}, false, 1, 1, 0.003},
	{"result", []string{trace.ResultOrderStep}, false, 0, 0, 0.09},
}

const segmentsRow, splitRow, pullRow, remainingRow = 1, 2, 3, 5

// step has the figures of a row in a run, means per search.
type step struct {
	levels    float64
	seconds   float64 // of the slowest rank, with exchanges
	computing float64 // of the slowest rank; 0 on one rank
	gathered  float64 // levels with traffic of bits
	bits      float64 // bytes of bits that a rank sends
	pushed    float64 // levels with traffic of pairs
	pairs     float64 // bytes of pairs that a rank sends
}

// steps is what the model reads from a traced run.
type steps struct {
	run     *collect.Run
	of      []step  // of rows
	outside float64 // seconds of a search outside its steps
	far     bool    // some ranks are not peers
	queries bool    // the run was made to query bits
}

// stepsOf returns the steps of a run, or nil if the model cannot use it: only valid traced searches of the official
// graph on GPUs, by the steps of this program and with 64-bit parents, count.
func stepsOf(r *collect.Run) *steps {
	if r.Status != record.Valid || r.Kernel != record.BFS || r.Environment.Device == nil || r.Graph != nil ||
		r.ResultBits != 64 {
		return nil
	}
	s, n := &steps{run: r, of: make([]step, len(rows))}, float64(len(r.Searches))
	s.queries = r.Config != nil && r.Config.Policy.BitQueries == 2
	for _, search := range r.Searches {
		if len(search.Trace) == 0 {
			return nil
		}
		s.outside += search.Seconds / n
		for _, level := range search.Trace {
			i := slices.IndexFunc(rows, func(w row) bool {
				return slices.Contains(w.variants, level.Variant) || slices.Contains(w.variants, level.Step)
			})
			if i < 0 {
				return nil
			}
			s.outside -= level.Seconds / n
			s.far = s.of[i].add(level, n) || s.far
		}
	}
	return s
}

// add adds a level of one of n searches. It reports whether it has traffic between ranks that are not peers.
func (s *step) add(l record.Level, n float64) (far bool) {
	s.levels += 1 / n
	s.seconds += l.Seconds / n
	if l.Ranks == nil {
		return false
	}
	s.computing += slices.Max(l.Ranks.Computing) / n
	for _, t := range l.Ranks.Traffic {
		sent := float64(slices.Max(t.Sent))
		far = far || t.Transport != trace.PeerTransport
		switch t.Payload {
		case trace.BitmapPayload:
			s.gathered, s.bits = s.gathered+1/n, s.bits+sent/n
		case trace.BinsPayload:
			s.pushed, s.pairs = s.pushed+1/n, s.pairs+sent/n
		}
	}
	return far
}
