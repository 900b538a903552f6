// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"io"
	"strings"
	"testing"

	"g500/internal/expect"
)

// A graph that is written and read again is the same, in every format that can store it.
func TestRoundTrips(t *testing.T) {
	for i, c := range []struct{ spec, back, limited string }{ // to the formats that are not named here
		{"kron:scale=8", "weights=none", ""},
		{"kron:scale=8,loops=keep", "loops=keep,weights=none", "metis"},
		{"kron:scale=8,loops=keep,symmetric=no,duplicates=keep", "loops=keep,symmetric=auto,duplicates=keep,weights=none",
			"metis"},
		{"uniform:vertices=2000,degree=3,weights=uniform", "", "gr metis"},
		{"rmat:scale=8,symmetric=no,weights=uniform", "symmetric=auto", "gr metis"},
		{"road:30x20", "weights=none", ""},
		{"file:testdata/integers.gr", "", ""},
		{"file:testdata/integers.gr,symmetric=no", "symmetric=auto", "metis"},
	} {
		g := made(t, c.spec)
		for _, f := range formats() {
			name := "graph" + f.extensions[0] + []string{"", ".gz"}[i%2]
			if err := CheckWrite(name, g); err != nil || strings.Contains(c.limited, f.name) {
				expect.Equal(t, err != nil, strings.Contains(c.limited, f.name), c.spec, "as", name, "gives", err)
				continue
			}
			file := expect.Written(t, func(w io.Writer) error { return Write(w, name, c.spec, g) })
			back := made(t, strings.TrimSuffix("file:"+expect.File(t, name, file)+","+c.back, ","))
			expect.Equal(t, same(back, g), true, c.spec, "as", name, "comes back")
		}
	}
}

// Vertex numbers begin at 1, except in SNAP's format; a symmetric matrix has its lower triangle.
func TestWrittenText(t *testing.T) {
	for path, want := range map[string]string{
		"a.mtx":   "%%MatrixMarket matrix coordinate real symmetric\n% five, written by g500\n3 3 2\n2 1 7\n3 1 2\n",
		"a.gr":    "c five, written by g500\np sp 3 4\na 1 2 7\na 1 3 2\na 2 1 7\na 3 1 2\n",
		"a.graph": "% five, written by g500\n3 2 001\n2 7 3 2\n1 7\n1 2\n",
		"a.txt":   "# five, written by g500\n# Nodes: 3 Edges: 2\n# src dst weight\n0 1 7\n0 2 2\n",
	} {
		g := made(t, "file:"+stored(t, "b.gr", "p sp 3 2\na 2 1 7\na 1 3 2\n"))
		expect.Equal(t, expect.Written(t, func(w io.Writer) error { return Write(w, path, "five", g) }), want, path)
	}
}

func TestFormatsRefuseGraphsTheyCannotStore(t *testing.T) {
	for _, c := range []struct{ spec, path, want string }{
		{"uniform:vertices=20,weights=uniform", "a.gr", "weights in this format are whole numbers"},
		{"rmat:scale=4,symmetric=no", "a.graph", "the graph is directed"},
		{"rmat:scale=4,loops=keep", "a.graph", "the graph has self-loops"},
		{"rmat:scale=4", "a.csv", "does not name a format"},
	} {
		expect.Error(t, CheckWrite(c.path, made(t, c.spec)), c.want, c.spec, "as", c.path)
	}
}
