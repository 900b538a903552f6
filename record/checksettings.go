package record

import "fmt"

// checkSettings compares a run with the configuration that it was started with.
func checkSettings(r *Run, c Config) error {
	differs := func(name string, set, has any) error {
		return fmt.Errorf("its configuration has %s %v, and the run %v", name, set, has)
	}
	loopback := r.Environment.Transport == "loopback"
	switch g, e := c.Graph, r.Environment; {
	case g.Scale != r.Scale:
		return differs("scale", g.Scale, r.Scale)
	case g.EdgeFactor != r.EdgeFactor:
		return differs("edge factor", g.EdgeFactor, r.EdgeFactor)
	case r.Graph != nil && g.Spec != r.Graph.Spec, r.Graph == nil && g.Spec != "":
		return fmt.Errorf("its configuration has the graph %q, and the run another one", g.Spec)
	case loopback && c.Machine.Ranks != r.Ranks:
		return differs("ranks", c.Machine.Ranks, r.Ranks)
	case c.Machine.Threads > 0 && e.Threads > 0 && c.Machine.Threads != e.Threads:
		return differs("threads for each rank", c.Machine.Threads, e.Threads)
	case r.ResultBits > 0 && c.Search.ResultBits != r.ResultBits:
		return differs("result bits", c.Search.ResultBits, r.ResultBits)
	case c.Search.Kernel != r.KernelSetting():
		return differs("kernel", c.Search.Kernel, r.KernelSetting())
	}
	return checkSearchSettings(r, c.Search)
}

// checkSearchSettings compares the searches of each kernel with the settings.
func checkSearchSettings(r *Run, c SearchConfig) error {
	for _, k := range r.Kernels {
		switch {
		case k.Kernel == SSSP && c.Prune != k.Pruning():
			return fmt.Errorf("its configuration has pruning %s, and the searches %s", c.Prune, k.Pruning())
		case c.Roots == "" && c.MinTime == 0 && c.Keys < k.Keys:
			return fmt.Errorf("its configuration has %d search keys, and the run %d", c.Keys, k.Keys)
		}
	}
	return eachSearch(r, func(name string, search Search) error {
		if validated := search.ValidateSeconds >= 0; validated != c.Validate && search.Fault == "" {
			return fmt.Errorf("its configuration has validation %v, and %s %v", c.Validate, name, validated)
		}
		return nil
	})
}
