// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/numbers"
	"g500/partition"
	"g500/sssp"
)

// storedFiles reads this rank's part of results in files. Vertices that a file does not have were not reached.
type storedFiles struct {
	layout partition.Layout
	rank   int
	source numbers.Source // without its file
	labels []int64        // by the program's vertex; nil without a map
}

// mapBytes bounds the memory of a map of vertices, for each label.
const mapBytes = 9

// readMap reads the label of each vertex of the program. From then on files have as many numbers, for its vertices.
func (f *storedFiles) readMap(path string) error {
	vertices, labels := f.source.Most, make([]int64, 0, f.source.Most)
	taken := make([]bool, vertices)
	from := f.source
	from.Path, from.Name, from.Least = path, "map", 1
	err := numbers.Each(from, func(v, label int64) error {
		for int64(len(labels)) <= v {
			labels = append(labels, -1)
		}
		switch {
		case label < 0 || label >= vertices:
			return fmt.Errorf("map %s: vertex %d has the label %d: labels are from 0 to %d", path, v, label, vertices-1)
		case taken[label]:
			return fmt.Errorf("map %s: vertex %d has the label %d of an earlier vertex: each vertex needs its own",
				path, v, label)
		}
		labels[v], taken[label] = label, true
		return nil
	})
	for v, label := range labels {
		if label < 0 && err == nil {
			err = fmt.Errorf("map %s: vertex %d has no label: write one for each vertex of the program", path, v)
		}
	}
	f.labels, f.source.Most = labels, int64(len(labels))
	f.source.Least, f.source.Why = f.source.Most, fmt.Sprintf("map %s has %d vertices", path, len(labels))
	return err
}

// result reads a result. A result of breadth-first search has no distances.
func (f storedFiles) result(of StoredResult, paths bool) (result sssp.HostPaths, err error) {
	parent := func(x int64) (graph.Global, error) { return graph.Global(x), nil }
	if f.labels != nil {
		parent = func(x int64) (graph.Global, error) {
			switch {
			case x < 0:
				return graph.NoParent, nil
			case x >= int64(len(f.labels)):
				return 0, fmt.Errorf("tree %s has the parent %d, which is none of the map's %d vertices", of.Tree, x, len(f.labels))
			}
			return graph.Global(f.labels[x]), nil
		}
	}
	result.Parents, err = own(f, of.Tree, "tree", graph.NoParent, parent)
	if err == nil && paths {
		result.Distances, err = own(f, of.Distances, "file of distances", -1, func(d float32) (float32, error) {
			if d >= math.MaxFloat32 { // and infinity, for unreached vertices
				d = -1
			}
			return d, nil
		})
	}
	return result, err
}

// own reads the numbers of this rank's vertices. A vertex that the file lacks has none.
func own[T numbers.Number, V any](f storedFiles, path, name string, none V, value func(T) (V, error)) ([]V, error) {
	all := hugepage.Make[V](f.layout.Count(f.rank)) // the validator reads it in its own order
	for i := range all {
		all[i] = none
	}
	from := f.source
	from.Path, from.Name = path, name
	err := numbers.Each(from, func(vertex int64, x T) (err error) {
		if f.labels != nil {
			vertex = f.labels[vertex]
		}
		if v := graph.Global(vertex); f.layout.Owner(v) == f.rank {
			all[f.layout.Local(v)], err = value(x)
		}
		return err
	})
	return all, err
}
