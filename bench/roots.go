// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"io"

	"g500/comm"
	"g500/graph"
	"g500/internal/infile"
	"g500/record"
)

// roots has the search keys from the user's file.
type roots struct {
	file     string
	labels   []graph.Global
	lines    []int // of the file, from 1, one for each label
	oneBased bool  // labels begin at 1 in the file
}

// mostRootsBytes is the maximum length of a file of roots.
const mostRootsBytes = 16 << 20

// readRoots reads the file of roots on rank 0, which sends it to the others. It is collective.
func (b *benchmark) readRoots(ctx context.Context) (r roots, err error) {
	if b.cfg.Search.Roots == "" {
		return r, nil
	}
	text := ""
	if b.t.Rank() == 0 {
		text, err = b.rootsText(ctx)
	}
	if err := comm.Agree(b.t, err); err != nil {
		return r, err
	}
	all, err := comm.AllGatherTexts(b.t, text)
	if err != nil {
		return r, err
	}
	r, err = parseRoots(b.cfg, b.made.Vertices, all[0])
	err = b.unlikeEarlier(record.RootsUse, b.cfg.Search.Roots, err)
	if err == nil && r.oneBased {
		b.note("the roots in %s are numbered from 1, as Matrix Market numbers rows", r.file)
	}
	return r, comm.Agree(b.t, err)
}

// rootsText reads the file of roots.
func (b *benchmark) rootsText(ctx context.Context) (string, error) {
	file, err := infile.Open(ctx, b.cfg.Search.Roots)
	if err != nil {
		return "", fmt.Errorf("roots: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(file, mostRootsBytes+1))
	if err == nil && len(text) > mostRootsBytes {
		err = fmt.Errorf("%s is longer than any file of roots: name one with one label per line", b.cfg.Search.Roots)
	}
	b.parts = append(b.parts, inputPart{record.RootsUse, b.cfg.Search.Roots, file.Fingerprint, file.Pipe})
	return string(text), errors.Join(err, file.Close())
}

// withEdges returns an error for a root without an edge to another vertex. It is collective.
func (r roots) withEdges(t comm.Transport, e structure) error {
	proper, err := connected(t, e, r.labels)
	if err != nil {
		return err
	}
	for i, v := range r.labels {
		if !proper[i] {
			return comm.Agree(t, fmt.Errorf("%s:%d: vertex %d has no edge to another vertex: choose a root that has one",
				r.file, r.lines[i], v))
		}
	}
	return nil
}

// sameRoots returns an error if the searches of an earlier run have other roots than the keys.
func sameRoots(searches []record.Search, keys []graph.Global) error {
	for _, s := range searches {
		if s.Key < 0 || len(keys) == 0 {
			continue // the verdict names the fault
		}
		if root := keys[s.Key%len(keys)]; graph.Global(s.Root) != root {
			return fmt.Errorf("search key %d of the run to resume has root %d, and this run has root %d: "+
				"the folder or the file of roots was changed; start a new run", s.Key, s.Root, root)
		}
	}
	return nil
}
