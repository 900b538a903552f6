//go:build cuda && cgo

package cuda

import (
	"fmt"

	"gorgonia.org/cu"
)

// Address is the GPU's place on the PCI bus of its host, which tells it from all others there.
func (c Card) Address() (string, error) {
	var of [3]int
	for i, part := range []cu.DeviceAttribute{cu.PciDomainID, cu.PciBusID, cu.PciDeviceID} {
		var err error
		if of[i], err = cu.Device(c.Number).Attribute(part); err != nil {
			return "", checkDriver(fmt.Sprintf("asking for the address of GPU %d", c.Number), err)
		}
	}
	return fmt.Sprintf("%04x:%02x:%02x", of[0], of[1], of[2]), nil
}
