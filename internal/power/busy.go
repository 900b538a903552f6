// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux

package power

// #include "g500nvml.h"
import "C"

import "time"

// busySamples is the number of looks at a busy GPU, a second apart: the last sample can include an earlier process.
const busySamples = 3

// Busy returns the share of time, from 0 to 1, in which kernels ran on the GPU with a PCI bus id, by NVML; 0 if it is
// unknown. Call it before this process runs kernels. It takes two seconds if the GPU is busy.
func Busy(busID string) float64 { return busy(busID, time.Second) }

func busy(busID string, between time.Duration) float64 {
	meter, err := NVML(busID)
	if err != nil {
		return 0
	}
	m := meter.(*nvml)
	defer m.Close()
	share := 1.0
	for i := range busySamples {
		if i > 0 {
			time.Sleep(between)
		}
		var rates C.g500_nvml_rates
		if C.g500_nvml_utilization(&m.library, m.device, &rates) != 0 {
			return 0
		}
		if share = min(share, float64(rates.gpu)/100); share == 0 {
			break
		}
	}
	return share
}
