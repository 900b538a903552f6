package record

// Kernel is what a search does: breadth-first search is kernel 2 of the specification, single-source shortest paths are
// kernel 3.
type Kernel string

// The kernels, and what a run does that has both.
const (
	BFS  Kernel = "bfs"
	SSSP Kernel = "sssp"
	Both Kernel = "both"
)

// ShortestPaths are what a run has of kernel 3.
type ShortestPaths struct {
	Prune               string   `json:"prune,omitempty"`       // by what kernel 1 left edges out, "" where it kept all
	Keys                int      `json:"search_keys,omitempty"` // searches of a complete run, 0 for as many as of the run
	ConstructionSeconds float64  `json:"construction_seconds"`  // of their own structure, beside that of BFS
	Searches            []Search `json:"searches"`
	Power               *Power   `json:"power,omitempty"` // where the run was to measure it
}

// HasBFS reports whether the run searches breadth-first, HasSSSP whether it searches shortest paths.
func (r *Run) HasBFS() bool  { return r.Kernel != SSSP }
func (r *Run) HasSSSP() bool { return r.Kernel == SSSP || r.Kernel == Both }

// Kernels are those that the run has, in the order in which it runs them.
func (r *Run) Kernels() []Kernel {
	switch r.Kernel {
	case Both:
		return []Kernel{BFS, SSSP}
	case SSSP:
		return []Kernel{SSSP}
	}
	return []Kernel{BFS}
}

// Of is the run as if it had that one of its kernels alone, and searches, search keys, construction and power were
// those of BFS. Its status is that of the whole run.
func (r *Run) Of(k Kernel) *Run {
	of := *r
	if status, reason := r.judge(); status == Invalid || status == Incomplete {
		of.Failure = reason
	}
	if k == SSSP {
		paths := r.paths()
		of.Searches, of.Keys, of.ConstructionSeconds, of.Power = paths.Searches, paths.Keys, paths.ConstructionSeconds,
			paths.Power
	}
	of.Kernel, of.Paths = BFS, nil
	return &of
}

// paths are the run's shortest paths, as many as they are to be.
func (r *Run) paths() ShortestPaths {
	var paths ShortestPaths
	if r.Paths != nil {
		paths = *r.Paths
	}
	if paths.Keys == 0 {
		paths.Keys = r.Keys
	}
	return paths
}

// part is the searches of one kernel.
type part struct {
	searches []Search
	keys     int // searches of a complete run
}

// parts are those of each kernel that the run has.
func (r *Run) parts() (all []part) {
	for _, k := range r.Kernels() {
		if k == SSSP {
			paths := r.paths()
			all = append(all, part{paths.Searches, paths.Keys})
		} else {
			all = append(all, part{r.Searches, r.Keys})
		}
	}
	return all
}

// Done is the number of searches that are done, of all kernels.
func (r *Run) Done() (n int) {
	for _, p := range r.parts() {
		n += len(p.searches)
	}
	return n
}

// planned is the number of searches of a complete run, of all kernels.
func (r *Run) planned() (n int) {
	for _, p := range r.parts() {
		n += p.keys
	}
	return n
}

// Pruned is by what kernel 1 left out edges of the structure for shortest paths, "" where it kept all.
func (r *Run) Pruned() string { return r.paths().Prune }

// AllConstructionSeconds is the time of kernel 1 for all kernels that follow it.
func (r *Run) AllConstructionSeconds() float64 {
	return r.ConstructionSeconds + r.paths().ConstructionSeconds
}
