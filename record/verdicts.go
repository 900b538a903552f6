// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"io"
	"strings"

	"g500/settings"
)

// VerdictsFormat is the format of Verdicts.
const VerdictsFormat = 1

// Verdicts is the document of g500 validate --json: what the validator found in results of any program.
type Verdicts struct {
	Graph   settings.GraphConfig `json:"graph"` // of the results
	Kernel  Kernel               `json:"kernel"`
	Status  Status               `json:"status"`           // VALID if every result is, else INVALID
	Reason  string               `json:"reason,omitempty"` // the first broken rule
	Results []ResultVerdict      `json:"results"`
	// Statistics of the times that the program gave; null unless all results are valid and have one.
	Seconds *Summary `json:"seconds"`
	TEPS    *Rates   `json:"teps"` // traversed edges per second, as Graph500 counts them
}

// ResultVerdict is the verdict on the result of one search. Counts are 0 if it breaks a rule.
type ResultVerdict struct {
	Root            int64   `json:"root"`
	Tree            string  `json:"tree"`              // its file
	Fault           string  `json:"fault,omitempty"`   // the rule that it breaks
	Edges           int64   `json:"edges"`             // tuples in the component, without self-loops
	EdgesWithLoops  int64   `json:"edges_with_loops"`  // the same with self-loops
	Reached         int64   `json:"reached_vertices"`  // including the root
	Levels          int     `json:"levels"`            // of the tree, including the root's
	Seconds         float64 `json:"seconds,omitempty"` // of the search, as its program gave it
	TEPS            float64 `json:"teps,omitempty"`    // edges per second of that time
	ValidateSeconds float64 `json:"validate_seconds"`
}

// Add adds a verdict, and sets its rate.
func (v *Verdicts) Add(r ResultVerdict) {
	if r.Fault == "" && r.Seconds > 0 {
		r.TEPS = float64(r.Edges) / r.Seconds
	}
	v.Results = append(v.Results, r)
}

// Settle sets status, reason and statistics from the results.
func (v *Verdicts) Settle() {
	v.Status, v.Reason, v.Seconds, v.TEPS = Valid, "", nil, nil
	var seconds, perEdge []float64
	for _, r := range v.Results {
		if r.Fault != "" && v.Reason == "" {
			v.Status, v.Reason = Invalid, r.Fault
		}
		if r.TEPS > 0 {
			seconds, perEdge = append(seconds, r.Seconds), append(perEdge, 1/r.TEPS)
		}
	}
	if n := len(v.Results); n > 0 && len(seconds) == n {
		summary, rates := SummaryOf(seconds), RatesOf(perEdge)
		v.Seconds, v.TEPS = &summary, &rates
	}
}

// Write writes the verdicts for people: the figures of one result, or a line for each of several, and VALID or INVALID
// with the reason as the last line.
func (v *Verdicts) Write(w io.Writer) error {
	var b strings.Builder
	var seconds []float64
	for _, r := range v.Results {
		seconds = append(seconds, r.ValidateSeconds)
		switch {
		case len(v.Results) > 1:
			fmt.Fprintf(&b, "%s\n", r.Line())
		case r.Fault == "":
			fmt.Fprintf(&b, "reached_vertices: %d\nlevels: %d\nedges: %d\nedges_with_self_loops: %d\n"+
				"validate_seconds: %s\n", r.Reached, r.Levels, r.Edges, r.EdgesWithLoops, cFloat(r.ValidateSeconds, 6))
			if r.TEPS > 0 {
				fmt.Fprintf(&b, "TEPS: %s\n", cFloat(r.TEPS, 6))
			}
		}
	}
	if t := v.TEPS; t != nil && len(v.Results) > 1 {
		fmt.Fprintf(&b, "harmonic mean %s, standard error %s, n = %d searches\n", FormatTEPS(t.HarmonicMean),
			FormatTEPS(t.HarmonicStddev), len(v.Results))
	}
	if len(seconds) > 1 {
		s := SummaryOf(seconds)
		fmt.Fprintf(&b, "validation median %s, quartiles %s and %s, n = %d results\n", FormatSeconds(s.Median),
			FormatSeconds(s.FirstQuartile), FormatSeconds(s.ThirdQuartile), len(seconds))
	}
	if b.WriteString(string(v.Status)); v.Reason != "" {
		b.WriteString(": " + v.Reason)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// Line describes a result of several.
func (r ResultVerdict) Line() string {
	if r.Fault != "" {
		return fmt.Sprintf("%s, root %d: INVALID: %s", r.Tree, r.Root, r.Fault)
	}
	text := fmt.Sprintf("%s, root %d: VALID, %d edges, %d vertices, %d levels",
		r.Tree, r.Root, r.Edges, r.Reached, r.Levels)
	if r.TEPS > 0 {
		text += ", " + FormatTEPS(r.TEPS)
	}
	return text
}
