// SPDX-License-Identifier: Apache-2.0

package output

import (
	"fmt"
	"io"
	"strings"

	"g500/internal/lists"
)

// Metrics are gauges in Prometheus' text format, version 0.0.4, as node_exporter's textfile collector reads them. Names
// end with the base unit.
type Metrics struct{ families []family }

// family is the gauges of one name.
type family struct{ name, help, samples string }

// Label is a name with a value that distinguishes gauges of one name.
type Label struct{ Name, Value string }

// Gauge adds a value. Gauges of one name have the same help and different labels.
func (m *Metrics) Gauge(name, help string, value float64, labels ...Label) {
	of := lists.At(&m.families, func(f family) bool { return f.name == name }, family{name: name, help: help})
	pairs := lists.Of(labels, func(l Label) string { return l.Name + `="` + escapedLabel.Replace(l.Value) + `"` })
	label := ""
	if len(pairs) > 0 {
		label = "{" + strings.Join(pairs, ",") + "}"
	}
	of.samples += name + label + " " + number(value) + "\n"
}

// escapedLabel and escapedHelp escape the characters that end a label's value and a line.
var (
	escapedLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	escapedHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
)

// Flag adds a gauge that is 1 for true and 0 for false.
func (m *Metrics) Flag(name, help string, value bool, labels ...Label) {
	m.Gauge(name, help, map[bool]float64{true: 1}[value], labels...)
}

// Write writes all gauges, the gauges of one name together.
func (m *Metrics) Write(w io.Writer) error {
	var text strings.Builder
	for _, f := range m.families {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %[1]s gauge\n%[3]s", f.name, escapedHelp.Replace(f.help), f.samples)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
