// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"g500/record"
)

// TraceLine describes one step of a search: its direction, time, frontier and edges, and its variant if it has one.
func TraceLine(s record.Level) string {
	line := fmt.Sprintf("  %-11s %8s, frontier %d, edges %d", s.Step, record.FormatSeconds(s.Seconds), s.Frontier, s.Edges)
	if s.Variant == "" {
		return line
	}
	return line + ", " + s.Variant
}

// rankLines describes the cost of a step on each rank; nil for one rank.
func rankLines(s record.Level) (lines []string) {
	if s.Ranks == nil {
		return nil
	}
	for r := range s.Ranks.Computing {
		line := fmt.Sprintf("    rank %-3d computing %s, exchanging %s, waiting %s", r,
			record.FormatSeconds(s.Ranks.Computing[r]), record.FormatSeconds(s.Ranks.Exchanging[r]),
			record.FormatSeconds(s.Ranks.Waiting[r]))
		for _, t := range s.Ranks.Traffic {
			line += fmt.Sprintf("; %s/%s: %s sent, %s received", t.Payload, t.Transport,
				record.FormatBytes(float64(t.Sent[r])), record.FormatBytes(float64(t.Received[r])))
		}
		lines = append(lines, line)
	}
	return lines
}
