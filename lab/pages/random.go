package pages

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Random says how batches are drawn: insertions between vertices drawn at random, and deletions of edges that are
// there when the batch is drawn, at vertices drawn at random.
type Random struct {
	Batches   int
	Size      int     // updates a batch
	Deletions float64 // share of a batch, from 0 to 1
	Seed      uint64
}

// ParseRandom reads parameters such as "batches=4,size=1000,deletions=0.5,seed=1". Those are also the defaults.
func ParseRandom(text string) (r Random, err error) {
	r = Random{Batches: 4, Size: 1000, Deletions: 0.5, Seed: 1}
	for _, setting := range strings.Split(text, ",") {
		if setting == "" {
			continue
		}
		key, value, _ := strings.Cut(setting, "=")
		var err error
		switch key {
		case "batches":
			r.Batches, err = strconv.Atoi(value)
		case "size":
			r.Size, err = strconv.Atoi(value)
		case "deletions":
			r.Deletions, err = strconv.ParseFloat(value, 64)
		case "seed":
			r.Seed, err = strconv.ParseUint(value, 10, 64)
		default:
			return r, fmt.Errorf("random updates have no %q: choose batches, size, deletions or seed", key)
		}
		if err != nil {
			return r, fmt.Errorf("%s = %q of random updates: write a number", key, value)
		}
	}
	if r.Batches < 1 || r.Size < 1 || !(r.Deletions >= 0 && r.Deletions <= 1) {
		return r, fmt.Errorf("random updates %q: choose 1 batch or more of 1 update or more, deletions from 0 to 1", text)
	}
	return r, nil
}

// Draw draws a batch by its number. A deletion at a vertex without neighbours becomes an insertion. Without vertices
// the batch is empty.
func (r Random) Draw(g *Graph, number int) []Update {
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
