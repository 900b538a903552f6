package cli

import "testing"

// The folder of an archive of stored runs is named by its set.
func TestNameOf(t *testing.T) {
	for dir, want := range map[string]string{"/a/first": "first", "results/h200/today/runs": "today/runs", "/": "/"} {
		if got := nameOf(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
