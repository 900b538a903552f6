package record

import (
	"fmt"
	"slices"
)

// slowFactor times as long as the median rank is slow, for work that should take all ranks alike. In traced searches on
// four GPUs ranks differ by at most 3%.
const slowFactor = 1.15

// rankWork is a kind of work with the seconds that it took each rank.
type rankWork struct {
	name    string
	seconds []float64
	noise   float64 // seconds: a smaller difference is not significant
	cure    string  // what to do next
}

// work is the work that all ranks have alike, as far as the run has times by rank.
func (r *Run) work() []rankWork {
	const clocks, links = "compare its clocks and its other processes", "g500 net measures its links"
	work := []rankWork{{"graph generation", r.RankGenerationSeconds, 0.1, clocks}}
	for _, k := range r.Kernels {
		b, searches := k.breakDown(), "searches"+k.Kernel.Of()
		computing, exchanging := make([]float64, len(b.ranks)), make([]float64, len(b.ranks))
		for rank, c := range b.ranks {
			computing[rank], exchanging[rank] = c.computing, c.exchanging
		}
		work = append(work,
			rankWork{"computing in " + searches, computing, 0.001, clocks},
			rankWork{"exchanging in " + searches, exchanging, 0.001, links})
	}
	return work
}

// Slow names the ranks that took longer than others for the same work, each with its host and device, and hosts all of
// whose ranks did. It has a sentence for each. Without a trace, it is about the generation of the graph only.
func (r *Run) Slow() (sentences []string) {
	if len(r.Environment.Nodes) == 0 {
		return nil
	}
	for _, w := range r.work() {
		if len(w.seconds) != len(r.Environment.Nodes) || len(w.seconds) < 2 {
			continue
		}
		median := lowerMedian(w.seconds)
		for _, group := range r.slowGroups(w, median) {
			worst := 0.0
			for _, rank := range group {
				worst = max(worst, w.seconds[rank])
			}
			sentences = append(sentences, fmt.Sprintf("%s: %s took %s, %.2f times the median rank's: %s",
				r.nameOf(group), w.name, FormatSeconds(worst), worst/median, w.cure))
		}
	}
	return sentences
}

// lowerMedian is, of an even number of values, the lower one in the middle: of two ranks the faster one's.
func lowerMedian(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// slowGroups are the slow ranks: those of a host together where all of several are slow, others alone.
func (r *Run) slowGroups(w rankWork, median float64) (groups [][]int) {
	slow := func(rank int) bool {
		return w.seconds[rank] > slowFactor*median && w.seconds[rank] > median+w.noise
	}
	var told []string
	for rank, host := range r.Environment.Nodes {
		switch ranks := r.ranksOn(host); {
		case !slow(rank) || slices.Contains(told, host):
		case len(ranks) > 1 && !slices.ContainsFunc(ranks, func(of int) bool { return !slow(of) }):
			groups = append(groups, ranks)
			told = append(told, host)
		default:
			groups = append(groups, []int{rank})
		}
	}
	return groups
}

func (r *Run) ranksOn(host string) (ranks []int) {
	for rank, on := range r.Environment.Nodes {
		if on == host {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// nameOf is a rank with its host and device, or a host with the number of its ranks.
func (r *Run) nameOf(ranks []int) string {
	host := r.Environment.Nodes[ranks[0]]
	if len(ranks) > 1 {
		return fmt.Sprintf("all %d ranks of host %s", len(ranks), host)
	}
	if devices := r.Environment.RankDevices; ranks[0] < len(devices) && devices[ranks[0]] != "" {
		host += ", " + devices[ranks[0]]
	}
	return fmt.Sprintf("rank %d (%s)", ranks[0], host)
}
