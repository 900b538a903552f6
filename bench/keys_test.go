package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
)

// goldenKeys reads the first n search keys of the official program.
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
