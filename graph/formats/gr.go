package formats

// grHeader reads the problem line of a file of the ninth DIMACS challenge, p sp VERTICES ARCS (Demetrescu, Goldberg,
// Johnson: The Shortest Path Problem, 2009). Vertices have numbers from 1 there.
func grHeader(t *text, h *header) error {
	h.weighted = true
	f, err := t.nextAfter("c", "the line p sp VERTICES ARCS", nil)
	if err != nil {
		return err
	}
	for _, want := range []string{"p", "sp"} {
		word, column := f.next()
		if form := otherForms[string(word)]; form != "" {
			return f.fault(column, "the file has %s (p %s) instead of the shortest-path format (p sp): "+
				"convert it to an edge list", form, word)
		}
		if string(word) != want {
			return f.expected(word, column, want+", as in p sp VERTICES ARCS,")
		}
	}
	if h.vertices, err = f.whole("the number of vertices", 1, MaxVertices); err != nil {
		return err
	}
	if err := f.tuplesOf(h, "arcs"); err != nil {
		return err
	}
	return f.end("the number of arcs")
}

// otherForms names the formats of other DIMACS challenges and of PACE, by the word after p.
var otherForms = map[string]string{
	"max": "the maximum flow format", "min": "the minimum cost flow format", "asn": "the assignment format",
	"edge": "the colouring format", "col": "the colouring format", "tw": "PACE format", "td": "PACE format",
}

// grBody parses lines a FROM TO WEIGHT.
func grBody(h *header) func(b *block, into *part) error {
	return func(b *block, into *part) error {
		for b.nextLine() {
			if isComment(b.text, "c") || b.blank() {
				continue
			}
			if word, column := b.next(); string(word) != "a" {
				return b.expected(word, column, "an arc, as a FROM TO WEIGHT,")
			}
			u, err := b.whole("the vertex that the arc leaves", 1, h.vertices)
			if err != nil {
				return err
			}
			v, err := b.whole("the vertex that the arc enters", 1, h.vertices)
			if err != nil {
				return err
			}
			if err := b.tuple(h, u-1, v-1, into); err != nil {
				return err
			}
		}
		return nil
	}
}
