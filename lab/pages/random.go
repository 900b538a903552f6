// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random has the parameters of random batches: insertions between random vertices, and deletions of existing edges of
// random vertices.
type Random struct {
	Batches   int
	Size      int     // updates per batch
	Deletions float64 // share of a batch, from 0 to 1
	Seed      uint64
}

// ParseRandom reads parameters such as "batches=4,size=1000,deletions=0.5,seed=1", which are also the defaults.
func ParseRandom(text string) (r Random, err error) {
	r = Random{Batches: 4, Size: 1000, Deletions: 0.5, Seed: 1}
	parameters := map[string]any{"batches": &r.Batches, "size": &r.Size, "deletions": &r.Deletions, "seed": &r.Seed}
	for _, setting := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' }) {
		key, value, _ := strings.Cut(setting, "=")
		into, known := parameters[key]
		if !known {
			return r, fmt.Errorf("random updates have no %q: choose batches, size, deletions or seed", key)
		}
		if _, err := fmt.Sscanln(value, into); err != nil {
			return r, fmt.Errorf("%s = %q of random updates: write a number", key, value)
		}
	}
	const most = 1 << 24
	if min(r.Batches, r.Size) < 1 || max(r.Batches, r.Size) > most || !(r.Deletions >= 0 && r.Deletions <= 1) {
		return r, fmt.Errorf("random updates %q: choose 1 to %d batches of 1 to %[2]d updates, deletions from 0 to 1", text,
			most)
	}
	return r, nil
}

// Draw draws a batch by its number, nil after the last one. A deletion at a vertex without neighbours becomes an
// insertion. The batch of a graph without vertices is empty.
func (r Random) Draw(g *Graph, number int) []Update {
	if number == r.Batches {
		return nil
	}
	if len(g.first) == 0 {
		return []Update{}
	}
	source := rand.New(rand.NewPCG(r.Seed, uint64(number)))
	updates := make([]Update, r.Size)
	for i := range updates {
		u, v := source.Uint32N(uint32(len(g.first))), source.Uint32N(uint32(len(g.first)))
		updates[i] = Update{InsertEdge, u, v}
		if source.Float64() < r.Deletions && g.degree[u] > 0 {
			page := g.page(g.first[u])
			updates[i] = Update{DeleteEdge, u, page[1+int(v)%g.used(u)]}
		}
	}
	return updates
}
