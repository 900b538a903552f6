// SPDX-License-Identifier: Apache-2.0

package formats

import "testing"

// A first line with the numbers of vertices and edges is no edge if that is certain; else it is one. A note names it.
func TestCountsBeforeEdges(t *testing.T) {
	const counts, edge = "was read as the numbers of vertices and edges", "was read as an edge, although"
	for _, c := range []struct {
		content, options string
		vertices         int
		edges            int64
		note             string
	}{
		{"6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 6, 7, counts},
		{"6 6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 6, 7, counts},
		{"# c\n\n6,7\n# c\n0,1\n1,2\n2,3\n3,4\n4,0\n1,3\n2,5\n", "", 6, 7, counts},
		{"9 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5", "", 9, 7, counts},
		{"6 7\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n", "", 8, 8, edge}, // labels from 1: 6 and 7 may be the next edge
		{"6 9\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n1 6\n2 6\n", "", 7, 9, counts},
		{"6 9\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n1 6\n2 6\n", ",labels=renumber", 6, 9, counts},
		{"6 7\n10 1\n1 2\n2 3\n3 4\n4 10\n1 3\n2 5\n", "", 11, 8, ""},
		{"6 8\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 9, 8, ""},
		{"6 6\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", ",labels=renumber", 7, 7, ""},
		{"3 2\n2 1\n1 0\n", "", 4, 3, edge},
		{"3 2\n2 1\n1 0\n", ",labels=renumber", 4, 3, edge},
		{"3 2\n2 1 .5\n1 0 .5\n", ",columns=src,dst,weight", 3, 2, counts},
		{"3 3 3\n2 1 .5\n1 0 .5\n2 0 .5\n", ",columns=src,dst,weight", 4, 3, edge}, // perhaps by chance
		{"4 4 5\n2 1 .5\n1 0 .5\n2 0 .5\n3 0 1\n3 1 1\n", ",columns=src,dst,weight", 4, 5, counts},
		{"2\t2\n0\t1\n1\t0\n", "", 3, 1, "a.txt, 2 2, " + edge},
		{"4 4 3\n2 1 .5\n1 0 .5\n3 0 .5\n2 0 .5\n", ",columns=src,dst,weight", 5, 4, ""},
		{"src dst\n6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 8, 8, ""},
		{"# Nodes: 8 Edges: 8\n6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 8, 8, ""},
		{"1 0\n", "", 2, 1, ""},
		{"1\t2\t\n2\t3\n3\t1\t\n", "", 4, 3, ""}, // a separator at the end of some lines is no column
		{"1,2\n2,3,\n3,1\n", "", 4, 3, ""},
		{"1\t2\t5\n2\t3\t6\t\n", ",columns=src,dst", 4, 2, ""},
	} {
		g := made(t, "file:"+stored(t, "a.txt", c.content)+c.options)
		if g.Vertices() != c.vertices || g.Edges() != c.edges {
			t.Errorf("%q%s: %d vertices, %d edges, want %+v", c.content, c.options, g.Vertices(), g.Edges(), c)
		}
		checkNotes(t, c.content, g, c.note)
	}
	refused(t, "file:"+stored(t, "a.txt", "3 9\n2 1 .5\n1 0 .5\n"), ":2:5: the number of columns is 3 here and 2")
}

// Weights that single precision changes are counted in a note.
func TestWeightsThatArePrecise(t *testing.T) {
	const rounded, vanished = "1 weights of", "become 0: scale the weights up"
	for weight, note := range map[string]string{
		"1e-400": vanished, "-1e-46": vanished, "0e-400": "", "0.0000": "", "1e-45": rounded, "1e-39": rounded, "2e-38": "",
		"1D-400":              vanished,
		"9223372036854775807": rounded, "9223372036854775808": "", "-9223372036854775807": rounded, "16777217": rounded,
		"16777216": "", "0.10000000149011612": "", "1.2345678": rounded, "1.234567": "", "0.1": "", "1e30": "",
	} {
		g := made(t, "file:"+stored(t, "a.wel", "0 1 "+weight+"\n1 0 1\n")+",symmetric=no")
		checkNotes(t, weight, g, note)
		if x := g.Weights[0]; note == vanished && x != 0 {
			t.Errorf("%s: %g", weight, x)
		}
	}
}
