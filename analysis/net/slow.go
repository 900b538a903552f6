package net

import (
	"cmp"
	"fmt"
	"slices"

	"g500/record"
)

// slowFactor is the minimum ratio of a slow link's figure to the median of its kind.
const slowFactor = 2

// Kind is the links inside nodes, or the links between nodes, of all sizes.
type Kind struct {
	SameNode bool
	Links    []Link
}

func (k Kind) String() string {
	if k.SameNode {
		return "inside nodes"
	}
	return "between nodes"
}

func (f *Figures) kind(same bool) Kind {
	k := Kind{SameNode: same}
	for _, l := range f.Links {
		if l.SameNode == same {
			k.Links = append(k.Links, l)
		}
	}
	return k
}

// Kinds returns the kinds that were measured.
func (f *Figures) Kinds() []Kind {
	return slices.DeleteFunc([]Kind{f.kind(true), f.kind(false)}, func(k Kind) bool { return len(k.Links) == 0 })
}

// of returns the links of a size.
func (k Kind) of(bytes int) []Link {
	return slices.DeleteFunc(slices.Clone(k.Links), func(l Link) bool { return l.Bytes != bytes })
}

// sizes returns the sizes that were measured, in ascending order.
func (k Kind) sizes() (sizes []int) {
	for _, l := range k.Links {
		if !slices.Contains(sizes, l.Bytes) {
			sizes = append(sizes, l.Bytes)
		}
	}
	return sizes
}

func latency(l Link) float64   { return l.Latency }
func bandwidth(l Link) float64 { return l.Bandwidth }

// median returns the median of a figure of links.
func median(links []Link, of func(Link) float64) float64 {
	x := make([]float64, len(links))
	for i, l := range links {
		x[i] = of(l)
	}
	return middle(x)
}

// worst returns the links with the highest latency and the lowest bandwidth.
func worst(links []Link) (late, narrow Link) {
	late = slices.MaxFunc(links, func(a, b Link) int { return cmp.Compare(a.Latency, b.Latency) })
	narrow = slices.MinFunc(links, func(a, b Link) int { return cmp.Compare(a.Bandwidth, b.Bandwidth) })
	return late, narrow
}

// Slow returns a sentence for each link whose latency at the smallest size is more than twice the median of its kind,
// or whose bandwidth at the largest size is less than half of the median.
func (f *Figures) Slow() (sentences []string) {
	for _, k := range f.Kinds() {
		sizes := k.sizes()
		small, large := k.of(sizes[0]), k.of(sizes[len(sizes)-1])
		usual, rate := median(small, latency), median(large, bandwidth)
		for _, l := range small {
			if l.Latency > slowFactor*usual {
				sentences = append(sentences, fmt.Sprintf("%s has a latency of %s, %.1f times the median %s (%s)",
					f.name(l), record.FormatSeconds(l.Latency), l.Latency/usual, k, record.FormatSeconds(usual)))
			}
		}
		for _, l := range large {
			if l.Bandwidth*slowFactor < rate {
				sentences = append(sentences, fmt.Sprintf("%s has a bandwidth of %s/s, %.2f of the median %s (%s/s)",
					f.name(l), record.FormatBytes(l.Bandwidth), l.Bandwidth/rate, k, record.FormatBytes(rate)))
			}
		}
	}
	return sentences
}

// name names a link with its nodes.
func (f *Figures) name(l Link) string {
	return fmt.Sprintf("rank %d (%s) to rank %d (%s)", l.From, f.Nodes[l.From], l.To, f.Nodes[l.To])
}
