// SPDX-License-Identifier: Apache-2.0

package output

import (
	"math"
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestMetrics(t *testing.T) {
	var m Metrics
	m.Gauge("a_seconds", `a time \ of`+"\nsomething", 0.1, Label{"node", `n"1\` + "\n"})
	m.Flag("b", "a state", true)
	m.Gauge("a_seconds", "", math.Inf(1), Label{"node", "n2"})
	var text strings.Builder
	expect.NoError(t, m.Write(&text))
	want := "# HELP a_seconds a time \\\\ of\\nsomething\n# TYPE a_seconds gauge\n" +
		`a_seconds{node="n\"1\\\n"} 0.1` + "\n" + `a_seconds{node="n2"} +Inf` + "\n# HELP b a state\n# TYPE b gauge\nb 1\n"
	expect.Equal(t, text.String(), want)
}
