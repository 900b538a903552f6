package bfs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

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
