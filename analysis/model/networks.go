package model

import (
	"fmt"
	"strings"
)

// Networks returns the networks with a name, one port per GPU. GB/s are line rates of data sheets, without protocol
// overhead. Latencies between the memories of two nodes, overheads, and the time of a level that the host launches are
// assumed; g500 net measures them and writes a machine file.
func Networks() []Network {
	return []Network{
		{"ndr400", 50, 2, 0.5, 8},         // InfiniBand NDR, 400 Gb/s (NVIDIA ConnectX-7 data sheet)
		{"hdr200", 25, 2, 0.5, 8},         // InfiniBand HDR, 200 Gb/s (NVIDIA ConnectX-6 data sheet)
		{"slingshot200", 25, 2.5, 0.5, 8}, // HPE Slingshot 11, 200 Gb/s (HPE Slingshot NIC QuickSpecs)
		{"100gbe", 12.5, 10, 1, 8},        // Ethernet, 100 Gb/s (IEEE 802.3); latency of TCP in a kernel
	}
}

// NetworkNames returns their names, separated by commas.
func NetworkNames() string {
	var names []string
	for _, n := range Networks() {
		names = append(names, n.Name)
	}
	return strings.Join(names, ", ")
}

// ParseNetwork returns the network of a name.
func ParseNetwork(name string) (Network, error) {
	for _, n := range Networks() {
		if n.Name == name {
			return n, nil
		}
	}
	return Network{}, fmt.Errorf("model: there is no network %q: choose %s, or give --network-gbs and --latency-us",
		name, NetworkNames())
}
