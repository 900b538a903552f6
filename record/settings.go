package record

import (
	"encoding/json"
	"fmt"
)

// settings are the settings of a run that its record repeats elsewhere. A setting that the record lacks is zero or nil.
type settings struct {
	Graph struct {
		Scale      int    `json:"scale"`
		EdgeFactor int64  `json:"edgefactor"`
		Spec       string `json:"spec"`
	} `json:"graph"`
	Search struct {
		Kernel     Kernel `json:"kernel"`
		Keys       int    `json:"keys"`
		Validate   *bool  `json:"validate"`
		ResultBits int    `json:"result_bits"`
		Prune      string `json:"prune"`
		Roots      string `json:"roots"`
		MinTime    string `json:"min_time"`
	} `json:"search"`
	Machine struct {
		Ranks   int `json:"ranks"`
		Threads int `json:"threads"`
	} `json:"machine"`
}

// rounds reports whether the run searches each key several times, in rounds.
func (s *settings) rounds() bool { return s.Search.MinTime != "" && s.Search.MinTime != "0s" }

// settingsOf reads the configuration of a run, of any type that has the JSON of one; nil if the run has none.
func settingsOf(run *Run) (*settings, error) {
	if run.Config == nil {
		return nil, nil
	}
	text, err := json.Marshal(run.Config)
	if err != nil {
		return nil, err
	}
	s := new(settings)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("its configuration cannot be decoded: %w", err)
	}
	return s, nil
}

// checkSettings compares a run with the configuration that it was started with.
func checkSettings(r *Run, s *settings) error {
	differs := func(name string, asked, has any) error {
		return fmt.Errorf("its configuration has %s %v, and the run %v", name, asked, has)
	}
	loopback := r.Environment.Transport == "loopback"
	switch g, e := s.Graph, r.Environment; {
	case g.Scale != r.Scale:
		return differs("scale", g.Scale, r.Scale)
	case g.EdgeFactor != r.EdgeFactor:
		return differs("edge factor", g.EdgeFactor, r.EdgeFactor)
	case r.Graph != nil && g.Spec != r.Graph.Spec, r.Graph == nil && g.Spec != "":
		return fmt.Errorf("its configuration has the graph %q, and the run another one", g.Spec)
	case loopback && s.Machine.Ranks > 0 && s.Machine.Ranks != r.Ranks:
		return differs("ranks", s.Machine.Ranks, r.Ranks)
	case s.Machine.Threads > 0 && e.Threads > 0 && s.Machine.Threads != e.Threads:
		return differs("threads for each rank", s.Machine.Threads, e.Threads)
	}
	return checkSearchSettings(r, s)
}

func checkSearchSettings(r *Run, s *settings) error {
	differs := func(name string, asked, has any) error {
		return fmt.Errorf("its configuration has %s %v, and the searches %v", name, asked, has)
	}
	asked := s.Search
	switch kernel := kernelOf(r.Kernel); {
	case asked.Kernel != "" && asked.Kernel != kernel:
		return differs("kernel", asked.Kernel, kernel)
	case asked.ResultBits > 0 && r.ResultBits > 0 && asked.ResultBits != r.ResultBits:
		return differs("parents with a number of bits of", asked.ResultBits, r.ResultBits)
	case r.HasSSSP() && asked.Prune != "" && asked.Prune != pruneOf(r):
		return differs("pruning", asked.Prune, pruneOf(r))
	case asked.Roots == "" && !s.rounds() && asked.Keys > 0 && asked.Keys < r.Keys:
		return fmt.Errorf("its configuration has %d search keys, and the run %d", asked.Keys, r.Keys)
	}
	if asked.Validate == nil {
		return nil
	}
	return eachSearch(r, func(name string, search Search) error {
		if validated := search.ValidateSeconds >= 0; validated != *asked.Validate && search.Fault == "" {
			return fmt.Errorf("its configuration has validation %v, and %s %v", *asked.Validate, name, validated)
		}
		return nil
	})
}

func kernelOf(k Kernel) Kernel {
	if k == "" {
		return BFS
	}
	return k
}

// pruneOf is the name of the run's pruning, as configurations have it.
func pruneOf(r *Run) string {
	if by := r.Pruned(); by != "" {
		return by
	}
	return "none"
}
