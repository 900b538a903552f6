// SPDX-License-Identifier: Apache-2.0

package tomlfile

import (
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
)

type settings struct {
	Graph struct {
		Scale int     `toml:"scale"`
		Name  string  `toml:"name"`
		Share float64 `toml:"share"`
		Trees bool    `toml:"trees"`
	} `toml:"graph"`
	Ranks []int    `toml:"ranks"`
	Flags []string `toml:"flags"`
	Steps []struct {
		Name string `toml:"name"`
	} `toml:"step"`
}

func TestErrorsNameTheSettingAndNoGoType(t *testing.T) {
	goType := regexp.MustCompile(`u?int\d|float\d|\bmap\b|\[\]|slice|tomlfile\.|interface|destination`)
	for _, c := range []struct{ text, want string }{
		{"[graph]\nscale = \"x\"\n", "f.toml:2: graph.scale must be a whole number, as in scale = 7"},
		{"[graph]\nscale = 1.5\n", "f.toml:2: graph.scale must be a whole number, as in scale = 7"},
		{"[graph]\nname = 3\n", "f.toml:2: graph.name must be text in quotes"},
		{"[graph]\nshare = \"a\"\n", "f.toml:2: graph.share must be a number"},
		{"[graph]\ntrees = 1\n", "f.toml:2: graph.trees must be true or false"},
		{"ranks = 3\n", "f.toml:1: ranks must be a list in brackets, each a whole number"},
		{"ranks = [1, \"a\"]\n", "f.toml:1: ranks must be a list in brackets, each a whole number"},
		{"flags = [1]\n", "f.toml:1: flags must be a list in brackets, each text in quotes"},
		{"graph = 3\n", "f.toml:1: graph must be a table: a line [graph] with its settings below"},
		{"[[graph]]\nscale = 3\n", "f.toml:1: graph must be a table"},
		{"[step]\nname = \"a\"\n", "f.toml:1: step must be a list of tables: a line [[step]] before each one's settings"},
		{"[graph]\nscale = 99999999999999999999\n", "f.toml:2: 99999999999999999999 is out of range: whole numbers"},
		{"[graph]\nshare = 1e999\n", "f.toml:2: 1e999 is out of range"},
		{"[graph]\n\nscael = 3\n", `f.toml:3: there is no setting "graph.scael": did you mean graph.scale?`},
		{"[graph]\ncolour = 3\n", `f.toml:2: there is no setting "graph.colour"; look it up`},
		{"scale = 3\n", `f.toml:1: there is no setting "scale": write graph.scale, or [graph] above it`},
		{"[graph]\nscale = \n", "f.toml:2: "},
	} {
		s := settings{}
		s.Graph.Scale = 7
		err := Decode("f.toml", c.text, &s, "look it up")
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), c.want) && !goType.MatchString(err.Error()),
			"%q: %v, want %s", c.text, err, c.want)
	}
}
