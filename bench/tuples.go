// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/internal/infile"
	"g500/internal/lists"
	"g500/record"
)

// share returns this rank's share of that many tuples, with weights if the run needs them.
func (b *benchmark) share(tuples int64) graph.Range {
	first, count := shareOf(tuples, b.t.Rank(), b.t.Size())
	return graph.Range{First: first, Count: count, Weighted: b.searchesPaths(), Directed: b.made.Directed}
}

// shareOf divides tuples into consecutive shares of about equal length and returns the share of a rank.
func shareOf(tuples int64, rank, ranks int) (first, count int64) {
	each, extra := tuples/int64(ranks), tuples%int64(ranks) // tuples * rank may overflow
	begin := func(r int64) int64 { return r*each + min(r, extra) }
	first = begin(int64(rank))
	return first, begin(int64(rank)+1) - first
}

// generate is the graph generation step. It records each rank's time, which reveals slow ranks: all have equal work.
func (b *benchmark) generate(ctx context.Context) (graph.Tuples, error) {
	ranks := b.t.Size()
	sums := make([]int64, ranks+1) // nanoseconds by rank, then the number of all tuples
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
			b.run.RankGenerationSeconds = append(b.run.RankGenerationSeconds, seconds(nanoseconds))
		}
	}
	return tuples, comm.Agree(b.t, b.checkTotal(sums[ranks]))
}

// checkTotal returns an error if the shares of all ranks are not the complete edge list.
func (b *benchmark) checkTotal(together int64) error {
	total := b.cfg.Params().Edges()
	if b.graph != nil {
		total = b.run.Graph.Edges
	}
	if together == total {
		return nil
	}
	return fmt.Errorf("all ranks together have %d edge tuples, and the graph has %d: the list was generated or read "+
		"incompletely; trust neither machine nor build before make test has passed", together, total)
}

// tuples returns this rank's share of the edge list, generated, read from a file, or taken from another graph.
func (b *benchmark) tuples(ctx context.Context) (graph.Tuples, error) {
	if b.graph != nil {
		share := b.share(b.made.Edges)
		from, err := b.shareReader(share)
		if err != nil {
			return nil, err
		}
		return b.backend.Read(ctx, share, from, b.watch.Advance)
	}
	p := b.cfg.Params()
	share := b.share(p.Edges())
	if b.cfg.Graph.Edges == "" {
		return b.backend.Generate(ctx, p, share, b.watch.Advance)
	}
	return b.readTuples(ctx, share)
}

// readTuples reads a share of the edge list from its file, and the weights from the file next to it.
func (b *benchmark) readTuples(ctx context.Context, share graph.Range) (graph.Tuples, error) {
	file, err := openTuples(b.cfg)
	if err != nil {
		return nil, err
	}
	edges, err := file.Part(share.First, share.Count)
	if err != nil {
		return nil, err
	}
	defer edges.Close()
	read := func(_ int64, into []graph.Edge, _ []float32) error { return edges.Read(into) }
	if share.Weighted {
		weights, err := file.Weights(share.First, share.Count)
		if err != nil {
			return nil, err
		}
		defer weights.Close()
		read = func(_ int64, into []graph.Edge, of []float32) error {
			return cmp.Or(edges.Read(into), weights.Read(of))
		}
		defer func() {
			b.parts = append(b.parts, inputPart{Use: record.WeightsUse, Path: graph.WeightsPath(file.Path),
				Fingerprint: weights.Fingerprint})
		}()
	}
	tuples, err := b.backend.Read(ctx, share, read, b.watch.Advance)
	err = b.unlikeEarlier(record.EdgesUse, file.Path, err)
	b.parts = append(b.parts, inputPart{Use: record.EdgesUse, Path: file.Path, Fingerprint: edges.Fingerprint})
	return tuples, err
}

// checkEdges returns an error if the edge list, or its weights, cannot be read or belongs to another graph.
func (b *benchmark) checkEdges() error {
	if b.cfg.Graph.Edges == "" {
		return nil
	}
	file, err := openTuples(b.cfg)
	if err == nil && b.searchesPaths() {
		err = file.CheckWeights()
	}
	return err
}

// openTuples opens the edge list and checks that its length fits the graph of the configuration.
func openTuples(c record.Config) (graph.EdgeFile, error) {
	file, err := graph.OpenEdgeFile(c.Graph.Edges, graph.Format(c.Graph.Format), c.Graph.Scale)
	if err != nil {
		return file, err
	}
	if want := c.Params().Edges(); file.Tuples != want {
		return file, fmt.Errorf("edge list %s holds %d %s tuples, but scale %d with edge factor %d has %d: "+
			"the file is truncated, or --scale, --edgefactor or format= do not describe it",
			file.Path, file.Tuples, file.Format, c.Graph.Scale, c.Graph.EdgeFactor, want)
	}
	return file, nil
}

// inputPart is the part of an input file that a rank has read. Each reads its own edges and weights, rank 0 all others.
type inputPart struct {
	Use, Path   string
	Fingerprint infile.Fingerprint
	Pipe        bool
}

// keepInputs joins the ranks' parts of all files read so far, and records the files in the run. It returns an error if
// a file has changed since the run to resume read it. It is collective.
func (b *benchmark) keepInputs() error {
	all, err := comm.Gathered(b.t, b.parts)
	if err != nil {
		return err
	}
	files := joined(all)
	if b.setup.Earlier != nil {
		err = b.sameAsEarlier(sameInputs(b.setup.Earlier.Inputs, files))
	}
	for _, earlier := range b.run.Inputs { // an earlier part of the run has read them, and this one not yet
		if !slices.ContainsFunc(files, func(f record.Input) bool { return f.Use == earlier.Use }) {
			files = append(files, earlier)
		}
	}
	if err == nil {
		b.run.Inputs = files
	}
	return comm.Agree(b.t, err)
}

// joined joins the parts of all ranks into files, in the order in which the files appear.
func joined(all [][]inputPart) []record.Input {
	var whole []inputPart
	for _, part := range slices.Concat(all...) {
		file := lists.At(&whole, func(w inputPart) bool { return w.Use == part.Use },
			inputPart{Use: part.Use, Path: part.Path, Pipe: part.Pipe})
		file.Fingerprint = file.Fingerprint.Then(part.Fingerprint)
	}
	return lists.Of(whole, func(w inputPart) record.Input {
		return record.Input{Use: w.Use, Path: w.Path, Bytes: w.Fingerprint.Bytes, CRC64: w.Fingerprint.Hex(), Pipe: w.Pipe}
	})
}

// sameInputs returns an error if a file that the run to resume read has changed.
func sameInputs(earlier, now []record.Input) error {
	for _, was := range earlier {
		for _, is := range now {
			if is.Use == was.Use && is.Content() != was.Content() {
				return fmt.Errorf("the file %s (%s) has changed since the run to resume read it: it had %s and has %s; "+
					"restore it, or start a new run", is.Path, is.Use, was.Content(), is.Content())
			}
		}
	}
	return nil
}

// unlikeEarlier returns the error in the content of an input file. The error of a run that is resumed does not show the
// content, because another user's configuration may name any file.
func (b *benchmark) unlikeEarlier(use, path string, err error) error {
	var unread *fs.PathError
	if err == nil || b.setup.Earlier == nil || errors.As(err, &unread) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("the file %s (%s) cannot be read as the run to resume read it: restore it, or start a new run",
		path, use)
}
