package record

import (
	"cmp"
	"strings"
)

// Kernel is a kernel of the specification that searches: breadth-first search is kernel 2, single-source shortest paths
// are kernel 3.
type Kernel string

// The kernels.
const (
	BFS  Kernel = "bfs"
	SSSP Kernel = "sssp"
)

// Both is the setting search.kernel of a run that has both kernels.
const Both = "both"

// KernelSettings are the values of the setting search.kernel.
var KernelSettings = []string{string(BFS), string(SSSP), Both}

// Kernels returns the kernels that the setting search.kernel selects, in the order in which they run.
func (c SearchConfig) Kernels() []Kernel {
	if c.Kernel == Both {
		return []Kernel{BFS, SSSP}
	}
	return []Kernel{Kernel(c.Kernel)}
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

// Of returns the end of a noun phrase that is about the kernel, as in "searches of shortest paths". It is empty for
// BFS, the default.
func (k Kernel) Of() string {
	if k == SSSP {
		return " of " + k.Title()
	}
	return ""
}

// KernelRun is the part of a run that belongs to one kernel: kernel 1, which builds the kernel's structure, and the
// timed searches.
type KernelRun struct {
	Kernel              Kernel   `json:"kernel"`
	Keys                int      `json:"search_keys"`          // searches of a complete run: 64, or fewer on a tiny graph
	Prune               string   `json:"prune,omitempty"`      // landmarks by which kernel 1 dropped edges, or ""
	ConstructionSeconds float64  `json:"construction_seconds"` // of kernel 1
	Searches            []Search `json:"searches"`
	Power               *Power   `json:"power,omitempty"` // nil unless the run measured it
}

// The values of the setting search.prune: NotPruned is a structure that has all edges (package sssp).
const (
	NotPruned = "none"
	hubPruned = "hub"
)

// Pruning returns the kernel's pruning as the setting search.prune has it.
func (k KernelRun) Pruning() string { return cmp.Or(k.Prune, NotPruned) }

// NewKernelRuns returns the parts of a run that begins, without searches.
func NewKernelRuns(c SearchConfig) (all []KernelRun) {
	for _, kernel := range c.Kernels() {
		k := KernelRun{Kernel: kernel, Keys: c.Keys}
		if kernel == SSSP && c.Prune != NotPruned {
			k.Prune = c.Prune
		}
		all = append(all, k)
	}
	return all
}

// KernelRun returns the part of a kernel, nil if the run does not have the kernel.
func (r *Run) KernelRun(kernel Kernel) *KernelRun {
	for i := range r.Kernels {
		if r.Kernels[i].Kernel == kernel {
			return &r.Kernels[i]
		}
	}
	return nil
}

// KernelSetting returns the value of search.kernel that selects the run's kernels.
func (r *Run) KernelSetting() string {
	if len(r.Kernels) == 1 {
		return string(r.Kernels[0].Kernel)
	}
	return Both
}

// keys is the number of search keys of the kernel that has fewest, 0 if the run has no kernels.
func (r *Run) keys() int {
	keys := 0
	for i, k := range r.Kernels {
		if i == 0 || k.Keys < keys {
			keys = k.Keys
		}
	}
	return keys
}

// Done is the number of searches that are done, of all kernels.
func (r *Run) Done() (n int) {
	for _, k := range r.Kernels {
		n += len(k.Searches)
	}
	return n
}

// planned is the number of searches of a complete run, of all kernels.
func (r *Run) planned() (n int) {
	for _, k := range r.Kernels {
		n += k.Keys
	}
	return n
}

// Pruned names the landmarks by which kernel 1 dropped edges of a structure, "" if every structure has all edges.
func (r *Run) Pruned() string {
	for _, k := range r.Kernels {
		if k.Prune != "" {
			return k.Prune
		}
	}
	return ""
}

// ConstructionSeconds is the time of kernel 1 for all kernels that follow it.
func (r *Run) ConstructionSeconds() (seconds float64) {
	for _, k := range r.Kernels {
		seconds += k.ConstructionSeconds
	}
	return seconds
}
