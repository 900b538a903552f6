// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"fmt"

	"g500/bench"
	"g500/cuda"
	"g500/gpu/device"
	"g500/internal/machine"
	"g500/settings"
)

// Describe returns a line for each GPU, with the largest scale of a run with the default settings that fits into its
// memory and, for edge tuples, into the free host memory; and a line about NCCL.
func Describe() ([]string, error) {
	cards, err := cuda.Cards()
	if err != nil {
		return nil, err
	}
	usual := settings.Default()
	lines := []string{fmt.Sprintf("%d, driver for %s", len(cards), cuda.Driver())}
	for _, card := range cards {
		budgets := bench.Budgets{Backend: card.Memory, Host: machine.ProcessMemory()}
		lines = append(lines, fmt.Sprintf("%v, %s, up to scale %d", card, bench.Bytes(card.Memory),
			bench.LargestScale(Planner(usual, true), bench.WorkOf(usual, 1), budgets)))
	}
	return append(lines, device.DescribeNCCL()), nil
}
