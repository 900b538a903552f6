package record

import (
	"bytes"
	"strings"
	"testing"
)

// The summary says how wide a parent is, also for runs of programs that did not write it down, and what a submission
// needs where that is too little.
func TestSummaryTellsTheBitsOfAParent(t *testing.T) {
	const note = "a submission needs 48 at least"
	for _, c := range []struct {
		engine string
		stored int
		want   string
		noted  bool
	}{
		{"gpu", 64, "parents of 64 bits", false},
		{"gpu", 32, "parents of 32 bits", true},
		{"gpu", 0, "parents of 32 bits", true},
		{"hybrid", 0, "parents of 64 bits", false},
		{"", 0, "", false},
	} {
		run := edited(func(r *Run) { r.ResultBits, r.Environment.Engine = c.stored, c.engine })
		var text bytes.Buffer
		if err := run.WriteSummary(&text); err != nil {
			t.Fatal(err)
		}
		says := strings.Contains(text.String(), "parents of ")
		if !strings.Contains(text.String(), c.want) || says != (c.want != "") ||
			strings.Contains(text.String(), note) != c.noted {
			t.Errorf("engine %q, %d bits: want %q, a note: %v:\n%s", c.engine, c.stored, c.want, c.noted, &text)
		}
	}
}
