package bench

import "testing"

func TestCoresOfARank(t *testing.T) {
	for _, c := range []struct {
		meaning        string
		cores, sharing int
		quota          float64
		limited, want  int
	}{
		{"alone", 64, 1, 0, 1, 64},
		{"four ranks that are not bound", 64, 4, 0, 4, 16},
		{"one of four ranks that are bound to 16 cores each", 16, 1, 0, 4, 16},
		{"more ranks than cores", 2, 7, 0, 7, 1},
		{"a quota", 64, 1, 3.5, 1, 4},
		{"a quota for four ranks", 64, 4, 6, 4, 2},
		{"a quota above the share", 64, 16, 48, 2, 4},
		{"a quota of less than a core for each rank", 64, 8, 2, 8, 1},
	} {
		if got := coresOfRank(c.cores, c.sharing, c.quota, c.limited); got != c.want {
			t.Errorf("%s: %d, want %d", c.meaning, got, c.want)
		}
	}
}
