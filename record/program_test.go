package record

import "testing"

// The text of every program reads back as it was: run.json keeps it.
func TestPrograms(t *testing.T) {
	for text, want := range map[string]struct {
		Program
		label        string
		reproducible bool
	}{
		"g500 0.3.0 (commit 1234567)":       {Program{"g500 0.3.0", "1234567", false}, "1234567", true},
		"g500 0.3.0 (commit 1234567-dirty)": {Program{"g500 0.3.0", "1234567", true}, "1234567-dirty", false},
		"g500 0.3.0 (commit unknown)":       {Program{"g500 0.3.0", UnknownCommit, false}, "g500 0.3.0", false},
		"g500 0.3.0 (commit )":              {Program{"g500 0.3.0 (commit )", "", false}, "g500 0.3.0 (commit )", true},
		"another (commit 1":                 {Program{"another (commit 1", "", false}, "another (commit 1", true},
		"":                                  {Program{}, "", true},
	} {
		var got Program
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want.Program || got.String() != text ||
			got.Label() != want.label || got.Reproducible() != want.reproducible {
			t.Errorf("%q is %+v, %q, %v; %v", text, got, got.Label(), got.Reproducible(), err)
		}
	}
}
