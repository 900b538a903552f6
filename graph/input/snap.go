package input

import "bytes"

// commentsOfSNAP begin the lines that edge lists have for people. KONECT's have a percent sign.
const commentsOfSNAP = "#%"

// snapHeader looks at an edge list as the Stanford Network Analysis Project has them: after comments a line for each
// edge, with two labels and perhaps a weight. Labels are vertex numbers; the number of vertices is the largest label
// and one, or that of a comment "# Nodes: N" if it is larger. Whether there are weights the first edge tells.
func snapHeader(t *text, h *header) error {
	h.tuples = unknown
	f, err := t.nextAfter(commentsOfSNAP, "an edge, as two labels,", func(comment []byte) {
		words := bytes.Fields(comment)
		for i := range len(words) - 1 {
			if string(words[i]) == "Nodes:" {
				told := fields{text: words[i+1]}
				if n, err := told.whole("a number", 1, MaxVertices); err == nil {
					h.vertices = n
				}
			}
		}
	})
	if err != nil {
		return err
	}
	h.weighted = len(bytes.Fields(f.text)) > 2
	t.unread(f)
	return nil
}

// snapBody parses lines with two labels and, if edges have weights, a weight.
func snapBody(h *header) func(b *block, into *part) error {
	return func(b *block, into *part) error {
		highest := int64(0)
		for b.nextLine() {
			if isComment(b.text, commentsOfSNAP) || b.blank() {
				continue
			}
			u, err := b.whole("a label", 0, MaxVertices-1)
			if err != nil {
				return err
			}
			v, err := b.whole("a second label", 0, MaxVertices-1)
			if err != nil {
				return err
			}
			highest = max(highest, u, v)
			if err := b.tuple(h, u, v, into); err != nil {
				return err
			}
		}
		if len(into.pairs) > 0 {
			h.sees(highest)
		}
		return nil
	}
}
