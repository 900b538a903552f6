package bfstest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// golden is what the official program found on one official graph.
type golden struct {
	name   string
	Scale  int    `json:"scale"`
	Factor int64  `json:"edgefactor"`
	Seed1  uint64 `json:"seed1"`
	Seed2  uint64 `json:"seed2"`
	BFS    []struct {
		Root    graph.Global `json:"root"`
		Reached int          `json:"visited_vertices"`
		Levels  string       `json:"levels_sha256_i32le_minus1_unvisited"`
	} `json:"bfs"`
}

// goldens reads the golden files, which lie with the generator.
func goldens(t *testing.T) []golden {
	_, here, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(here), "../../kronecker/testdata/s*_ef*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files (%v)", err)
	}
	var all []golden
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := golden{name: filepath.Base(file)}
		if err := json.Unmarshal(text, &g); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(g.BFS) == 0 {
			t.Fatalf("%s holds no searches", file)
		}
		all = append(all, g)
	}
	return all
}

// check searches from each root of the golden file and compares the levels of all N = 2^scale vertices.
func (g golden) check(t comm.Transport, engine bfs.New) error {
	p := kronecker.Params{Scale: g.Scale, EdgeFactor: g.Factor, Seed1: g.Seed1, Seed2: g.Seed2}
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges)
	e, err := engine(t, share(edges, t))
	if err != nil {
		return err
	}
	defer e.Close()
	for _, want := range g.BFS {
		tree, err := Search(t, e, want.Root)
		if err != nil {
			return err
		}
		for len(tree) < int(p.Vertices()) { // kernel 1 knows labels up to the highest in use
			tree = append(tree, graph.NoParent)
		}
		hash, reached := sha256.New(), 0
		for _, level := range Levels(want.Root, tree) {
			binary.Write(hash, binary.LittleEndian, level)
			if level >= 0 {
				reached++
			}
		}
		if reached != want.Reached {
			return fmt.Errorf("root %d: %d vertices reached, the official program reaches %d", want.Root, reached, want.Reached)
		}
		if got := hex.EncodeToString(hash.Sum(nil)); got != want.Levels {
			return fmt.Errorf("root %d: levels have SHA-256 %s, the official program's %s", want.Root, got, want.Levels)
		}
	}
	return nil
}
