package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
	"g500/record"
)

// share is the part of the edge list that a rank generates or reads: runs of about equal length.
func share(p kronecker.Params, rank, ranks int) (first, count int64) {
	return shareOf(p.Edges(), rank, ranks)
}

// shareOf is the part of that many tuples.
func shareOf(tuples int64, rank, ranks int) (first, count int64) {
	// M times the number of ranks may overflow: divide first.
	each, extra := tuples/int64(ranks), tuples%int64(ranks)
	r := int64(rank)
	first = r*each + min(r, extra)
	count = each
	if r < extra {
		count++
	}
	return first, count
}

// generate is the graph generation step. The report has each rank's own time: the work is alike on all of them, and a
// rank that is slow shows.
func (b *benchmark) generate(ctx context.Context) (graph.Tuples, error) {
	ranks := b.t.Size()
	sums := make([]int64, ranks+1) // nanoseconds of each rank, and the tuples of all
	tuples, err := step(b, "graph generation", b.cfg.Params().Edges(), &b.run.GenerationSeconds,
		func() (graph.Tuples, error) {
			elapsed := stopwatch()
			tuples, err := b.tuples(ctx)
			sums[b.t.Rank()] = int64(elapsed())
			return tuples, comm.Agree(b.t, err)
		})
	if err != nil {
		return tuples, err
	}
	sums[ranks] = tuples.Len()
	if err := b.t.AllReduce(sums, comm.Sum); err != nil {
		return tuples, err
	}
	for _, nanoseconds := range sums[:ranks] {
		if ranks > 1 {
			b.run.RankGenerationSeconds = append(b.run.RankGenerationSeconds, time.Duration(nanoseconds).Seconds())
		}
	}
	return tuples, comm.Agree(b.t, b.checkTotal(sums[ranks]))
}

// checkTotal refuses shares that are not the whole edge list together.
func (b *benchmark) checkTotal(together int64) error {
	total := b.cfg.Params().Edges()
	if b.input != nil {
		total = b.run.Graph.Edges
	}
	if together == total {
		return nil
	}
	return fmt.Errorf("all ranks together have %d edge tuples, and the graph has %d: the list was generated or read "+
		"incompletely; trust neither machine nor build before make test has passed", together, total)
}

// tuples are this rank's share of the edge list, generated, read from a file, or taken from a
// graph that is not the official one.
func (b *benchmark) tuples(ctx context.Context) (graph.Tuples, error) {
	if b.input != nil {
		return b.inputTuples(ctx)
	}
	p := b.cfg.Params()
	first, count := share(p, b.t.Rank(), b.t.Size())
	if b.cfg.Graph.Edges == "" && b.searchesPaths() {
		return b.backend.Paths.Generate(ctx, p, first, count, b.watch.Advance)
	}
	if b.cfg.Graph.Edges == "" {
		return b.backend.Generate(ctx, p, first, count, b.watch.Advance)
	}
	return b.readTuples(ctx, first, count)
}

// readTuples reads count tuples of the edge list from number first on, with their weights if the run needs them.
func (b *benchmark) readTuples(ctx context.Context, first, count int64) (graph.Tuples, error) {
	file, err := openTuples(b.cfg)
	if err != nil {
		return nil, err
	}
	edges, err := file.Part(first, count)
	if err != nil {
		return nil, err
	}
	var tuples graph.Tuples
	if b.searchesPaths() {
		tuples, err = b.readWeighted(edges, file, first, count)
	} else {
		tuples, err = b.taken(ctx, count, func(_ int64, into []graph.Edge) error { return edges.Read(into) })
	}
	b.parts = append(b.parts, inputPart{Use: edgesUse, Path: file.Path, Fingerprint: edges.Fingerprint})
	return tuples, errors.Join(err, edges.Close())
}

// readWeighted reads tuples and, from the file next to theirs, their weights.
func (b *benchmark) readWeighted(edges *graph.EdgePart, file graph.EdgeFile, first, count int64) (graph.Tuples, error) {
	list, err := graph.OpenWeightFile(file)
	if err != nil {
		return nil, err
	}
	weights, err := list.Part(first, count)
	if err != nil {
		return nil, err
	}
	tuples := makeWeighted(count)
	if err = edges.Read(tuples.HostTuples); err == nil {
		err = weights.Read(tuples.Weights)
	}
	b.parts = append(b.parts, inputPart{Use: weightsUse, Path: list.Path, Fingerprint: weights.Fingerprint})
	return tuples, errors.Join(err, weights.Close())
}

// makeWeighted makes room for tuples with weights in host memory.
func makeWeighted(count int64) graph.HostWeightedTuples {
	return graph.HostWeightedTuples{HostTuples: make(graph.HostTuples, count), Weights: make([]float32, count)}
}

// taken brings tuples to where the backend works.
func (b *benchmark) taken(ctx context.Context, count int64, read TupleReader) (graph.Tuples, error) {
	if b.backend.Read != nil {
		return b.backend.Read(ctx, count, read, b.watch.Advance)
	}
	edges := make(graph.HostTuples, count)
	return edges, read(0, edges)
}

// checkEdges refuses an edge list, or its weights, that cannot be read or is of another graph.
func (b *benchmark) checkEdges() error {
	if b.cfg.Graph.Edges == "" {
		return nil
	}
	file, err := openTuples(b.cfg)
	if err == nil && b.searchesPaths() {
		_, err = graph.OpenWeightFile(file)
	}
	return err
}

// openTuples checks that the file holds the graph that the configuration names.
func openTuples(c record.Config) (graph.EdgeFile, error) {
	file, err := graph.OpenEdgeFile(c.Graph.Edges, graph.Format(c.Graph.Format), c.Graph.Scale)
	if err != nil {
		return file, err
	}
	if want := c.Params().Edges(); file.Tuples != want {
		return file, fmt.Errorf("edge list %s holds %d %s tuples, but scale %d with edge factor %d has %d: "+
			"the file is truncated, or --scale, --edgefactor or --format do not describe it",
			file.Path, file.Tuples, file.Format, c.Graph.Scale, c.Graph.EdgeFactor, want)
	}
	return file, nil
}
