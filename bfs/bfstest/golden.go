package bfstest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// golden has the results of the Graph500 reference code on one official graph.
type golden struct {
	name   string
	edges  []graph.Edge
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

// readGoldens reads the golden files of the generator, and generates their graphs. It panics if there are none.
func readGoldens() (all []golden) {
	const names = "kronecker/testdata/s*_ef*.json"
	files, _ := filepath.Glob("../" + names) // from a package's folder
	if deeper, _ := filepath.Glob("../../" + names); len(files) == 0 {
		files = deeper
	}
	if len(files) == 0 {
		panic("no golden files")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		g := golden{name: filepath.Base(file)}
		if err := json.Unmarshal(text, &g); err != nil || len(g.BFS) == 0 {
			panic(fmt.Sprintf("%s has %d searches: %v", file, len(g.BFS), err))
		}
		p := kronecker.Params{Scale: g.Scale, EdgeFactor: g.Factor, Seed1: g.Seed1, Seed2: g.Seed2}
		g.edges = make([]graph.Edge, p.Edges())
		p.Fill(0, g.edges)
		all = append(all, g)
	}
	return all
}

// check searches from each root of the golden file and compares the levels of all N = 2^scale vertices.
func (g golden) check(t comm.Transport, engine bfs.New) error {
	e, err := engine(t, share(g.edges, t))
	if err != nil {
		return err
	}
	defer e.Close()
	for _, want := range g.BFS {
		tree, err := Search(t, e, want.Root)
		if err != nil {
			return err
		}
		for len(tree) < 1<<g.Scale { // the engine's graph ends with the highest label in use
			tree = append(tree, graph.NoParent)
		}
		var bytes []byte
		reached := 0
		for _, level := range Levels(want.Root, tree) {
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(level))
			if level >= 0 {
				reached++
			}
		}
		if reached != want.Reached {
			return fmt.Errorf("root %d: %d vertices reached, the reference code reaches %d", want.Root, reached, want.Reached)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(bytes)); got != want.Levels {
			return fmt.Errorf("root %d: levels have SHA-256 %s, the reference code's %s", want.Root, got, want.Levels)
		}
	}
	return nil
}
