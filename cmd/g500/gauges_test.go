// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	gaugeHelp   = regexp.MustCompile(`^# HELP (g500_[a-z0-9_]+) (\S.*\.)$`)
	gaugeLabel  = `[a-z]+="(?:[^"\\]|\\[\\n"])*"`
	gaugeSample = regexp.MustCompile(`^(g500_[a-z0-9_]+)(\{` + gaugeLabel + `(?:,` + gaugeLabel + `)*\})? (\S+)$`)
)

// gauges is a command of scripts: gauges FILE. It parses a file strictly by the text format 0.0.4: each name has one
// HELP line, one TYPE line and then all its samples, no series occurs twice, and the last line ends.
func gauges(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n") {
		ts.Fatalf("an empty or unfinished line")
	}
	seen, known, name := map[string]bool{}, map[string]bool{}, ""
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if help := gaugeHelp.FindStringSubmatch(lines[i]); help != nil {
			name = help[1]
			if i++; known[name] || i == len(lines) || lines[i] != "# TYPE "+name+" gauge" {
				ts.Fatalf("no single type of %s", name)
			}
			known[name] = true
			continue
		}
		sample := gaugeSample.FindStringSubmatch(lines[i])
		if sample == nil || sample[1] != name || seen[sample[1]+sample[2]] {
			ts.Fatalf("%q is no sample of %q, or the second", lines[i], name)
		}
		seen[sample[1]+sample[2]] = true
		_, err := strconv.ParseFloat(sample[3], 64)
		ts.Check(err)
	}
}
