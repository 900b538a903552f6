package net

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMachine writes what was measured as a machine file of the model (TOML). What was not measured is a comment that
// says why; the model keeps its own figure for it.
func (f *Figures) WriteMachine(w io.Writer) error {
	var b strings.Builder
	fewest, most := f.perHost()
	n := len(f.Hosts)
	fmt.Fprintf(&b, "# A machine for g500 model --machine, measured by g500 net: %d ranks, %s.\n", n, f.Transport)
	b.WriteString("# What is not here is the model's own: g500 model --print-machine shows all.\n\n[host]\n")
	fmt.Fprintf(&b, "ranks = %d\n", most)
	last := f.AllToAll[len(f.AllToAll)-1]
	switch {
	case !f.OnDevices:
		b.WriteString("# peer_gbs: not measured; g500 net --engine gpu on one host does\n")
	case most < n:
		b.WriteString("# peer_gbs: not measured; g500 net --engine gpu on one host alone does\n")
	default:
		fmt.Fprintf(&b, "peer_gbs = %.4g # bus bandwidth of all to all with %d bytes\n", last.Bus/1e9, last.Bytes)
	}
	b.WriteString("\n[network]\n")
	if most == n {
		b.WriteString("# not measured: all ranks are on one host\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	// Every rank's messages to other hosts cross the network; a rank of the host with the fewest has the most of them.
	out := last.Algorithm * float64(n-fewest) / float64(n)
	fmt.Fprintf(&b, "gbs = %.4g # of a rank to other hosts, all to all with %d bytes\n", out/1e9, last.Bytes)
	between := Kind{SameHost: false}
	for _, k := range f.Kinds() {
		if !k.SameHost {
			between = k
		}
	}
	if len(between.Links) == 0 {
		b.WriteString("# latency_us, overhead_us: not measured; g500 net without --engine gpu does\n")
	} else {
		small := between.of(between.sizes()[0])
		bytes := float64(small[0].Bytes)
		fmt.Fprintf(&b, "latency_us = %.4g # half a round trip of %g bytes, the median pair\n",
			median(small, latency)*1e6, bytes)
		fmt.Fprintf(&b, "overhead_us = %.4g # of each of %d such messages under way together\n",
			bytes/median(small, bandwidth)*1e6, window(small[0].Bytes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// perHost is the fewest and the most ranks that a host has.
func (f *Figures) perHost() (fewest, most int) {
	count := map[string]int{}
	for _, host := range f.Hosts {
		count[host]++
	}
	var counts []int
	for _, n := range count {
		counts = append(counts, n)
	}
	return slices.Min(counts), slices.Max(counts)
}
