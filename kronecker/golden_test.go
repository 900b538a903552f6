package kronecker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The files in testdata were made with the official generator, version 3.0.1. They are whole graphs (s*.json),
// single edges of large graphs (spot_edges*.json) and the insides of the random number generator (rng*.json).

// goldenFiles lists the files of one kind. Fewer than are kept in the repository is a fault of the checkout.
func goldenFiles(t *testing.T, pattern string, least int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) < least {
		t.Fatalf("testdata/%s: found %d files, %v, want at least %d", pattern, len(files), err, least)
	}
	return files
}

// load reads a golden file into the fields of T that it has.
func load[T any](t *testing.T, file string) (v T) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// goldenWord is a word that the files hold as "0x...".
type goldenWord uint64

func (w *goldenWord) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 0, 64)
	*w = goldenWord(v)
	return err
}

// eachGraph runs a test on every whole golden graph.
func eachGraph(t *testing.T, test func(t *testing.T, g goldenGraph)) {
	for _, file := range goldenFiles(t, "s[0-9]*.json", 7) {
		t.Run(filepath.Base(file), func(t *testing.T) { test(t, load[goldenGraph](t, file)) })
	}
}

// goldenGraph is what a file tells of a whole graph. Degrees count both ends of every tuple but self-loops.
type goldenGraph struct {
	Scale       int          `json:"scale"`
	EdgeFactor  int64        `json:"edgefactor"`
	Seed1       uint64       `json:"seed1"`
	Seed2       uint64       `json:"seed2"`
	Vertices    int64        `json:"vertices"`
	Edges       int64        `json:"edges"`
	State       rng          `json:"mrg_seed"`
	Val0        goldenWord   `json:"val0"`
	Val1        goldenWord   `json:"val1"`
	PairsSHA    string       `json:"edges_sha256_u64le_pairs"`
	PackedSHA   string       `json:"edges_sha256_packed12"`
	WeightsSHA  string       `json:"weights_sha256_f32le"`
	First       [][2]int64   `json:"first_16_edges"`
	Last        [][2]int64   `json:"last_4_edges"`
	FirstWeight []goldenWord `json:"first_16_weights_bits"`
	Loops       int64        `json:"self_loop_tuples"`
	NonLoops    int64        `json:"non_loop_tuples"`
	Ones        int          `json:"weights_equal_to_one"`
	WeightMin   float32      `json:"weight_min"`
	WeightMax   float32      `json:"weight_max"`
	Degree      struct {
		Max      uint64 `json:"max"`
		ArgMax   int    `json:"argmax"`
		Isolated int    `json:"isolated_vertices"`
		Highest  int    `json:"highest_vertex_with_degree"`
		Sum      uint64 `json:"sum"`
		SHA      string `json:"sha256_u64le_by_vertex"`
	} `json:"degree"`
	Keys struct {
		Official   []int64     `json:"reference_64_keys"`
		Candidate  []int64     `json:"candidate_index_of_each"`
		Proper     int         `json:"spec_conforming_prefix_length"`
		First      []int64     `json:"first_candidates"`
		FirstPairs [][2]string `json:"first_4_double_pairs_hex"`
	} `json:"search_keys"`
}

func (g goldenGraph) params() Params {
	return Params{Scale: g.Scale, EdgeFactor: g.EdgeFactor, Seed1: g.Seed1, Seed2: g.Seed2}
}

// eachRNG runs a test on the insides of the official random number generator for each golden pair of seeds.
func eachRNG(t *testing.T, test func(t *testing.T, g goldenRNG)) {
	for _, file := range goldenFiles(t, "rng_*.json", 2) {
		t.Run(filepath.Base(file), func(t *testing.T) { test(t, load[goldenRNG](t, file)) })
	}
}

// goldenRNG is what a file tells of them.
type goldenRNG struct {
	Seed1      uint64   `json:"seed1"`
	Seed2      uint64   `json:"seed2"`
	Seeded     rng      `json:"state_after_seed"`
	First      []uint64 `json:"first_10_outputs"`
	AfterFirst rng      `json:"state_after_10_outputs"`
	Skips      []struct {
		High, Middle, Low uint64
		State             rng
	} `json:"skips"`
	Scramble struct {
		Raw4                   []uint64
		Val0, Val1, Mul0, Mul1 goldenWord
	} `json:"scramble"`
	Scrambled []struct {
		Scale int
		In    uint64
		Out   int64
	} `json:"scramble_examples"`
	Reversed struct{ In, Out goldenWord } `json:"bitreverse_example"`
	Traced   []struct {
		Edge        int64      `json:"edge"`
		Start       rng        `json:"state_at_edge_start"`
		Squares     []uint64   `json:"squares"` // 2*i+j of each level, before the flip
		Unscrambled [2]uint64  `json:"unscrambled"`
		Labels      [2]int64   `json:"edge_out"`
		Weight      goldenWord `json:"weight_bits"`
	} `json:"traced_edges_scale10"`
	Doubles []struct {
		Position uint64     `json:"position"` // counted in doubles
		State    rng        `json:"state_after_skip"`
		Raw4     []uint64   `json:"raw4"`
		D0       goldenWord `json:"d0_bits"`
		D1       goldenWord `json:"d1_bits"`
	} `json:"make_random_numbers"`
	Weights []struct {
		Draw uint64     `json:"draw"`
		Bits goldenWord `json:"weight_bits"`
	} `json:"float_weight_map"`
}
