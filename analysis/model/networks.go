package model

import (
	"fmt"
	"strings"
)

// The networks that are known by name, one port for each GPU. GB/s are the line rates of the ports' data sheets,
// without what protocols take. Latency, of a message from the memory of one host to that of another, is assumed, and so
// are the overhead of each further message, and what a level costs that the host launches and waits for. None has been
// measured with this program: g500 net does that, and writes a machine file.

// NDR400 is InfiniBand NDR, 400 Gb/s (NVIDIA ConnectX-7 data sheet: up to 400 Gb/s a port).
func NDR400() Network { return Network{"ndr400", 50, 2, 0.5, 8} }

// Networks are all of them.
func Networks() []Network {
	return []Network{
		NDR400(),
		{"hdr200", 25, 2, 0.5, 8},         // InfiniBand HDR, 200 Gb/s (NVIDIA ConnectX-6 data sheet)
		{"slingshot200", 25, 2.5, 0.5, 8}, // HPE Slingshot 11, 200 Gb/s (HPE Slingshot NIC QuickSpecs)
		{"100gbe", 12.5, 10, 1, 8},        // Ethernet, 100 Gb/s (IEEE 802.3); latency that of TCP in a kernel
	}
}

// NetworkNames are their names.
func NetworkNames() string {
	var names []string
	for _, n := range Networks() {
		names = append(names, n.Name)
	}
	return strings.Join(names, ", ")
}

// ParseNetwork finds one by its name.
func ParseNetwork(name string) (Network, error) {
	for _, n := range Networks() {
		if n.Name == name {
			return n, nil
		}
	}
	return Network{}, fmt.Errorf("model: there is no network %q: choose %s, or give --network-gbs and --latency-us",
		name, NetworkNames())
}
