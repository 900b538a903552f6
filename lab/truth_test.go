// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"reflect"
	"testing"
)

// Searches from many sources together find what a queue finds from each, on directed graphs too.
func TestReference(t *testing.T) {
	for _, symmetric := range []bool{true, false} {
		g := random(20000, 30000, symmetric)
		r, sources := newReference(g, nil, 4), g.Sources(2*together, 5)
		first, _ := r.search(t.Context(), sources[:together])
		second, _ := r.search(t.Context(), sources[together:])
		for i, got := range append(first, second...) {
			want := truth{source: sources[i]}
			distances := g.Distances(sources[i])
			want.sum = checksum(distances, 3)
			for v, d := range distances {
				if d == None {
					continue
				}
				row := g.Row(uint32(v))
				want.add(tally{reached: 1, edges: int64(len(row))})
				for _, to := range row {
					if int(to) == v {
						want.loops++
					}
				}
				for len(want.frontiers) <= int(d) {
					want.frontiers = append(want.frontiers, frontier{})
				}
				want.frontiers[d].vertices++
				want.frontiers[d].edges += int64(len(row))
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("source %d: %+v, want %+v", sources[i], got, want)
			}
		}
	}
}

// A signal ends the reference searches between levels.
func TestReferenceIsStopped(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	asked := errors.New("SIGTERM")
	stop(asked)
	if _, err := newReference(square(), nil, 2).search(ctx, []uint32{0}); !errors.Is(err, asked) {
		t.Error(err)
	}
}

// random returns a graph with random edges, duplicates and self-loops.
func random(vertices, edges int, symmetric bool) *Graph {
	var tuples [][2]uint32
	for i := range uint64(edges) {
		tuples = append(tuples, [2]uint32{uint32(mix(2*i) % uint64(vertices)), uint32(mix(2*i+1) % uint64(vertices))})
	}
	tuples = append(tuples, tuples[:edges/10]...)
	for v := range uint32(vertices / 10) {
		tuples = append(tuples, [2]uint32{v, v})
	}
	g := Symmetric("random", vertices, tuples)
	if symmetric {
		return g
	}
	one := &Graph{Name: g.Name, Offsets: make([]int64, 1)}
	for v := range uint32(vertices) {
		for i, to := range g.Row(v) {
			if i%2 == 0 {
				one.Columns = append(one.Columns, to)
			}
		}
		one.Offsets = append(one.Offsets, int64(len(one.Columns)))
	}
	return one
}
