package bench

import (
	"slices"
	"unsafe"

	"g500/kronecker"
	"g500/record"
	"g500/settings"
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
	plan.Add("shortest paths", engine)
	plan.Building = max(plan.Building, building) // kernels are built one after the other
	if plan.Validator > 0 {
		plan.Validator += 3 * share.Tuples * weight // in the rows of both ends, and in messages
	}
	return plan
}

// planningPaths returns the backend with plans that include shortest paths.
func (b Backend) planningPaths(prune sssp.Pruning) Backend {
	b.MaxScale = min(b.MaxScale, b.Paths.MaxScale)
	return b.planning(func(plan Plan, p kronecker.Params, ranks int) Plan {
		return b.Paths.Memory(plan, p, ranks, prune)
	})
}

// planningDirected returns the backend with plans for a directed graph, searched by these kernels.
func (b Backend) planningDirected(kernels []record.Kernel) Backend {
	return b.planning(func(plan Plan, p kronecker.Params, ranks int) Plan {
		return b.DirectedMemory(plan, p, ranks, kernels)
	})
}

// planningFor returns the backend with plans for all kernels of a run.
func (b Backend) planningFor(s settings.SearchConfig, directed bool) Backend {
	if slices.Contains(record.Kernels(s.Kernel), record.SSSP) {
		b = b.planningPaths(sssp.Pruning(s.Prune))
	}
	if directed {
		b = b.planningDirected(record.Kernels(s.Kernel))
	}
	return b
}

// planning returns the backend with plans to which add adds memory.
func (b Backend) planning(add func(plan Plan, p kronecker.Params, ranks int) Plan) Backend {
	memory := b.Memory
	b.Memory = func(p kronecker.Params, ranks int, validated bool) []Plan {
		plans := slices.Clone(memory(p, ranks, validated))
		for i := range plans {
			plans[i] = add(plans[i], p, ranks)
		}
		return plans
	}
	return b
}

// hostDirectedMemory is Backend.DirectedMemory for host memory: each kernel has the offsets of a second set of rows,
// and kernel 1 counts the degrees in both directions and together. The rows of both directions together have as many
// entries as the rows of an undirected graph.
func hostDirectedMemory(plan Plan, p kronecker.Params, ranks int, kernels []record.Kernel) Plan {
	const offset, degrees = 8, 2 * 4
	vertices := heaviest(p, ranks).Vertices
	plan.Add("directed edges", int64(len(kernels))*offset*vertices)
	plan.Building += degrees * vertices
	return plan
}
