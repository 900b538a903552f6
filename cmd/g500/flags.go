package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"g500/policy"
	"g500/record"
)

// seedsValue is the flag --seeds A,B.
type seedsValue struct{ seeds *record.Seeds }

func (s seedsValue) String() string { return fmt.Sprintf("%d,%d", s.seeds[0], s.seeds[1]) }

func (s seedsValue) Type() string { return "A,B" }

func (s seedsValue) Set(text string) error {
	a, b, ok := strings.Cut(text, ",")
	first, err1 := strconv.ParseUint(strings.TrimSpace(a), 10, 64)
	second, err2 := strconv.ParseUint(strings.TrimSpace(b), 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("two numbers from 0 to 2^64-1 are needed, as in 2,3")
	}
	*s.seeds = record.Seeds{first, second}
	return nil
}

// policyValue is the repeatable flag --policy KEY=VALUE,KEY=VALUE.
type policyValue struct {
	policy *policy.Policy
	given  *[]string
}

func (v policyValue) String() string { return strings.Join(*v.given, ",") }

func (v policyValue) Type() string { return "KEY=VALUE" }

// Set changes no number of the policy if one of the settings is wrong.
func (v policyValue) Set(text string) error {
	changed := *v.policy
	settings := strings.Split(text, ",")
	for i, setting := range settings {
		key, number, ok := strings.Cut(setting, "=")
		value, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil {
			return fmt.Errorf("a key and a whole number are needed, as in alpha=30")
		}
		key = strings.TrimSpace(key)
		if err := changed.Set(key, value); err != nil {
			return err
		}
		settings[i] = fmt.Sprintf("%s=%d", key, value)
	}
	*v.policy = changed
	*v.given = append(*v.given, settings...)
	return nil
}

// policyFlag adds --policy, which changes thresholds of the policy.
func policyFlag(f *pflag.FlagSet, p *policy.Policy) {
	f.Var(policyValue{p, new([]string)}, "policy",
		"set thresholds of policy/policy.toml, as alpha=30; repeatable, for experts")
}

// graphFlags adds the flags of the official graph.
func graphFlags(f *pflag.FlagSet, g *record.GraphConfig) {
	f.IntVar(&g.Scale, "scale", g.Scale, "set the number of vertices to 2^scale")
	f.Int64Var(&g.EdgeFactor, "edgefactor", g.EdgeFactor, "set the number of edge tuples per vertex; 16 for a submission")
	f.Var(seedsValue{&g.Seeds}, "seeds", "seed the generator; 2,3 for the official graph")
	f.StringVar(&g.Format, "format", g.Format, "set the format of the edge file: packed (12-byte records) or u64 (pairs)")
}

// graphFlagsBesideSpec refuses flags of the official graph if the graph is given by a spec.
func graphFlagsBesideSpec(f *pflag.FlagSet, g record.GraphConfig) error {
	for _, name := range []string{"scale", "edgefactor", "seeds"} {
		if g.Spec != "" && f.Changed(name) {
			return fmt.Errorf("--%s and a spec of a graph exclude each other: the spec alone defines the graph", name)
		}
	}
	return nil
}

// Help of flags that several commands have.
const (
	edgesHelp        = "read the edge tuples from this file instead of generating them"
	gpuTransportHelp = "move GPU data by: auto, peer, mpi, staged, nccl, peer+{mpi,staged,nccl}"
	emulateNodesHelp = "treat ranks as spread over this many nodes, for tests; 0 for the real nodes"
	ranksHelp        = "start this many ranks in this process, unless mpirun or srun starts them"
	transportHelp    = "connect ranks by: auto, loopback (ranks in this process) or mpi"
)

// machineFlags adds the flags that start ranks.
func machineFlags(f *pflag.FlagSet, m *record.MachineConfig) {
	f.StringVar(&m.Transport, "transport", m.Transport, transportHelp)
	f.IntVar(&m.Ranks, "ranks", m.Ranks, ranksHelp)
	f.IntVar(&m.Threads, "threads", m.Threads, "use this many worker threads per rank; 0 for a share of the node's cores")
}

// checkMachine returns an error for the first setting that is out of range.
func checkMachine(m record.MachineConfig) error {
	cfg := record.DefaultConfig()
	cfg.Machine = m
	return cfg.Check()
}

// over sets *bound, to which flags are bound, to base, and sets the flags of the command line again, which override it.
func over[T any](f *pflag.FlagSet, bound *T, base T) error {
	given := map[string]string{}
	f.Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
	*bound = base
	for name, value := range given {
		if err := f.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
