// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"slices"

	"g500/internal/lists"
)

// A rank is slow if it takes slowFactor times as long as the median rank for work of which all ranks have equal shares.
// In traced searches on four GPUs ranks differ by at most 3%.
const slowFactor = 1.15

// rankWork is one kind of work.
type rankWork struct {
	name    string
	seconds []float64 // by rank
	noise   float64   // seconds: a smaller difference is not significant
	cure    string    // advice to the user
}

// work lists the work that is equal on all ranks, with the times that the run has.
func (r *Run) work() []rankWork {
	const clocks, links = "compare its clocks and its other processes", "g500 net measures its links"
	work := []rankWork{{"graph generation", r.RankGenerationSeconds, 0.1, clocks}}
	for _, k := range r.Kernels {
		ranks, searches := k.breakDown().all.ranks, "searches"+k.Kernel.Of()
		times := func(part int) []float64 { return lists.Of(ranks, func(c rankCost) float64 { return c.times[part] }) }
		work = append(work,
			rankWork{"computing in " + searches, times(0), 0.001, clocks},
			rankWork{"exchanging in " + searches, times(1), 0.001, links})
	}
	return work
}

// Slow returns one sentence for each rank that took longer than others for the same work, with its node and device, and
// one for each node whose ranks are all slow. Without a trace it covers the generation of the graph only.
func (r *Run) Slow() (sentences []string) {
	if len(r.Environment.Nodes) == 0 {
		return nil
	}
	for _, w := range r.work() {
		if len(w.seconds) != len(r.Environment.Nodes) || len(w.seconds) < 2 {
			continue
		}
		median := slices.Sorted(slices.Values(w.seconds))[(len(w.seconds)-1)/2] // for two ranks the faster
		for _, group := range r.slowGroups(w, median) {
			worst := slices.Max(lists.Of(group, func(rank int) float64 { return w.seconds[rank] }))
			sentences = append(sentences, fmt.Sprintf("%s: %s took %s, %.2f times the median rank's: %s",
				r.nameOf(group), w.name, FormatSeconds(worst), worst/median, w.cure))
		}
	}
	return sentences
}

// slowGroups returns the slow ranks. A node's ranks are one group if all of several are slow; other ranks are alone.
func (r *Run) slowGroups(w rankWork, median float64) (groups [][]int) {
	slow := func(rank int) bool {
		return w.seconds[rank] > slowFactor*median && w.seconds[rank] > median+w.noise
	}
	ranksOf := map[string][]int{} // by node
	for rank, node := range r.Environment.Nodes {
		ranksOf[node] = append(ranksOf[node], rank)
	}
	for rank, node := range r.Environment.Nodes {
		ranks := ranksOf[node]
		all := len(ranks) > 1 && !slices.ContainsFunc(ranks, func(of int) bool { return !slow(of) })
		if all && rank == ranks[0] {
			groups = append(groups, ranks)
		} else if !all && slow(rank) {
			groups = append(groups, []int{rank})
		}
	}
	return groups
}

// nameOf returns a rank with its node and device, or a node with the number of its ranks.
func (r *Run) nameOf(ranks []int) string {
	node := r.Environment.Nodes[ranks[0]]
	if len(ranks) > 1 {
		return fmt.Sprintf("all %d ranks of node %s", len(ranks), node)
	}
	if devices := r.Environment.RankDevices; ranks[0] < len(devices) && devices[ranks[0]] != "" {
		node += ", " + devices[ranks[0]]
	}
	return fmt.Sprintf("rank %d (%s)", ranks[0], node)
}
