package bfs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"g500/graph/csr"
)

type pair struct{ vertex, parent csr.ID }

// drawnPairs returns runs of vertices with rising ids, as in rows, some of them in pieces.
func drawnPairs(r *rand.Rand, limit int) (pairs []pair) {
	for range r.IntN(20) {
		parent := csr.ID(r.Uint32N(uint32(csr.NoID)))
		for range 1 + r.IntN(2) {
			for vertex := r.IntN(limit); vertex < limit; vertex += 1 + r.IntN(1+r.IntN(limit)) {
				pairs = append(pairs, pair{csr.ID(vertex), parent})
			}
		}
	}
	return pairs
}

func read(message []byte, limit int) (pairs []pair, err error) {
	err = readBin(message, limit, func(vertex, parent csr.ID) { pairs = append(pairs, pair{vertex, parent}) })
	return pairs, err
}

// A bin has the pairs that were added, in fewer bytes than two words per pair if runs are long. A truncated bin has the
// first pairs.
func TestBins(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	b := newBins(1)[0]
	for range 200 {
		limit := 1 + r.IntN(1<<r.IntN(20))
		pairs := drawnPairs(r, limit)
		b.clear()
		for _, p := range pairs {
			b.add(p.vertex, p.parent)
		}
		if got, err := read(b.message, limit); err != nil || !slices.Equal(got, pairs) {
			t.Fatalf("%d pairs of vertices below %d were read as %d others (%v)", len(pairs), limit, len(got), err)
		}
		if len(pairs) > 1000 && len(b.message) > 4*len(pairs) {
			t.Errorf("%d bytes for %d pairs", len(b.message), len(pairs))
		}
		for n := range min(len(b.message), 100) {
			if got, _ := read(b.message[:n], limit); len(got) > 0 && !slices.Equal(got, pairs[:len(got)]) {
				t.Fatalf("the first %d bytes have other pairs", n)
			}
		}
	}
}

func TestDamagedBins(t *testing.T) {
	b := newBins(1)[0]
	b.add(9, 5)
	for meaning, message := range map[string][]byte{
		"a vertex out of range":        b.message,
		"a pair without a parent":      b.message[:1],
		"a run without a start":        {3},
		"a number that does not end":   {0x80},
		"a parent without an id":       {2, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"a vertex far above the limit": {2, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		if got, err := read(message, 9); err == nil {
			t.Errorf("%s is accepted: %v", meaning, got)
		}
	}
}

// A message has the complete bins of all workers with pairs.
func TestPartsOfMessages(t *testing.T) {
	message := appendPart(appendPart(appendPart(nil, []byte("one")), nil), []byte("more"))
	parts, err := partsOf([][]byte{nil, message, appendPart(nil, []byte("x"))})
	if err != nil || len(parts) != 3 || parts[0].rank != 1 || string(parts[0].message) != "one" ||
		string(parts[1].message) != "more" || parts[2].rank != 2 || string(parts[2].message) != "x" {
		t.Errorf("%q, %v", parts, err)
	}
	for n := range message {
		if parts, err := partsOf([][]byte{message[:n]}); err == nil && n != 0 && n != 4 {
			t.Errorf("the first %d bytes are accepted: %q", n, parts)
		}
	}
}

// A message updates the older bitmap to the newer one, and is at most one byte longer than the words. A truncated
// message is refused or sets no wrong bits.
func TestMessagesOfNewBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, density := range []float64{0, 0.001, 0.05, 0.5, 1} {
		sent, now := make(bitmap, 40), make(bitmap, 40)
		for i := range now {
			for b := range 64 {
				if r.Float64() < 0.1 {
					sent[i] |= 1 << b
				}
				if r.Float64() < density {
					now[i] |= 1 << b
				}
			}
			now[i] |= sent[i]
		}
		message := appendNew(nil, now, sent)
		if len(message) > 1+8*len(now) {
			t.Errorf("density %g: %d bytes for %d words", density, len(message), len(now))
		}
		got := slices.Clone(sent)
		if err := addNew(got, message); err != nil || !slices.Equal(got, now) {
			t.Errorf("density %g: other bits (%v)", density, err)
		}
		for n := range len(message) {
			got := slices.Clone(sent)
			err := addNew(got, message[:n])
			for i := range got {
				if err == nil && got[i]&^now[i] != 0 {
					t.Errorf("density %g: the first %d bytes set other bits", density, n)
				}
			}
		}
		if err := addNew(make(bitmap, 39), message); density > 0.4 && err == nil {
			t.Errorf("density %g: a message of more words is accepted", density)
		}
	}
}
