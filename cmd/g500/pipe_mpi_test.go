//go:build mpi && cgo

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/comm/commtest"
	"g500/record"
)

// Rank 0 reads a graph from a pipe and sends the other ranks their shares.
func TestMPIGraphFromThePipeOfRank0(t *testing.T) {
	list := "# src dst weight\n" + strings.Repeat("0 1 3\n1 2 4\n2 3 5\n3 4 1\n4 0 7\n9 2 2\n", 50)
	want := int64(0)
	for _, ranks := range []int{1, 4} {
		dir := filepath.Join(t.TempDir(), "out")
		run := asG500(commtest.Mpirun(t.Context(), t, ranks, os.Args[0], "run", "--kernel", "both",
			"--graph", "file:/dev/stdin,format=snap,duplicates=keep", "--quiet", "--output", dir))
		run.Stdin = strings.NewReader(list)
		out, err := run.CombinedOutput()
		if err != nil || !strings.HasSuffix(string(out), "VALID\n") {
			t.Fatalf("%d ranks: %v\n%s", ranks, err, out)
		}
		r, err := record.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		edges := int64(0)
		for _, s := range r.KernelRun(record.SSSP).Searches {
			edges += s.Edges
		}
		if want == 0 {
			want = edges
		}
		if r.Graph.Edges != 300 || edges != want || r.Pipe() != "/dev/stdin" || r.Inputs[0].Bytes != int64(len(list)) {
			t.Errorf("%d ranks: %+v, %d edges, want %d, %+v", ranks, r.Graph, edges, want, r.Inputs)
		}
	}
}
