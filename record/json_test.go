package record

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// decode returns each run that WriteJSON wrote, and writing it again changes no byte.
func TestJSONRoundTrip(t *testing.T) {
	for _, run := range []*Run{small(), broken(), cutOff(), unvalidated()} {
		text := written(t, (*Run).WriteJSON, run)
		got, _, err := decode([]byte(text))
		expect.NoError(t, err)
		if again := written(t, (*Run).WriteJSON, got); again != text {
			t.Errorf("written again:\n%s\nwant\n%s", again, text)
		}
		run.Settle()
		expect.Equal(t, got, run)
	}
}

// A figure that is not finite is null in run.json and in the list of searches, and empty in tables.
func TestFiguresThatAreNotFinite(t *testing.T) {
	run := sound()
	first := run.Kernels[0].Searches
	first[1].Seconds, first[2].Seconds, run.Kernels[1].ConstructionSeconds = math.NaN(), math.Inf(1), math.Inf(1)
	text := written(t, (*Run).WriteJSON, run)
	read, err := Parse([]byte(text))
	if err != nil || read.Status != Invalid || !math.IsNaN(read.Kernels[0].Searches[2].Seconds) ||
		written(t, (*Run).WriteJSON, read) != text || !strings.Contains(text, `"construction_seconds": null`) {
		t.Errorf("error %v, %s, read from\n%s", err, read.Verdict(), text)
	}
	line, err := BFS.Line(first[1])
	if err != nil || !strings.Contains(string(line), `"seconds":null,`) {
		t.Errorf("%s, error %v", line, err)
	}
	if rows := written(t, writers["csv"], run); !strings.Contains(rows, "\n1,11,,2090000,") {
		t.Errorf("a time is not empty in\n%s", rows)
	}
}

func TestParseRefuses(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, small())
	for _, c := range []struct{ meaning, text, want string }{
		{"cut off", whole[:len(whole)/2], "is no JSON: the text is damaged or cut off: use the original file"},
		{"another run after it", whole + whole, "is no JSON: the text is damaged or cut off"},
		{"text after it", whole + " x", "is no JSON: the text is damaged or cut off"},
		{"a later format", strings.Replace(whole, `"format": 3`, `"format": 4`, 1),
			"JSON format 4, this g500 reads format 3"},
		{"an earlier format", strings.Replace(whole, `"format": 3`, `"format": 2`, 1), "read it with the g500 that wrote it"},
		{"another program's file", `{"searches": []}`, "a run has a member format, which is 3"},
		{"no format", `{"format": null}`, "a member format, which is 3"},
		{"a format in quotes", `{"format": "3"}`, "a member format, which is 3"},
		{"no object", `[3]`, "the value must be an object, not a list"},
		{"nothing", `null`, "the file is no run of g500"},
		{"a number for a text", strings.Replace(whole, `"status": "`, `"status": 3, "x": "`, 1),
			"record: run.json: status must be a text, not a number: use the original file, or leave this folder out"},
	} {
		expect.Error(t, expect.Err(Parse([]byte(c.text))), c.want, c.meaning)
	}
	dir := t.TempDir()
	expect.Write(t, filepath.Join(dir, SearchesFile), "{\"key\": 0} {\"key\": 1}\n")
	expect.Error(t, expect.Err(readSearches(dir)), "search 0: line 1 is no JSON")
}

// A policy has the keys of this program: the run of another one lacks some, and has others.
func TestPolicyOfAnotherProgram(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, sound())
	other := strings.Replace(whole, `"hub_vertices": 4000000,`, `"core_vertices": 4000000,`, 1)
	run, err := Parse([]byte(other))
	if err != nil || other == whole || run.Contradiction != "" || written(t, (*Run).WriteJSON, run) != whole {
		t.Errorf("%v, %+v", err, run)
	}
}

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
