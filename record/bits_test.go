package record

import (
	"bytes"
	"strings"
	"testing"
)

// The summary has the bits of a parent, and the requirement for a submission if these are too few.
func TestBitsOfAParentInTheSummary(t *testing.T) {
	const note = "a submission needs 48 at least"
	for _, c := range []struct {
		bits  int
		want  string
		noted bool
	}{
		{64, "parents of 64 bits", false},
		{32, "parents of 32 bits", true},
		{0, "", false},
	} {
		run := edited(func(r *Run) { r.ResultBits = c.bits })
		var text bytes.Buffer
		if err := run.WriteSummary(&text); err != nil {
			t.Fatal(err)
		}
		says := strings.Contains(text.String(), "parents of ")
		if !strings.Contains(text.String(), c.want) || says != (c.want != "") ||
			strings.Contains(text.String(), note) != c.noted {
			t.Errorf("%d bits: want %q, a note: %v:\n%s", c.bits, c.want, c.noted, &text)
		}
	}
}
