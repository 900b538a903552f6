package record

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestJSONRoundTrip: what was written is read back whole, large seeds included, and writing it again changes no
// byte.
func TestJSONRoundTrip(t *testing.T) {
	for _, run := range []*Run{small(), broken(), cutOff(), unvalidated()} {
		text := written(t, (*Run).WriteJSON, run)
		got, err := ReadJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if again := written(t, (*Run).WriteJSON, got); again != text {
			t.Errorf("written again:\n%s\nwant\n%s", again, text)
		}
		run.Settle()
		if !reflect.DeepEqual(got, run) {
			t.Errorf("got %+v, want %+v", got, run)
		}
	}
}

func TestReadJSONRefuses(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, small())
	for _, c := range []struct{ meaning, text, want string }{
		{"cut off", whole[:len(whole)/2], "record: the JSON of a run is damaged or cut off"},
		{"a later format", strings.Replace(whole, `"format": 3`, `"format": 4`, 1),
			"JSON format 4, this g500 reads formats 1 to 3"},
		{"another program's file", `{"searches": []}`, "JSON format <nil>"},
	} {
		if _, err := ReadJSON(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.meaning, err, c.want)
		}
	}
}

// A trace of an older g500 has fields that this one does not write.
func TestReadJSONOfOlderTraces(t *testing.T) {
	run := small()
	run.Kernels[0].Searches[0].Trace = []Level{{Step: "top-down", Frontier: 1, Edges: 7, Seconds: 1e-6}}
	text := strings.Replace(written(t, (*Run).WriteJSON, run), `"edges": 7,`, `"edges": 7, "bytes": 1048576,`, 1)
	got, err := ReadJSON(strings.NewReader(text))
	if err != nil || !reflect.DeepEqual(got.Kernels[0].Searches[0].Trace, run.Kernels[0].Searches[0].Trace) ||
		!strings.Contains(text, "1048576") {
		t.Errorf("%v: got %+v", err, got)
	}
}

// TestJSONStatistics: rates are null, not absent and not 0, unless the run is valid.
func TestJSONStatistics(t *testing.T) {
	for want, run := range map[bool]*Run{true: small(), false: cutOff()} {
		var d struct {
			Kernels []struct{ Statistics map[string]map[string]float64 }
		}
		if err := json.Unmarshal([]byte(written(t, (*Run).WriteJSON, run)), &d); err != nil {
			t.Fatal(err)
		}
		statistics := d.Kernels[0].Statistics
		teps, there := statistics["teps"]
		if !there || (teps != nil) != want {
			t.Errorf("%s: teps is %v", run.Verdict(), teps)
		}
		if statistics["seconds"]["median"] <= 0 {
			t.Errorf("%s: no median time", run.Verdict())
		}
	}
}
