// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Every rule of docs/COMPLIANCE.md for an implemented kernel names a test, and every named test exists.
func TestComplianceNamesTests(t *testing.T) {
	files := expect.Value(ours())(t)
	text := files.text("docs/COMPLIANCE.md")
	var tests strings.Builder
	for _, f := range files.of(inGo) {
		if f.isTest() {
			tests.WriteString(f.text)
		}
	}
	name := regexp.MustCompile("`(Test\\w+)(?:/([\\w-]+))?`")
	for _, m := range name.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(tests.String(), "\nfunc "+m[1]+"(t *testing.T)") {
			t.Errorf("test %s does not exist", m[1])
		}
		if m[2] != "" && files.text("cmd/g500/testdata/script/"+m[2]+".txtar") == "" {
			t.Errorf("script %s does not exist", m[2])
		}
	}
	rows := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) < 4 || cells[2] == "" || !regexp.MustCompile(`^\| \d+$`).MatchString(cells[0]) {
			continue
		}
		if rows++; !name.MatchString(cells[3]) {
			t.Errorf("%s names no test", line)
		}
	}
	expect.Equal(t, rows, 27, "rules with a test")
}
