package net

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteMachine writes the measured settings as a machine file of the model (TOML). A comment gives the reason for each
// setting that is missing, for which the model keeps its own value.
func (f *Figures) WriteMachine(w io.Writer) error {
	var b strings.Builder
	fewest, most := f.perNode()
	n := len(f.Nodes)
	fmt.Fprintf(&b, "# A machine for g500 model --machine, measured by g500 net: %d ranks, %s.\n", n, f.Transport)
	b.WriteString("# Missing settings keep the model's values: g500 model --print-machine prints all.\n\n[host]\n")
	fmt.Fprintf(&b, "ranks = %d\n", most)
	last := f.AllToAll[len(f.AllToAll)-1]
	switch {
	case !f.OnDevices:
		b.WriteString("# peer_gbs: not measured; g500 net --engine gpu on one node does\n")
	case most < n:
		b.WriteString("# peer_gbs: not measured; g500 net --engine gpu on a single node does\n")
	default:
		fmt.Fprintf(&b, "peer_gbs = %.4g # bus bandwidth of all to all with %d bytes\n", last.Bus/1e9, last.Bytes)
	}
	b.WriteString("\n[network]\n")
	if most == n {
		b.WriteString("# not measured: all ranks are on one node\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	// A rank of the node with the fewest ranks sends the most to other nodes.
	out := last.Algorithm * float64(n-fewest) / float64(n)
	fmt.Fprintf(&b, "gbs = %.4g # of a rank to other nodes, all to all with %d bytes\n", out/1e9, last.Bytes)
	if between := f.kind(false); len(between.Links) == 0 {
		b.WriteString("# latency_us, overhead_us: not measured; g500 net without --engine gpu does\n")
	} else {
		small := between.of(f.Links[0].Bytes)
		bytes := float64(small[0].Bytes)
		fmt.Fprintf(&b, "latency_us = %.4g # half a round trip of %g bytes, the median pair\n",
			median(small, latency)*1e6, bytes)
		fmt.Fprintf(&b, "overhead_us = %.4g # of each of %d such messages in flight together\n",
			bytes/median(small, bandwidth)*1e6, window(small[0].Bytes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// perNode returns the smallest and the largest number of ranks of a node.
func (f *Figures) perNode() (fewest, most int) {
	count := map[string]int{}
	for _, node := range f.Nodes {
		count[node]++
	}
	counts := slices.Sorted(maps.Values(count))
	return counts[0], counts[len(counts)-1]
}
