// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"slices"

	"g500/comm"
	"g500/settings"
)

// checkSettings compares a run with the configuration that it was started with.
func checkSettings(r *Run) error {
	c := *r.Config
	if err := c.Check(); err != nil {
		return fmt.Errorf("its configuration has %w", err)
	}
	differs := func(name string, set, has any) error {
		return fmt.Errorf("its configuration has %s %v, and the run %v", name, set, has)
	}
	transport := comm.TransportNamed(r.Environment.Transport)
	switch g, e := c.Graph, r.Environment; {
	case g.Scale != r.Scale:
		return differs("scale", g.Scale, r.Scale)
	case g.EdgeFactor != r.EdgeFactor:
		return differs("edge factor", g.EdgeFactor, r.EdgeFactor)
	case r.Graph != nil && g.Spec != r.Graph.Spec, r.Graph == nil && g.Spec != "":
		return fmt.Errorf("its configuration has the graph %q, and the run another one", g.Spec)
	case !transport.Tasks && c.Machine.Ranks != r.Ranks:
		return differs("ranks", c.Machine.Ranks, r.Ranks)
	case c.Machine.Transport != "auto" && c.Machine.Transport != e.Transport:
		return differs("transport", c.Machine.Transport, e.Transport)
	case c.Machine.Threads > 0 && c.Machine.Threads != e.Threads:
		return differs("threads for each rank", c.Machine.Threads, e.Threads)
	case c.Search.Engine != "auto" && c.Search.Engine != e.Engine,
		c.Search.Engine == "auto" && e.Engine == settings.TopDown:
		return differs("engine", c.Search.Engine, e.Engine)
	case c.Search.ResultBits != r.ResultBits:
		return differs("result bits", c.Search.ResultBits, r.ResultBits)
	case c.Search.Kernel != r.KernelSetting():
		return differs("kernel", c.Search.Kernel, r.KernelSetting())
	}
	for _, s := range c.Lacking(r.Environment.Engine) {
		if !s.MayIdle {
			return fmt.Errorf("its configuration has %s %s, which engine %s of the run does not have", s.Name(), s.Text(&c),
				r.Environment.Engine)
		}
	}
	return checkSearchSettings(r, c.Search)
}

// checkSearchSettings compares the searches of each kernel with the settings.
func checkSearchSettings(r *Run, c settings.SearchConfig) error {
	for _, k := range r.Kernels {
		switch {
		case k.Kernel == SSSP && c.Prune != k.Pruning():
			return fmt.Errorf("its configuration has pruning %s, and the searches %s", c.Prune, k.Pruning())
		case c.Roots == "" && c.MinTime == 0 && (c.Keys < k.Keys || c.Keys > k.Keys && r.hasMoreKeysThan(k.Keys)):
			return fmt.Errorf("its configuration has %d search keys, and the run %d", c.Keys, k.Keys)
		case r.Status == Valid && c.Power != (k.Power != nil):
			return fmt.Errorf("its configuration has power %v, and kernel %s %v", c.Power, k.Kernel, !c.Power)
		}
		if err := checkPower(k, c); err != nil {
			return err
		}
	}
	traced := c.Trace && settings.Of("search.trace").Has(r.Environment.Engine)
	return eachSearch(r, func(name string, search Search) error {
		if validated := search.ValidateSeconds >= 0; validated != c.Validate && search.Fault == "" {
			return fmt.Errorf("its configuration has validation %v, and %s %v", c.Validate, name, validated)
		}
		if has := len(search.Trace) > 0; has != traced {
			return fmt.Errorf("its configuration has trace %v, and %s %v", c.Trace, name, has)
		}
		return nil
	})
}

// hasMoreKeysThan reports whether the run's graph has more search keys than these, so that the candidates did not run
// out. The generator draws as many candidates as there are labels, with repetitions: about 63% of the vertices with an
// edge. In an undirected graph, searches reach only such vertices. The bound is far beyond chance.
func (r *Run) hasMoreKeysThan(keys int) bool {
	if r.Graph != nil && r.Graph.Directed {
		return false
	}
	beyondChance := func(s Search) bool { return s.Reached > 4*(int64(keys)+16) }
	return slices.ContainsFunc(r.Kernels, func(k KernelRun) bool { return slices.ContainsFunc(k.Searches, beyondChance) })
}

// checkPower checks measured power, or its refusal.
func checkPower(k KernelRun, c settings.SearchConfig) error {
	p := k.Power
	if p == nil || p.Refused != "" {
		return nil
	}
	if len(p.Meters) == 0 || p.Searches < 1 || !(p.Seconds >= float64(c.PowerSeconds)) {
		return fmt.Errorf("its power of kernel %s is of %d meters and %d searches in %g s, and the configuration has %d s",
			k.Kernel, len(p.Meters), p.Searches, p.Seconds, c.PowerSeconds)
	}
	return nil
}

// checkTrace checks that each step of a search has one figure per rank in each list.
func checkTrace(r *Run, name string, s Search) error {
	for i, step := range s.Trace {
		if step.Ranks == nil {
			continue
		}
		lengths := []int{len(step.Ranks.Computing), len(step.Ranks.Exchanging), len(step.Ranks.Waiting)}
		for _, t := range step.Ranks.Traffic {
			lengths = append(lengths, len(t.Sent), len(t.Received))
		}
		if slices.ContainsFunc(lengths, func(n int) bool { return n != r.Ranks }) {
			return fmt.Errorf("step %d of %s has figures of %v ranks, and the run has %d", i, name, lengths, r.Ranks)
		}
	}
	return nil
}
