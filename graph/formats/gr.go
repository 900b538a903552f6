// SPDX-License-Identifier: Apache-2.0

package formats

// grHeader reads the problem line of a file of the ninth DIMACS challenge, p sp VERTICES ARCS (Demetrescu, Goldberg,
// Johnson: The Shortest Path Problem, 2009). Vertex numbers begin at 1 in this format.
func grHeader(h *header) error {
	h.weighted, h.arcs = true, true
	f := h.nextAfter("the line p sp VERTICES ARCS", nil)
	for _, want := range []string{"p", "sp"} {
		word, column := f.next()
		if other := otherProblems[string(word)]; other != "" {
			return f.fault(column, "the file has %s (p %s) instead of the shortest-path format (p sp): "+
				"convert it to an edge list", other, word)
		}
		if string(word) != want {
			return f.expected(word, column, want+", as in p sp VERTICES ARCS")
		}
	}
	h.vertices = f.integer("the number of vertices", 1, MaxVertices)
	h.tuplesOf(f, "arcs")
	return f.end("the number of arcs")
}

// otherProblems names the formats of other DIMACS challenges and of PACE, by the word after p.
var otherProblems = map[string]string{
	"max": "the maximum flow format", "min": "the minimum cost flow format", "asn": "the assignment format",
	"edge": "the colouring format", "col": "the colouring format", "tw": "PACE format", "td": "PACE format",
}

// grLine parses a line a FROM TO WEIGHT.
func grLine(h *header, b *block, into *chunk) {
	if word, column := b.next(); string(word) != "a" {
		b.expected(word, column, "an arc, as a FROM TO WEIGHT")
	}
	u := b.integer("the vertex that the arc leaves", 1, h.vertices)
	v := b.integer("the vertex that the arc enters", 1, h.vertices)
	h.tuple(&b.fields, u-1, v-1, into)
}
