// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"slices"
	"strings"

	"g500/internal/output"
	"g500/lab"
)

// Differences returns how the measured strategies of a claim differ from their papers, each difference once; "" if none
// of a paper was measured. Plugins have no paper.
func (r *Result) Differences(c Claim) string {
	var all lab.Grouped[string]
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			s, unpublished := row.Strategy, []string{Ours, lab.NotPublished, row.Strategy.Name}
			if slices.Contains([]string{c.Of, c.Over}, s.Name) && !slices.Contains(unpublished, s.Paper) {
				all.Add(cmp.Or(s.Differs, "not recorded"), s.Name)
			}
		}
	}
	return strings.Join(all.Lines(func(text string, names []string) string {
		return output.List(names, "and") + ": " + text
	}), "; ")
}
