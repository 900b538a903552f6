// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"regexp"
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

var (
	konectKind  = regexp.MustCompile(`^%[^\S\n]+(sym|asym|bip)[^\S\n]+(\S+)[^\S\n]*(?:\n|$)`)
	konectSizes = regexp.MustCompile(`^%\s+(\d+)\s+(\d+)\s+(\d+)\s*$`)
)

// sizes reads the second comment, if it has the numbers of edges and vertices. It returns the number of edges, 0 if a
// line of the file may have several.
func (k *konect) sizes(line []byte) (edges int64) {
	m := konectSizes.FindSubmatch(line)
	if m == nil {
		return 0
	}
	k.rows, k.columns = count(m[2]), count(m[3])
	if k.weights == "positive" || strings.HasPrefix(k.weights, "multi") {
		return 0
	}
	return count(m[1])
}

// count returns the number of vertices or edges that a comment has, 0 if it is beyond 32 bits.
func count(digits []byte) int64 {
	n, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil {
		return 0
	}
	return int64(n)
}

// weightedKonect are the weights of files whose third column has them.
var weightedKonect = []string{"posweighted", "weighted", "multiweighted", "signed", "multisigned"}
