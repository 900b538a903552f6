// SPDX-License-Identifier: Apache-2.0

package net

import (
	"cmp"
	"fmt"
	"slices"

	"g500/internal/lists"
	"g500/record"
)

// Limits are figures beyond which a link has a fault. Latency counts at the smallest size, bandwidth at the largest.
type Limits struct {
	Slow      float64 `json:"slow"`                           // ratio to the median of the link's kind
	Latency   float64 `json:"max_latency_seconds"`            // 0 for any
	Bandwidth float64 `json:"min_bandwidth_bytes_per_second"` // 0 for any
	Peers     bool    `json:"peers"`                          // two ranks of a node must be peers
}

// DefaultLimits returns limits that need no knowledge of the machine.
func DefaultLimits() Limits { return Limits{Slow: 2} }

// Fault is a link that exceeds a limit.
type Fault struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"` // the figure and the limit, in a sentence
}

// Kind is the links inside nodes, or the links between nodes, by size in ascending order.
type Kind struct {
	SameNode bool
	Sizes    [][]Link
}

func (k Kind) String() string {
	if k.SameNode {
		return "inside nodes"
	}
	return "between nodes"
}

// Kinds returns the kinds that were measured.
func (f *Figures) Kinds() (kinds []Kind) {
	for _, same := range []bool{true, false} {
		k := Kind{SameNode: same}
		for _, l := range f.Links { // by size
			if l.SameNode == same {
				of := func(links []Link) bool { return links[0].Bytes == l.Bytes }
				links := lists.At(&k.Sizes, of, nil)
				*links = append(*links, l)
			}
		}
		if k.Sizes != nil {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func latency(l Link) float64   { return l.Latency }
func bandwidth(l Link) float64 { return l.Bandwidth }

// median returns the median of a figure of links.
func median(links []Link, of func(Link) float64) float64 { return middle(lists.Of(links, of)) }

// worst returns the links with the highest latency and the lowest bandwidth.
func worst(links []Link) (late, narrow Link) {
	late = slices.MaxFunc(links, func(a, b Link) int { return cmp.Compare(a.Latency, b.Latency) })
	narrow = slices.MinFunc(links, func(a, b Link) int { return cmp.Compare(a.Bandwidth, b.Bandwidth) })
	return late, narrow
}

// Find sets the limits and the links that exceed them.
func (f *Figures) Find(l Limits) {
	f.Limits, f.Faults = l, []Fault{}
	for _, k := range f.Kinds() {
		f.findLate(k, k.Sizes[0])
		f.findNarrow(k, k.Sizes[len(k.Sizes)-1])
	}
	if l.Peers {
		f.findStrangers()
	}
}

// fault adds a fault of a link.
func (f *Figures) fault(l Link, format string, args ...any) {
	text := fmt.Sprintf("rank %d (%s) to rank %d (%s) ", l.From, f.Nodes[l.From], l.To, f.Nodes[l.To])
	f.Faults = append(f.Faults, Fault{l.From, l.To, text + fmt.Sprintf(format, args...)})
}

// findLate finds links of one kind and size with a high latency.
func (f *Figures) findLate(k Kind, links []Link) {
	usual, most := median(links, latency), f.Limits.Latency
	for _, l := range links {
		switch has := record.FormatSeconds(l.Latency); {
		case l.Latency > f.Limits.Slow*usual:
			f.fault(l, "has a latency of %s, %.1f times the median %s (%s)", has, l.Latency/usual, k,
				record.FormatSeconds(usual))
		case most > 0 && l.Latency > most:
			f.fault(l, "has a latency of %s, more than %s", has, record.FormatSeconds(most))
		}
	}
}

// findNarrow finds links of one kind and size with a low bandwidth.
func (f *Figures) findNarrow(k Kind, links []Link) {
	usual := median(links, bandwidth)
	for _, l := range links {
		switch has := rate(l.Bandwidth); {
		case l.Bandwidth*f.Limits.Slow < usual:
			f.fault(l, "has a bandwidth of %s, %.2f of the median %s (%s)", has, l.Bandwidth/usual, k, rate(usual))
		case l.Bandwidth < f.Limits.Bandwidth:
			f.fault(l, "has a bandwidth of %s, less than %s", has, rate(f.Limits.Bandwidth))
		}
	}
}

// findStrangers finds pairs of ranks of one node that were not measured, because they are no peers.
func (f *Figures) findStrangers() {
	for from := range f.Nodes {
		for to := range from {
			link := Link{From: from, To: to, SameNode: f.Nodes[from] == f.Nodes[to]}
			same := func(l Link) bool { return l.From == from && l.To == to }
			if link.SameNode && !slices.ContainsFunc(f.Links, same) {
				f.fault(link, "has no peer access")
			}
		}
	}
}
