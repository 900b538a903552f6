package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/record"
)

// goldenKeys reads the first n search keys of the Graph500 reference code.
func goldenKeys(t *testing.T, file string, n int) []int64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../kronecker/testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Keys struct {
			Values []int64 `json:"reference_64_keys"`
		} `json:"search_keys"`
	}
	if err := json.Unmarshal(text, &golden); err != nil || len(golden.Keys.Values) < n {
		t.Fatalf("%s: %d keys (%v)", file, len(golden.Keys.Values), err)
	}
	return golden.Keys.Values[:n]
}

func TestKeysAreTheOfficialOnes(t *testing.T) {
	for file, scale := range map[string]int{"s10_ef16_seed2_3.json": 10, "s14_ef16_seed2_3.json": 14} {
		want := goldenKeys(t, file, 64)
		p := config(scale).Params()
		edges := make(graph.HostTuples, p.Edges())
		p.Fill(0, edges)
		for _, ranks := range []int{1, 3} {
			err := comm.Loopback(ranks, func(tr comm.Transport) error {
				e, err := bfs.NewHybrid(1)(tr, edges[len(edges)*tr.Rank()/ranks:len(edges)*(tr.Rank()+1)/ranks])
				if err != nil {
					return err
				}
				keys, err := sampleKeys(tr, p, e, 64)
				var got []int64
				for _, k := range keys {
					got = append(got, int64(k))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, rank %d of %d: keys %v, want %v", file, tr.Rank(), ranks, got, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// If no drawn key meets the only edge of a graph, the error names a vertex, which is the root of a valid run.
func TestMissedEdgesAreNamed(t *testing.T) {
	c := config(7)
	drawn := map[graph.Global]bool{}
	for i := range int64(c.Params().Vertices()) {
		drawn[c.Params().KeyCandidate(i)] = true
	}
	var ends []int
	for v := 127; len(ends) < 2; v-- {
		if !drawn[graph.Global(v)] {
			ends = append(ends, v)
		}
	}
	path := filepath.Join(t.TempDir(), "one.txt")
	if err := os.WriteFile(path, fmt.Appendf(nil, "# Nodes: 128\n%d %d\n", ends[0], ends[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("name roots in a file (--roots), such as vertex %d", ends[1])
	for _, ranks := range ranksForInput() {
		r, err := searched(t, "file:"+path, ranks)
		if err == nil || !strings.Contains(err.Error(), want) || r.Status != record.Invalid {
			t.Errorf("%d ranks: %v, want %q", ranks, err, want)
		}
	}
	c = fileOfRoots(t, fmt.Sprint(ends[1]))
	c.Graph.Spec = "file:" + path
	s := hybrid(c)
	var err error
	if s.Graph, err = NewSpecGraph(c); err != nil {
		t.Fatal(err)
	}
	if r, err := run(t.Context(), 2, s); err != nil || r.Status != record.Valid {
		t.Errorf("%+v, %v", r, err)
	}
}
