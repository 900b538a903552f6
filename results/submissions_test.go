// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/analysis/submission"
	"g500/record"
)

func opened(t *testing.T, dir string) submission.Run {
	t.Helper()
	run, err := submission.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// The runs that are kept could be submitted, but for those of programs whose parents on GPUs were too short, and for
// nothing else. Beside a run on a pruned structure lies the same one on a whole structure.
func TestKeptResultsMeetTheRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(all(t), "*/*/*", record.File))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results found: %v", err)
	}
	for _, file := range files {
		r := opened(t, filepath.Dir(file))
		if r.Pruned() != "" {
			whole := opened(t, strings.Replace(r.Dir, "prune-hub", "prune-none", 1))
			r.Unpruned = &whole
		}
		var got, want []string
		for _, rule := range r.Check() {
			if rule.Fault != "" {
				got = append(got, rule.Name)
			}
		}
		if r.ResultBits < 48 {
			want = []string{"48-bit parents at least"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s breaks %q, want %q", file, got, want)
		}
	}
}
