package output

import (
	"math"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	var m Metrics
	m.Gauge("a_seconds", `a time \ of`+"\nsomething", 0.1, Label{"node", `n"1\` + "\n"})
	m.Flag("b", "a state", true)
	m.Gauge("a_seconds", "", math.Inf(1), Label{"node", "n2"})
	var text strings.Builder
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	want := "# HELP a_seconds a time \\\\ of\\nsomething\n# TYPE a_seconds gauge\n" +
		`a_seconds{node="n\"1\\\n"} 0.1` + "\n" + `a_seconds{node="n2"} +Inf` + "\n# HELP b a state\n# TYPE b gauge\nb 1\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}
