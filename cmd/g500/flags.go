package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"g500/bench"
)

// seedsValue is the flag --seeds A,B.
type seedsValue struct{ seeds *[2]uint64 }

func (s seedsValue) String() string {
	if s.seeds == nil {
		return ""
	}
	return fmt.Sprintf("%d,%d", s.seeds[0], s.seeds[1])
}

func (s seedsValue) Type() string { return "A,B" }

func (s seedsValue) Set(text string) error {
	a, b, ok := strings.Cut(text, ",")
	first, err1 := strconv.ParseUint(strings.TrimSpace(a), 10, 64)
	second, err2 := strconv.ParseUint(strings.TrimSpace(b), 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("two numbers from 0 to 2^64-1 are needed, as in 2,3")
	}
	*s.seeds = [2]uint64{first, second}
	return nil
}

// graphFlags name a graph.
func graphFlags(f *pflag.FlagSet, g *bench.GraphConfig) {
	f.IntVar(&g.Scale, "scale", g.Scale, "log2 of the number of vertices")
	f.Int64Var(&g.EdgeFactor, "edgefactor", g.EdgeFactor, "edge tuples per vertex; 16 for a submission")
	f.Var(seedsValue{&g.Seeds}, "seeds", "seeds of the generator; 2,3 for the official graph")
	f.StringVar(&g.Format, "format", g.Format, "form of the edge file: packed (12-byte records) or u64 (pairs)")
}

// machineFlags say where ranks come from.
func machineFlags(f *pflag.FlagSet, m *bench.MachineConfig) {
	f.StringVar(&m.Transport, "transport", m.Transport, "auto, loopback (ranks in this process) or mpi")
	f.IntVar(&m.Ranks, "ranks", m.Ranks, "ranks in this process, where mpirun or srun does not set them")
	f.IntVar(&m.Threads, "threads", m.Threads, "worker threads per rank; 0 shares the host's cores out")
}

// over loads base into the configuration that flags are bound to, and sets again the flags that were given: they
// win.
func over(f *pflag.FlagSet, bound *bench.Config, base bench.Config) error {
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
