// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/analysis/submission"
	"g500/internal/expect"
	"g500/record"
)

// The runs that are kept could be submitted, but for those of programs whose parents on GPUs were too short, and for
// nothing else. Beside a run on a pruned structure lies the same one on a whole structure.
func TestKeptResultsMeetTheRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(all(t), "*/*/*", record.File))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results found: %v", err)
	}
	for _, file := range files {
		r := expect.Value(submission.Open(filepath.Dir(file)))(t)
		if r.Pruned() != "" {
			whole := expect.Value(submission.Open(strings.Replace(r.Dir, "prune-hub", "prune-none", 1)))(t)
			r.Unpruned = &whole
		}
		var got, want []string
		for _, rule := range submission.Broken(r.Check()) {
			got = append(got, rule.Name)
		}
		if r.ResultBits < 48 {
			want = []string{"48-bit parents at least"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s breaks %q, want %q", file, got, want)
		}
	}
}
