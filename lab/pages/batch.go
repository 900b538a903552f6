// SPDX-License-Identifier: Apache-2.0

package pages

import "slices"

// Tally counts the effects of a batch.
type Tally struct {
	Inserted  int `json:"edges_inserted"`
	Deleted   int `json:"edges_deleted"`
	Added     int `json:"vertices_added"`
	Removed   int `json:"vertices_removed"`
	Unchanged int `json:"unchanged"` // insertions of existing edges or vertices, deletions of missing ones
	Unknown   int `json:"unknown"`   // insertions with an end that is no vertex
	Found     int `json:"queries_found"`
	Missing   int `json:"queries_not_found"`
}

// batch is a batch while it is applied.
type batch struct {
	*Graph
	Tally
	done []Update // changes of the graph, in order
}

// watchEach is the number of updates after which progress is shown.
const watchEach = 1 << 12

// Apply applies a batch, one update after the other. If the graph then needs more pages than it has, Apply undoes all
// changes and returns ErrFull.
func (g *Graph) Apply(updates []Update) (Tally, error) {
	b := batch{Graph: g}
	for i, u := range updates {
		if g.watch != nil && i%watchEach == 0 {
			g.watch(i)
		}
		switch u.Kind {
		case AddVertex:
			b.addVertex(u)
		case RemoveVertex:
			b.removeVertex(u)
		default:
			b.edge(u)
		}
	}
	if g.PagesFree() >= 0 {
		return b.Tally, nil
	}
	for _, u := range slices.Backward(b.done) {
		switch u.Kind {
		case InsertEdge:
			g.delete(u.U, g.find(u.U, u.V))
		case DeleteEdge:
			g.insert(u.U, u.V)
		case AddVertex, RemoveVertex:
			g.alive[u.U] = u.Kind == RemoveVertex
		}
	}
	return Tally{}, ErrFull
}

// edge applies an insertion, deletion or query of an edge.
func (b *batch) edge(u Update) {
	known := b.vertex(u.U) && b.vertex(u.V)
	var place *uint32
	if known {
		place = b.find(u.U, u.V)
	}
	switch {
	case u.Kind == Query && place != nil:
		b.Found++
	case u.Kind == Query:
		b.Missing++
	case u.Kind == InsertEdge && !known:
		b.Unknown++
	case (u.Kind == InsertEdge) == (place != nil):
		b.Unchanged++
	case u.Kind == InsertEdge:
		b.insert(u.U, u.V)
		b.Inserted++
		b.done = append(b.done, u)
	default:
		b.delete(u.U, place)
		b.Deleted++
		b.done = append(b.done, u)
	}
}

func (b *batch) addVertex(u Update) {
	switch {
	case int(u.U) >= len(b.alive):
		b.Unknown++
	case b.alive[u.U]:
		b.Unchanged++
	default:
		b.alive[u.U] = true
		b.Added++
		b.done = append(b.done, u)
	}
}

// removeVertex removes a vertex and its edges. It searches all rows for edges that lead to it.
func (b *batch) removeVertex(u Update) {
	if !b.vertex(u.U) {
		b.Unchanged++
		return
	}
	deleted := b.Deleted
	for b.degree[u.U] > 0 {
		b.edge(Update{DeleteEdge, u.U, b.page(b.first[u.U])[b.used(u.U)]})
	}
	for from := range uint32(len(b.first)) {
		if b.find(from, u.U) != nil {
			b.edge(Update{DeleteEdge, from, u.U})
		}
	}
	b.Deleted = deleted // only deletions of the batch itself count
	b.alive[u.U] = false
	b.Removed++
	b.done = append(b.done, u)
}
