// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestConfigFilesAreRefusedWithTheLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "[graph]\nscale = 10\n\nedge_factor = 16\n", `:4: there is no setting "graph.edge_factor"`},
		{"unknown table", "[graph]\n[grahp]\nscale = 10\n", `:2: there is no setting "grahp`},
		{"no time", "[search]\nmin_time = \"soon\"\n", `:2: "soon" is no duration`},
		{"power without validation", "[search]\npower = true\nvalidate = false\n",
			":2: search.power = true: it must be false if trees are not validated"},
		{"unknown number of a policy", "[policy]\nalpha = 2\ngamma = 3\n",
			`:3: there is no setting "policy.gamma"; g500 run --print-config shows them all`},
		{"policy that divides by 0", "[policy]\nalpha = 2\nsegment_share = 0\n",
			":3: policy.segment_share = 0: it must be from 1 to 1048576"},
		{"time in a list", "[search]\nmin_time = [1]\n",
			":2: search.min_time must be text in quotes, as in min_time = \"0s\""},
		{"seeds in one text", "[graph]\nseeds = [\"2,3\"]\n", ":2: graph.seeds must be two whole numbers"},
		{"one seed", "[graph]\nseeds = [2]\n", ":2: graph.seeds must be two whole numbers"},
		{"seed of text", "[graph]\nseeds = [2, \"x\"]\n", ":2: graph.seeds must be two whole numbers"},
	} {
		expect.Error(t, expect.Err(Parse("run.toml", c.text)), "run.toml"+c.want, c.name)
	}
}

// Parse reads the output of Write, seeds above 2^63-1 included.
func TestWrittenConfigIsReadAgain(t *testing.T) {
	want := Default()
	want.Graph.Seeds = Seeds{1<<64 - 1, 1 << 63}
	var text strings.Builder
	expect.NoError(t, want.Write(&text))
	got, err := Parse("run.toml", text.String())
	expect.That(t, err == nil && got == want, "%+v (%v), want %+v", got.Graph, err, want.Graph)
}
