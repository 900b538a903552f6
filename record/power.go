// SPDX-License-Identifier: Apache-2.0

package record

import (
	"g500/internal/lists"
	"strings"
)

// Power is the electric power of the devices during searches from all keys, back to back, after the timed searches.
type Power struct {
	Refused string `json:"refused,omitempty"` // why there are no figures, "" if there are

	Watts           float64 `json:"watts"`             // of all meters, mean; null if refused
	JoulesPerSearch float64 `json:"joules_per_search"` // mean; null if refused
	TEPSPerWatt     float64 `json:"teps_per_watt"`     // edges of the searches per joule; null if refused
	Searches        int     `json:"searches"`          // in complete rounds over all keys
	Seconds         float64 `json:"seconds"`           // time of these searches
	PeriodSeconds   float64 `json:"period_seconds"`    // between two readings of a meter
	Meters          []Meter `json:"meters,omitempty"`
}

// Meter is the reading of one meter.
type Meter struct {
	Rank          int     `json:"rank"`    // rank that read the meter
	Source        string  `json:"source"`  // interface, such as NVML
	Covers        string  `json:"covers"`  // hardware whose power it is
	Watts         float64 `json:"watts"`   // 0 if the meter had too few values
	Seconds       float64 `json:"seconds"` // between the first and the last observed update
	Reads         int     `json:"reads"`
	Updates       int     `json:"updates"`        // readings with a new figure
	RelativeError float64 `json:"relative_error"` // largest error of the watts, from the times of the updates
}

// Derive sets the figures that follow from the meters and the searches. Each round has the same edges.
func (p *Power) Derive(searches []Search) {
	if p.Refused != "" {
		return
	}
	p.Watts = lists.Sum(p.Meters, func(m Meter) float64 { return m.Watts })
	edges := lists.Sum(searches, func(s Search) float64 { return float64(s.Edges) })
	p.JoulesPerSearch = p.Watts * p.Seconds / float64(p.Searches)
	p.TEPSPerWatt = edges / float64(len(searches)) / p.JoulesPerSearch
}

// Covers names the hardware whose power was measured.
func (p *Power) Covers() string {
	return strings.Join(lists.Of(p.Meters, func(m Meter) string { return m.Covers }), ", ")
}

// Worst has the fewest readings and new figures of all meters, and their largest error.
func (p *Power) Worst() Meter {
	worst := p.Meters[0]
	for _, m := range p.Meters {
		worst.Reads, worst.Updates = min(worst.Reads, m.Reads), min(worst.Updates, m.Updates)
		worst.RelativeError = max(worst.RelativeError, m.RelativeError)
	}
	return worst
}
