package formats

import (
	"bytes"
	"slices"
)

// konect is the content of the first comments of a file of the KONECT collection (Kunegis: KONECT, the Koblenz Network
// Collection, 2013): "% bip posweighted", and perhaps "% EDGES ROWS COLUMNS". Labels begin at 1 there, in bipartite
// graphs once for each kind of vertices.
type konect struct {
	kind          string // sym, asym or bip; "" for other files
	weights       string
	rows, columns int64 // the numbers of vertices that the comment has, 0 if it has none
}

// readKonect reads the first comment.
func readKonect(line []byte) (k konect) {
	words := bytes.Fields(line)
	if len(words) == 3 && string(words[0]) == "%" &&
		slices.Contains([]string{"sym", "asym", "bip"}, string(words[1])) {
		k.kind, k.weights = string(words[1]), string(words[2])
	}
	return k
}

// sizes reads the second comment.
func (k *konect) sizes(line []byte) {
	words := bytes.Fields(line)
	if len(words) != 4 || string(words[0]) != "%" {
		return
	}
	var numbers [3]int64
	for i := range numbers {
		word := fields{text: words[i+1]}
		n, err := word.whole("a number", 0, MaxVertices)
		if err != nil {
			return
		}
		numbers[i] = n
	}
	k.rows, k.columns = numbers[1], numbers[2]
}

// weighted reports whether the third column has weights.
func (k konect) weighted() bool {
	return slices.Contains([]string{"posweighted", "weighted", "multiweighted", "signed", "multisigned"}, k.weights)
}
