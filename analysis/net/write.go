// SPDX-License-Identifier: Apache-2.0

package net

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"g500/internal/output"
	"g500/record"
)

// WriteText writes text tables.
func (f *Figures) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ranks, %s\n", len(f.Nodes), f.Transport)
	if len(f.Links) == 0 {
		b.WriteString("no two ranks are peers: pairs are measured without --engine gpu\n")
	}
	for _, k := range f.Kinds() {
		f.writeKind(&b, k)
	}
	f.writeLevels(&b)
	b.WriteString("\n")
	for _, fault := range f.Faults {
		fmt.Fprintf(&b, "slow: %s\n", fault.Text)
	}
	if len(f.Faults) == 0 && len(f.Links) > 0 {
		fmt.Fprintf(&b, "no pair is slow: all are less than %g times worse than the median of their kind\n", f.Limits.Slow)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeKind writes a table with a row per size.
func (f *Figures) writeKind(b *strings.Builder, k Kind) {
	t := output.Table{Title: fmt.Sprintf("\nPairs without a common rank at the same time, %s, n = %d", k, len(k.Sizes[0])),
		Head: []string{"bytes", "latency, median", "highest", "ranks", "bandwidth, median", "lowest", "ranks"}}
	for _, links := range k.Sizes {
		late, narrow := worst(links)
		t.Row(late.Bytes, record.FormatSeconds(median(links, latency)), record.FormatSeconds(late.Latency),
			ranks(late), rate(median(links, bandwidth)), rate(narrow.Bandwidth), ranks(narrow))
	}
	b.WriteString(t.Text())
}

func ranks(l Link) string { return fmt.Sprintf("%d-%d", l.From, l.To) }

func rate(bytesPerSecond float64) string { return record.FormatBytes(bytesPerSecond) + "/s" }

// Format counts incompatible changes of the JSON.
const Format = 2

// WriteJSON writes all figures in base units: seconds, bytes.
func (f *Figures) WriteJSON(w io.Writer) error { return output.Document(w, Format, f) }

// WritePrometheus writes the worst and the median pair of each kind, and the number of faults.
func (f *Figures) WritePrometheus(w io.Writer) error {
	var m output.Metrics
	for _, k := range f.Kinds() {
		small, large := k.Sizes[0], k.Sizes[len(k.Sizes)-1]
		late, _ := worst(small)
		_, narrow := worst(large)
		add := func(pair string, late, narrow float64) {
			labels := []output.Label{{Name: "links", Value: k.String()}, {Name: "pair", Value: pair}}
			m.Gauge("g500_net_latency_seconds", "Half a round trip of the smallest messages.", late, labels...)
			m.Gauge("g500_net_bandwidth_bytes_per_second", "Rate of the largest messages in flight.", narrow, labels...)
		}
		add("median", median(small, latency), median(large, bandwidth))
		add("worst", late.Latency, narrow.Bandwidth)
	}
	for _, l := range f.Levels {
		m.Gauge("g500_net_level_seconds", "A level of a search without vertices.", l.Seconds,
			output.Label{Name: "transport", Value: l.Transport}, output.Label{Name: "exchange", Value: l.Exchange},
			output.Label{Name: "bytes", Value: strconv.Itoa(l.Bytes)})
	}
	m.Gauge("g500_net_ranks", "Ranks that were measured.", float64(len(f.Nodes)))
	m.Gauge("g500_net_faults", "Links that exceed a limit.", float64(len(f.Faults)))
	return m.Write(w)
}

// WriteCSV writes a row per pair and size, and one per level, without ranks, in base units.
func (f *Figures) WriteCSV(w io.Writer) error {
	rows := [][]string{{"test", "from", "to", "from_node", "to_node", "bytes", "seconds", "bytes_per_second",
		"bus_bytes_per_second", "transport"}}
	for _, l := range f.Links {
		rows = append(rows, output.Cells("pair", l.From, l.To, f.Nodes[l.From], f.Nodes[l.To], l.Bytes, l.Latency,
			l.Bandwidth, "", ""))
	}
	for _, l := range f.Levels {
		rows = append(rows, output.Cells("level "+l.Exchange, "", "", "", "", l.Bytes, l.Seconds, "", l.Bus, l.Transport))
	}
	return output.CSV(w, rows)
}
