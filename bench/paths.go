package bench

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// PathsKit is what a kit has for kernel 3.
type PathsKit struct {
	// Generate makes edge tuples with weights, as Kit.Generate makes those without.
	Generate func(ctx context.Context, p kronecker.Params, first, count int64,
		advance func(int64)) (graph.WeightedTuples, error)
	// Read makes tuples with weights, as Kit.Read makes those without; nil where that is the host.
	Read func(ctx context.Context, count int64, read WeightedTupleReader,
		advance func(int64)) (graph.WeightedTuples, error)
	// Kernel1 makes the engine.
	Kernel1 sssp.New
	// MaxScale is the largest official graph that vertex numbers reach, as Kit.MaxScale is.
	MaxScale int
	// Memory adds what shortest paths need on one of that many ranks to a plan of Kit.Memory.
	Memory func(plan Plan, p kronecker.Params, ranks int, prune sssp.Pruning) Plan
}

// PathJudge checks shortest paths. The verdict is the same on every rank. A kit with PathsKit has judges that are.
type PathJudge interface {
	Paths(root graph.Global, paths sssp.Paths) (validate.Verdict, error)
}

// searchesPaths reports whether the run has shortest paths.
func (b *benchmark) searchesPaths() bool { return b.run.KernelRun(record.SSSP) != nil }

// hostPathsMemory is the PathsKit.Memory of a kit in host memory. Only a validated run plans for a judge.
func hostPathsMemory(plan Plan, p kronecker.Params, ranks int, prune sssp.Pruning) Plan {
	share := heaviest(p, ranks)
	const weight = int64(unsafe.Sizeof(float32(0)))
	plan.Tuples += share.Tuples * weight
	plan.Engine += sssp.Memory(share, prune)
	if plan.Judge > 0 {
		plan.Judge += 3 * share.Tuples * weight // in both ends' rows, and on the way there
	}
	return plan
}

// planningPaths is the kit whose plans have shortest paths beside breadth-first searches.
func (k Kit) planningPaths(prune sssp.Pruning) Kit {
	memory := k.Memory
	k.MaxScale = min(k.MaxScale, k.Paths.MaxScale)
	k.Memory = func(p kronecker.Params, ranks int, validated bool) []Plan {
		plans := slices.Clone(memory(p, ranks, validated))
		for i := range plans {
			plans[i] = k.Paths.Memory(plans[i], p, ranks, prune)
		}
		return plans
	}
	return k
}

// buildPaths is kernel 1 for shortest paths.
func (b *benchmark) buildPaths(tuples graph.Tuples) (sssp.Engine, error) {
	weighted, ok := tuples.(graph.WeightedTuples)
	if !ok {
		return nil, comm.Agree(b.t, errors.New("the edge tuples have no weights: shortest paths need a graph that has"))
	}
	return step(b, "kernel 1 of shortest paths", 0, &b.run.KernelRun(record.SSSP).ConstructionSeconds,
		func() (sssp.Engine, error) {
			return b.kit.Paths.Kernel1(b.t, weighted, sssp.Pruning(b.cfg.Search.Prune))
		})
}

// shortestPaths is kernel 3.
func (b *benchmark) shortestPaths(e sssp.Engine, judge Judge) kernel {
	var last sssp.Paths
	return kernel{
		step:   PathsStep,
		search: func(key int, root graph.Global) (record.Search, error) { return b.findPaths(e, judge, key, root) },
		again: func(root graph.Global) (err error) {
			last, err = e.Search(root)
			return err
		},
		judge: func(root graph.Global) (validate.Verdict, error) { return judge.(PathJudge).Paths(root, last) },
		run:   b.run.KernelRun(record.SSSP),
	}
}

// findPaths makes one timed search of shortest paths and has them judged.
func (b *benchmark) findPaths(e sssp.Engine, judge Judge, key int, root graph.Global) (record.Search, error) {
	s := record.Search{Key: key, Root: int64(root), ValidateSeconds: record.NotValidated}
	var paths sssp.Paths
	var err error
	s.Seconds, err = b.timedSearch(e, func() (err error) {
		paths, err = e.Search(root)
		return err
	})
	if err == nil {
		s.Trace, err = b.trace(e, key)
	}
	if err == nil {
		err = b.keepPaths(e.Layout(), key, paths)
	}
	pathJudge, can := judge.(PathJudge)
	if err != nil || !can {
		return s, err
	}
	return s, b.validated(&s, func() (validate.Verdict, error) { return pathJudge.Paths(root, paths) })
}
