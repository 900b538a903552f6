package formats

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// konect is the content of the first comments of a file of the KONECT collection (Kunegis: KONECT, the Koblenz Network
// Collection, 2013): "% bip posweighted" and optionally "% EDGES ROWS COLUMNS". Its labels begin at 1; in bipartite
// graphs both kinds of vertices have their own labels from 1.
type konect struct {
	kind          string // sym, asym or bip; "" for other files
	weights       string
	rows, columns int64 // numbers of vertices, 0 if the comments have none
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

// sizes reads the second comment, if it has the numbers of edges and vertices. It returns the number of edges, 0 if a
// line of the file may have several.
func (k *konect) sizes(line []byte) (edges int64) {
	words := bytes.Fields(line)
	if len(words) != 4 || string(words[0]) != "%" {
		return 0
	}
	var n [3]int64
	for i, word := range words[1:] {
		number, err := strconv.ParseUint(string(word), 10, 32)
		if err != nil {
			return 0
		}
		n[i] = int64(number)
	}
	k.rows, k.columns = n[1], n[2]
	if k.weights == "positive" || strings.HasPrefix(k.weights, "multi") {
		return 0
	}
	return n[0]
}

// weighted reports whether the third column has weights.
func (k konect) weighted() bool {
	return slices.Contains([]string{"posweighted", "weighted", "multiweighted", "signed", "multisigned"}, k.weights)
}
