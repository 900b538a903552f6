package record

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// decode returns each run that WriteJSON wrote, and writing it again changes no byte.
func TestJSONRoundTrip(t *testing.T) {
	for _, run := range []*Run{small(), broken(), cutOff(), unvalidated()} {
		text := written(t, (*Run).WriteJSON, run)
		got, _, err := decode([]byte(text))
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

func TestParseRefuses(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, small())
	for _, c := range []struct{ meaning, text, want string }{
		{"cut off", whole[:len(whole)/2], "record: the JSON of a run is damaged or cut off"},
		{"a later format", strings.Replace(whole, `"format": 3`, `"format": 4`, 1),
			"JSON format 4, this g500 reads formats 1 to 3"},
		{"another program's file", `{"searches": []}`, "JSON format <nil>"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.meaning, err, c.want)
		}
	}
}

// Rates are null, not absent and not 0, unless the run is valid.
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
