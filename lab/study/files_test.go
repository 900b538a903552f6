// SPDX-License-Identifier: Apache-2.0

package study

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"g500/graph/formats"
	"g500/internal/expect"
	"g500/lab"
)

// graphs/files.toml has each file that a shipped study names, with a page; a note says if a file is another graph.
func TestPublishedFiles(t *testing.T) {
	named := map[string]bool{}
	for _, name := range Names() {
		s := expect.Value(Load(name))(t)
		for _, g := range s.Graphs {
			if file, _, _ := strings.Cut(strings.TrimPrefix(g.Spec, filePrefix), ","); g.Collection != "" {
				named[file] = true
			}
		}
	}
	expect.Equal(t, slices.Sorted(maps.Keys(publishedFiles())), slices.Sorted(maps.Keys(named)))
	for name, f := range publishedFiles() {
		if !strings.HasPrefix(f.Page, "http") || f.From == "" || f.Edges < f.Vertices {
			t.Errorf("%s: %+v", name, f)
		}
	}
	s := Study{Name: "x", Graphs: []Graph{{Name: "thermal2", Spec: "file:thermal2", Collection: "SuiteSparse"}}}
	_, err := s.FindFiles(t.TempDir(), formats.ReadsExtension)
	expect.Error(t, err, "https://sparse.tamu.edu/Schmid/thermal2")
	g := Graph{Name: "thermal2", Spec: "file:dir/thermal2.tar.gz,symmetric=no", Collection: "SuiteSparse"}
	expect.Equal(t, g.doubts(lab.GraphFigures{Vertices: 1228045}), "") // 1.2 million in the paper
	expect.Equal(t, g.doubts(lab.GraphFigures{Vertices: 12}), "thermal2: its file has 12 vertices, and "+
		"Chen et al., table 1 says 1200000: compare it with https://sparse.tamu.edu/Schmid/thermal2")
}

// Small graphs are of the same kinds, and no claim has a verdict about speed or work.
func TestSmallStudies(t *testing.T) {
	for spec, want := range map[string]string{
		"kron:scale=20,edgefactor=512,duplicates=keep":   "kron:scale=9,edgefactor=16,duplicates=keep",
		"uniform:vertices=2000000,degree=23.9":           "uniform:vertices=500,degree=16.9",
		"rmat:scale=8,edgefactor=5,a=0.25,b=0.25,c=0.25": "rmat:scale=8,edgefactor=5,a=0.25,b=0.25,c=0.25",
		"grid2d:5000x5000":                               "grid2d:24x24",
		"grid2d:9x5000":                                  "grid2d:9x24",
		"grid3d:100x100x100,diagonal=true":               "grid3d:8x8x8,diagonal=true",
	} {
		s := Study{Kind: BFS, Sources: 64, Graphs: []Graph{{Name: "g", Spec: spec},
			{Name: "f", Spec: "file:f", Collection: "SNAP"}}}
		s.Shrink()
		expect.Equal(t, s.Graphs, []Graph{{Name: "g", Spec: want}})
	}
	for _, name := range Names() {
		s := expect.Value(Load(name))(t)
		s.Shrink()
		for _, g := range s.Graphs {
			if _, err := formats.Parse(g.Spec); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	s := Study{Kind: BFS, Factor: 1.25, Graphs: []Graph{{Name: "one"}, {Name: "two"}}, Size: Small}
	claim := Claim{Figure: "rate", Of: "a", Over: "b", AtLeast: 2}
	expect.Equal(t, s.find(claim, twoGraphs(), "").Sentence,
		"No verdict on one and two (the graphs are small).")
}
