// SPDX-License-Identifier: Apache-2.0

package repolint

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/internal/expect"
)

// Every rule of docs/COMPLIANCE.md names a test, and every named test exists. Rules are numbered from 1.
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
	rules := regexp.MustCompile(`(?m)^\| (\d+) \|.*`).FindAllStringSubmatch(text, -1)
	for i, rule := range rules {
		expect.Equal(t, rule[1], strconv.Itoa(i+1), "number of the rule")
		if cells := strings.Split(rule[0], " | "); len(cells) < 4 || !name.MatchString(cells[3]) {
			t.Errorf("%s names no test", rule[0])
		}
	}
	if rules == nil {
		t.Error("there is no rule")
	}
}
