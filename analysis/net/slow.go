package net

import (
	"cmp"
	"fmt"
	"slices"

	"g500/record"
)

// slowFactor is how many times worse than the median of its kind a slow link is.
const slowFactor = 2

// Kind is links that should be alike: those inside hosts, or those between hosts.
type Kind struct {
	SameHost bool
	Links    []Link // of all sizes
}

func (k Kind) String() string {
	if k.SameHost {
		return "inside hosts"
	}
	return "between hosts"
}

// Kinds are the kinds that were measured.
func (f *Figures) Kinds() (kinds []Kind) {
	for _, same := range []bool{true, false} {
		k := Kind{SameHost: same}
		for _, l := range f.Links {
			if l.SameHost == same {
				k.Links = append(k.Links, l)
			}
		}
		if len(k.Links) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// of are the links of a size.
func (k Kind) of(bytes int) (links []Link) {
	for _, l := range k.Links {
		if l.Bytes == bytes {
			links = append(links, l)
		}
	}
	return links
}

// sizes are those that were measured, from small to large.
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

// median is that of a figure of links.
func median(links []Link, of func(Link) float64) float64 {
	x := make([]float64, len(links))
	for i, l := range links {
		x[i] = of(l)
	}
	return middle(x)
}

// worst are the links with the highest latency and the lowest bandwidth.
func worst(links []Link) (late, narrow Link) {
	late = slices.MaxFunc(links, func(a, b Link) int { return cmp.Compare(a.Latency, b.Latency) })
	narrow = slices.MinFunc(links, func(a, b Link) int { return cmp.Compare(a.Bandwidth, b.Bandwidth) })
	return late, narrow
}

// Slow names the links whose latency at the smallest size is more than twice the median of their kind, or whose
// bandwidth at the largest is less than half of it. It has a sentence for each.
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

// name is a link with its hosts.
func (f *Figures) name(l Link) string {
	return fmt.Sprintf("rank %d (%s) to rank %d (%s)", l.From, f.Hosts[l.From], l.To, f.Hosts[l.To])
}
