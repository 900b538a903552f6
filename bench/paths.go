package bench

import (
	"slices"
	"unsafe"

	"g500/kronecker"
	"g500/record"
	"g500/sssp"
)

// PathsBackend has the functions of a backend for shortest paths.
type PathsBackend struct {
	// Kernel1 builds the engine.
	Kernel1 sssp.New
	// MaxScale is Backend.MaxScale for shortest paths.
	MaxScale int
	// Memory adds the memory of one rank for shortest paths to a plan of Backend.Memory.
	Memory func(plan Plan, p kronecker.Params, ranks int, prune sssp.Pruning) Plan
}

// searchesPaths reports whether the run has shortest paths.
func (b *benchmark) searchesPaths() bool { return b.run.KernelRun(record.SSSP) != nil }

// hostPathsMemory is PathsBackend.Memory for host memory. Only plans of validated runs have a validator.
func hostPathsMemory(plan Plan, p kronecker.Params, ranks int, prune sssp.Pruning) Plan {
	share := heaviest(p, ranks)
	const weight = int64(unsafe.Sizeof(float32(0)))
	plan.Tuples += share.Tuples * weight
	engine, building := sssp.Memory(share, prune)
	plan.Engine += engine
	plan.Building = max(plan.Building, building) // kernels are built one after the other
	if plan.Validator > 0 {
		plan.Validator += 3 * share.Tuples * weight // in the rows of both ends, and in messages
	}
	return plan
}

// planningPaths returns the backend with plans that include shortest paths.
func (b Backend) planningPaths(prune sssp.Pruning) Backend {
	memory := b.Memory
	b.MaxScale = min(b.MaxScale, b.Paths.MaxScale)
	b.Memory = func(p kronecker.Params, ranks int, validated bool) []Plan {
		plans := slices.Clone(memory(p, ranks, validated))
		for i := range plans {
			plans[i] = b.Paths.Memory(plans[i], p, ranks, prune)
		}
		return plans
	}
	return b
}
