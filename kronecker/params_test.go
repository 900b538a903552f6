// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      Params
		refuse string // text of the error, "" for none
	}{
		{"smallest", Params{Scale: 1, EdgeFactor: 1}, ""},
		{"official", Params{26, 16, 2, 3}, ""},
		{"largest scale", Params{47, 16, 2, 3}, ""},
		{"any seeds", Params{10, 16, math.MaxUint64, 0}, ""},
		{"most edges", Params{Scale: 40, EdgeFactor: 1<<23 - 1}, ""},
		{"no scale", Params{EdgeFactor: 16}, "choose 1 to 47"},
		{"labels do not fit", Params{Scale: 48, EdgeFactor: 16}, "choose 1 to 47"},
		{"no edges", Params{Scale: 10}, "choose 1 to 9007199254740991"},
		{"negative edges", Params{Scale: 10, EdgeFactor: -1}, "edge factor -1"},
		{"number of edges does not fit", Params{Scale: 40, EdgeFactor: 1 << 23}, "choose 1 to 8388607"},
	} {
		err := c.p.Validate()
		if c.refuse == "" && err != nil {
			t.Errorf("%s: refused: %v", c.name, err)
		}
		if c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.refuse)
		}
		if err == nil && c.p.Edges()>>c.p.Scale != c.p.EdgeFactor {
			t.Errorf("%s: accepted, but %d edges overflow", c.name, c.p.Edges())
		}
	}
}
