// SPDX-License-Identifier: Apache-2.0

package record

import (
	_ "embed" // verdicts.gotmpl
	"fmt"
	"io"
	"text/template"

	"g500/internal/lists"
	"g500/internal/output"
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

//go:embed verdicts.gotmpl
var verdictsText string

// Write writes the verdicts for people: the figures of one result, or a line for each of several, and VALID or INVALID
// with the reason as the last line.
func (v *Verdicts) Write(w io.Writer) error {
	functions := template.FuncMap{"seconds": FormatSeconds, "teps": FormatTEPS, "c": cFloat}
	return output.FillIn(w, verdictsText, functions, struct {
		*Verdicts
		Validation Summary
	}{v, SummaryOf(lists.Of(v.Results, func(r ResultVerdict) float64 { return r.ValidateSeconds }))})
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
