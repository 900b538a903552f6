// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the kind of an update.
type Kind uint8

// The kinds of updates. Updates of edges have the same numbers as in cuda/pages/pages.h; the others are of vertices.
const (
	InsertEdge Kind = iota
	DeleteEdge
	Query // tests whether an edge exists
	AddVertex
	RemoveVertex
)

// Update is one line of a batch. Edges are directed. Updates of a vertex do not use V.
type Update struct {
	Kind Kind
	U, V uint32
}

// bothWays returns a batch with each edge in both directions, for undirected graphs.
func bothWays(updates []Update) []Update {
	both := []Update{}
	for _, u := range updates {
		both = append(both, u)
		if u.Kind < AddVertex {
			both = append(both, Update{u.Kind, u.V, u.U})
		}
	}
	return both
}

var words = map[string]struct {
	kind Kind
	ends int
}{"+": {InsertEdge, 2}, "-": {DeleteEdge, 2}, "+v": {AddVertex, 1}, "-v": {RemoveVertex, 1}, "?": {Query, 2}}

// Read reads updates, one per line: "+ u v", "- u v", "+v u", "-v u" or "? u v". An empty line ends a batch; # starts a
// comment. Errors name line and column.
func Read(text string) (batches [][]Update, err error) {
	var batch []Update
	number := 0
	for line := range strings.Lines(text) {
		number++
		code, _, comment := strings.Cut(line, "#")
		if strings.TrimSpace(code) != "" {
			u, err := parse(code)
			if err != nil {
				return nil, fmt.Errorf("line %d, %w", number, err)
			}
			batch = append(batch, u)
		} else if !comment && len(batch) > 0 {
			batches, batch = append(batches, batch), nil
		}
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	return batches, nil
}

// parse parses a line that is not empty.
func parse(line string) (u Update, err error) {
	fields := strings.Fields(line)
	word, known := words[fields[0]]
	column := strings.Index(line, fields[0])
	if !known {
		return u, fmt.Errorf("column %d: %.20q is no update: write +, -, +v, -v or ?", column+1, fields[0])
	}
	if len(fields) != 1+word.ends {
		return u, fmt.Errorf("column %d: %s takes %d vertices, not %d", column+1, fields[0], word.ends, len(fields)-1)
	}
	ends := [2]uint32{}
	column += len(fields[0])
	for i, field := range fields[1:] {
		column += strings.Index(line[column:], field)
		end, err := strconv.ParseUint(field, 10, 32)
		if err != nil {
			return u, fmt.Errorf("column %d: %.20q is no vertex: write a number from 0 to 4294967295", column+1, field)
		}
		ends[i] = uint32(end)
		column += len(field)
	}
	return Update{word.kind, ends[0], ends[1]}, nil
}
