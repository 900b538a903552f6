// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"strings"

	"g500/internal/lists"
	"g500/settings"
)

// Kernel is a kernel of the specification that searches: BFS is kernel 2, SSSP (shortest paths) is kernel 3.
type Kernel string

// The kernels.
const (
	BFS  Kernel = "bfs"
	SSSP Kernel = "sssp"
)

// Both is the setting search.kernel of a run that has both kernels.
const Both = "both"

// Kernels returns the kernels that a value of search.kernel selects, in the order in which they run.
func Kernels(setting string) []Kernel {
	if setting == Both {
		return []Kernel{BFS, SSSP}
	}
	return []Kernel{Kernel(setting)}
}

// Abbreviation returns BFS or SSSP.
func (k Kernel) Abbreviation() string { return strings.ToUpper(string(k)) }

// Title returns the kernel's name in words.
func (k Kernel) Title() string {
	if k == SSSP {
		return "shortest paths"
	}
	return "breadth-first search"
}

// Of returns the end of a noun phrase about the kernel, as in "searches of shortest paths". It is "" for BFS.
func (k Kernel) Of() string { return k.after(" of ") }

// For is Of for a purpose, as in "construction for shortest paths".
func (k Kernel) For() string { return k.after(" for ") }

func (k Kernel) after(preposition string) string {
	if k == SSSP {
		return preposition + k.Title()
	}
	return ""
}

// KernelRun is the part of a run that belongs to one kernel: construction (kernel 1) and the timed searches.
type KernelRun struct {
	Kernel              Kernel  `json:"kernel"`
	Keys                int     `json:"search_keys"`          // planned searches: 64, or fewer on a tiny graph
	Prune               string  `json:"prune,omitempty"`      // landmarks by which kernel 1 pruned edges, or ""
	ConstructionSeconds float64 `json:"construction_seconds"` // of kernel 1
	// ConstructionIncludesEarlier reports that the seconds include kernel 1 of the run's earlier kernels, because this one
	// used work of theirs.
	ConstructionIncludesEarlier bool `json:"construction_includes_earlier,omitempty"`

	Searches []Search `json:"searches"`        // finished ones, in order
	Power    *Power   `json:"power,omitempty"` // nil unless the run measured it

	Statistics Statistics `json:"statistics"` // figures of the searches; set by Settle
}

// Pruning returns the kernel's pruning as the setting search.prune has it.
func (k KernelRun) Pruning() string { return cmp.Or(k.Prune, settings.NotPruned) }

// NewKernelRuns returns the parts of a new run, without searches.
func NewKernelRuns(c settings.SearchConfig) (all []KernelRun) {
	for _, kernel := range Kernels(c.Kernel) {
		k := KernelRun{Kernel: kernel, Keys: c.Keys}
		if kernel == SSSP && c.Prune != settings.NotPruned {
			k.Prune = c.Prune
		}
		all = append(all, k)
	}
	return all
}

// KernelRun returns the part of a kernel, nil if the run does not have the kernel.
func (r *Run) KernelRun(kernel Kernel) *KernelRun {
	return lists.Find(r.Kernels, func(k KernelRun) bool { return k.Kernel == kernel })
}

// KernelSetting returns the value of search.kernel that selects the run's kernels.
func (r *Run) KernelSetting() string {
	if len(r.Kernels) == 1 {
		return string(r.Kernels[0].Kernel)
	}
	return Both
}

// Done returns the number of finished searches of all kernels.
func (r *Run) Done() int {
	return lists.Sum(r.Kernels, func(k KernelRun) int { return len(k.Searches) })
}

// planned returns the number of searches of the complete run.
func (r *Run) planned() int { return lists.Sum(r.Kernels, func(k KernelRun) int { return k.Keys }) }

// Pruned returns the landmarks by which kernel 1 pruned edges, "" if it kept all edges.
func (r *Run) Pruned() string {
	return cmp.Or(lists.Of(r.Kernels, func(k KernelRun) string { return k.Prune })...)
}

// ConstructionSeconds returns the time of kernel 1 of all kernels. Work for several kernels counts once.
func (r *Run) ConstructionSeconds() (seconds float64) {
	for _, k := range r.Kernels {
		if k.ConstructionIncludesEarlier {
			seconds = 0
		}
		seconds += k.ConstructionSeconds
	}
	return seconds
}
