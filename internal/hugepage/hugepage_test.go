package hugepage

import "testing"

// Make returns writable zeros for any length.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1000, size / 8, size/8 + 1, size, 3 * size} {
		s := Make[uint64](n)
		if len(s) != n {
			t.Fatalf("%d words, want %d", len(s), n)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("word %d of %d is %d", i, n, s[i])
			}
			s[i] = uint64(i)
		}
		Populate(s)
		for i := range s {
			if s[i] != uint64(i) {
				t.Fatalf("word %d of %d is %d after it was written", i, n, s[i])
			}
		}
	}
}
