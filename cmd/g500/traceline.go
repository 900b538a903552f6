package main

import (
	"fmt"

	"g500/report"
)

// traceLine tells of one step of a search: its direction, its variant where the engine tells, and its figures.
func traceLine(s report.Level) string {
	line := fmt.Sprintf("  %-11s %8s, frontier %d, edges %d", s.Step, report.FormatSeconds(s.Seconds), s.Frontier, s.Edges)
	if s.Variant == "" {
		return line
	}
	return line + ", " + s.Variant
}

// rankLines tell what the step cost each rank, where there are several.
func rankLines(s report.Level) (lines []string) {
	if s.Ranks == nil {
		return nil
	}
	for r := range s.Ranks.Computing {
		line := fmt.Sprintf("    rank %-3d computing %s, exchanging %s, waiting %s", r,
			report.FormatSeconds(s.Ranks.Computing[r]), report.FormatSeconds(s.Ranks.Exchanging[r]),
			report.FormatSeconds(s.Ranks.Waiting[r]))
		for _, t := range s.Ranks.Traffic {
			line += fmt.Sprintf("; %s/%s: %s sent, %s received", t.Form, t.Carrier,
				report.FormatBytes(float64(t.Sent[r])), report.FormatBytes(float64(t.Received[r])))
		}
		lines = append(lines, line)
	}
	return lines
}
