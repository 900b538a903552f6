package pages

// batch is a batch while it is applied: what it did, and what undoes it.
type batch struct {
	g     *Graph
	done  []Update // that changed the graph, in order
	tally Tally
}

// Apply applies a batch, one update after the other. If the graph needs more pages then than there are, it returns
// ErrFull, and the graph has the edges and vertices that it had before.
func (g *Graph) Apply(updates []Update) (Tally, error) {
	b := batch{g: g}
	for _, u := range updates {
		b.apply(u)
	}
	if g.PagesFree() < 0 {
		b.undo()
		return Tally{}, ErrFull
	}
	return b.tally, nil
}

func (b *batch) apply(u Update) {
	t := &b.tally
	switch u.Kind {
	case Query:
		count(b.g.Has(u.U, u.V), &t.Found, &t.Missing)
	case InsertEdge:
		b.insert(u)
	case DeleteEdge:
		count(b.delete(u.U, u.V), &t.Deleted, &t.Unchanged)
	case AddVertex:
		b.add(u)
	case RemoveVertex:
		b.remove(u)
	}
}

func count(yes bool, positive, negative *int) {
	if yes {
		*positive++
	} else {
		*negative++
	}
}

func (b *batch) insert(u Update) {
	switch {
	case !b.g.vertex(u.U) || !b.g.vertex(u.V):
		b.tally.Unknown++
	case b.g.find(u.U, u.V) != nil:
		b.tally.Unchanged++
	default:
		b.g.insert(u.U, u.V)
		b.tally.Inserted++
		b.done = append(b.done, u)
	}
}

// delete reports whether the edge was there.
func (b *batch) delete(u, v uint32) bool {
	if !b.g.vertex(u) || !b.g.vertex(v) {
		return false
	}
	slot := b.g.find(u, v)
	if slot != nil {
		b.g.delete(u, slot)
		b.done = append(b.done, Update{DeleteEdge, u, v})
	}
	return slot != nil
}

func (b *batch) add(u Update) {
	switch {
	case int(u.U) >= len(b.g.alive):
		b.tally.Unknown++
	case b.g.alive[u.U]:
		b.tally.Unchanged++
	default:
		b.g.alive[u.U] = true
		b.tally.Added++
		b.done = append(b.done, u)
	}
}

// remove takes a vertex away with its edges. Those that lead to it are looked for in all rows.
func (b *batch) remove(u Update) {
	if !b.g.vertex(u.U) {
		b.tally.Unchanged++
		return
	}
	for b.g.degree[u.U] > 0 {
		b.delete(u.U, b.g.page(b.g.first[u.U])[b.g.used(u.U)])
	}
	for from := range b.g.first {
		b.delete(uint32(from), u.U)
	}
	b.g.alive[u.U] = false
	b.tally.Removed++
	b.done = append(b.done, u)
}

// undo takes back what was done, the last first.
func (b *batch) undo() {
	for i := len(b.done) - 1; i >= 0; i-- {
		switch u := b.done[i]; u.Kind {
		case InsertEdge:
			b.g.delete(u.U, b.g.find(u.U, u.V))
		case DeleteEdge:
			b.g.insert(u.U, u.V)
		case AddVertex:
			b.g.alive[u.U] = false
		case RemoveVertex:
			b.g.alive[u.U] = true
		}
	}
}
