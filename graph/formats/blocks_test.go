// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"strings"
	"testing"

	"g500/comm/commtest"
)

func TestPanicOfAParserIsTheCallers(t *testing.T) {
	p := parsing{task: task{ctx: t.Context(), workers: 2}, header: &header{}, format: format{
		line: func(*header, *block, *chunk) { panic(commtest.ErrPlanted) },
	}}
	p.header.text = &text{in: bufio.NewReader(strings.NewReader(strings.Repeat("0 1\n", blockBytes)))}
	commtest.EndsByPanic(t, "TestPanicOfAParser", func() { _ = p.run() })
}
