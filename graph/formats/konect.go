package formats

import (
	"bytes"
	"slices"
	"strconv"
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

// sizes reads the second comment, if it has the numbers of vertices.
func (k *konect) sizes(line []byte) {
	words := bytes.Fields(line)
	if len(words) != 4 || string(words[0]) != "%" {
		return
	}
	rows, err := strconv.ParseUint(string(words[2]), 10, 32)
	columns, err2 := strconv.ParseUint(string(words[3]), 10, 32)
	if err == nil && err2 == nil {
		k.rows, k.columns = int64(rows), int64(columns)
	}
}

// weighted reports whether the third column has weights.
func (k konect) weighted() bool {
	return slices.Contains([]string{"posweighted", "weighted", "multiweighted", "signed", "multisigned"}, k.weights)
}
