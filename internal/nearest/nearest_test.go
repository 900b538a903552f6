// SPDX-License-Identifier: Apache-2.0

package nearest

import (
	"testing"

	"g500/internal/expect"
)

func TestName(t *testing.T) {
	names := []string{"run", "report", "scale", "graph.scale", "laptop", "--scale", "search.keys"}
	for word, want := range map[string]string{
		"rum": "run", "rnu": "run", "Run": "run", "reprot": "report", "scal": "scale", "--scal": "--scale",
		"graph.scael": "graph.scale", "lptop": "laptop", "": "", "x": "", "enormous": "", "serach.key": "search.keys",
		"search.kind": "", "search.keyz": "search.keys",
	} {
		expect.Equal(t, Name(word, names), want, word)
	}
	expect.Equal(t, DidYouMean("rum", names), ": did you mean run?")
	expect.Equal(t, DidYouMean("zebra", names), "")
}
