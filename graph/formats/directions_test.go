package formats

import (
	"strings"
	"testing"
)

// With symmetric=auto, a graph is directed if its file says that edges have a direction. By default no graph is, and a
// note says if that adds directions.
func TestDirectionsOfFiles(t *testing.T) {
	const mtx, p = "%%MatrixMarket matrix coordinate pattern ", "3 3 2\n2 1\n3 2\n"
	for _, c := range []struct {
		name, content  string
		directed, note bool
	}{
		{"a.mtx", mtx + "general\n" + p, true, true},
		{"a.mtx", mtx + "general\n3 3 3\n2 1\n1 2\n2 2\n", true, false},
		{"a.mtx", mtx + "symmetric\n" + p, false, false},
		{"a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 7\n", false, false},
		{"a.gr", "p sp 3 2\na 1 2 5\na 2 3 1\n", true, true},
		{"a.gr", "p sp 3 2\na 1 2 5\na 2 1 1\n", true, false},
		{"a.graph", "3 2\n2\n1 3\n2\n", false, false},
		{"out.a", "% asym unweighted\n1 2\n", true, true},
		{"out.a", "% sym unweighted\n1 2\n", false, false},
		{"out.a", "% bip unweighted\n1 2\n", false, false},
		{"a.txt", "# Directed graph (each unordered pair of nodes is saved once): a.txt\n0 1\n", true, true},
		{"a.txt", "# Directed graph: a.txt\n0 1\n", true, true},
		{"a.txt", "# Undirected graph: a.txt\n0 1\n", false, false},
		{"a.txt", "0 1\n", false, false},
	} {
		path := stored(t, c.name, c.content)
		if g := made(t, "file:"+path+",symmetric=auto"); g.Directed != c.directed {
			t.Errorf("%q: directed is %v", c.content, g.Directed)
		}
		if g := made(t, "file:"+path+",symmetric=no"); !g.Directed {
			t.Errorf("%q with symmetric=no is undirected", c.content)
		}
		g := made(t, "file:"+path)
		if g.Directed {
			t.Errorf("%q is directed", c.content)
		}
		if noted := strings.Contains(strings.Join(g.Notes, "\n"), oneWay); noted != c.note {
			t.Errorf("%q: notes %q", c.content, g.Notes)
		}
	}
	checkNotes(t, "an edge list", made(t, "file:"+stored(t, "a.txt", "0 1\n")+",symmetric=auto"),
		"does not say whether its edges have a direction, and each is an edge in both directions: symmetric=no keeps")
}
